// The settings of Vite and Vitest: tools/build/ has those of the builds, tests/support/projects.ts those of the tests.

import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { testSettings } from './tests/support/projects.ts';
import { extension } from './tools/build/settings.ts';

export default defineConfig(({ command, mode }) => {
  if (mode === 'test' || mode === 'long') return { test: testSettings(mode) };
  // A served build does not work without its server, so it has a folder of its own, as in `npm run dev`.
  return command === 'serve'
    ? extension({
        browser: 'chrome',
        outDir: resolve(import.meta.dirname, 'dist/development/chrome'),
        live: 'served',
      })
    : extension({ browser: 'chrome' });
});
