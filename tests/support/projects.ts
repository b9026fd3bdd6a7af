// The projects of the tests: in Node, in Chromium and in Firefox, side by side.

import { availableParallelism } from 'node:os';
import react from '@vitejs/plugin-react';
import type { TestProjectInlineConfiguration, ViteUserConfig } from 'vitest/config';
import { builtConfig } from '../../tools/build/plugins.ts';
import { readConfigFile } from '../../tools/build/read-config.ts';
import { LongestFirst } from './longest-first.ts';

/** How long an assertion polls: longer than anything takes on a busy machine. */
const pollTimeoutMs = 10_000;

const unitTests: TestProjectInlineConfiguration = {
  plugins: [react(), builtConfig(readConfigFile('src/config.json'))],
  test: {
    name: 'unit',
    include: ['tests/**/*.test.{ts,tsx}'],
    exclude: ['tests/browser/**', 'tests/long/**'],
    // Most of these files are done sooner than a process of their own would start.
    isolate: false,
    testTimeout: 30_000,
    expect: { poll: { timeout: pollTimeoutMs } },
  },
};

/** The same files for each browser. A file has a process, and in it a browser, of its own. */
function browserTests(name: 'chrome' | 'firefox'): TestProjectInlineConfiguration {
  return {
    test: {
      name,
      include: ['tests/browser/**/*.test.ts'],
      globalSetup: ['tests/support/browser/global-setup.ts'],
      testTimeout: 60_000,
      hookTimeout: 60_000,
      expect: { poll: { timeout: pollTimeoutMs } },
    },
  };
}

export const testSettings: NonNullable<ViteUserConfig['test']> = {
  // More than there are processors, because the browser tests wait more than they compute.
  maxWorkers: availableParallelism() + 1,
  sequence: { sequencer: LongestFirst },
  projects: [unitTests, browserTests('chrome'), browserTests('firefox')],
};
