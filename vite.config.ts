// The settings of Vite. tools/build/ has those of the builds; vitest.config.ts has those of the tests.

import { resolve } from 'node:path';
import { defineConfig } from 'vite';
import { extension } from './tools/build/settings.ts';

export default defineConfig(({ command }) =>
  // A served build does not work without its server, so it has a folder of its own, as in `npm run dev`.
  command === 'serve'
    ? extension({
        browser: 'chrome',
        outDir: resolve(import.meta.dirname, 'dist/development/chrome'),
        live: 'served',
      })
    : extension({ browser: 'chrome' }),
);
