// The settings of Vite and Vitest. tools/build/ has the builds, tests/support/projects.ts the tests.

import { defineConfig } from 'vitest/config';
import { extension } from './tools/build/settings.ts';
import { testSettings } from './tests/support/projects.ts';

export default defineConfig(({ mode }) =>
  mode === 'test' ? { test: testSettings } : extension({ browser: 'chrome' }),
);
