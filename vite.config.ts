// The settings of Vite and Vitest: tools/build/ has those of the builds, tests/support/projects.ts those of the tests.

import { defineConfig } from 'vitest/config';
import { testSettings } from './tests/support/projects.ts';
import { extension } from './tools/build/settings.ts';

export default defineConfig(({ mode }) =>
  mode === 'test' || mode === 'long' ? { test: testSettings(mode) } : extension({ browser: 'chrome' }),
);
