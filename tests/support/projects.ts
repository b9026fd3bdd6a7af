// The projects of the tests: in Node, in Chromium and in Firefox, side by side.

import { availableParallelism } from 'node:os';
import react from '@vitejs/plugin-react';
import type { TestProjectInlineConfiguration, ViteUserConfig } from 'vitest/config';
import { builtConfig } from '../../tools/build/plugins.ts';
import { demoConfigPath, readConfigFile } from '../../tools/build/read-config.ts';
import { LongestFirst } from './longest-first.ts';
import { keyedBySettings, moduleCache } from './module-cache.ts';

/** `inner` leaves out what takes long. `long` takes whole what `test` takes a part of. */
const extents = ['inner', 'test', 'long'] as const;
export type Extent = (typeof extents)[number];

export function isExtent(mode: string): mode is Extent {
  return extents.some((extent) => extent === mode);
}

const firstHour = 'tests/first-hour.test.ts';

/**
 * Half of the processor time of the unit tests is in these: they try out many orders of events and many inputs, read a whole
 * build, or start a provider. The inner loop leaves them out.
 */
const wide = [
  'background/{interleavings,kept,killed}',
  'background/faults/worker-killed',
  'background/feature/nothing-left',
  'build',
  'config/{config-property,odd-configurations}',
  'docs-feature',
  'oidc/{demo-provider,outside-input}',
  'providers/shapes',
  'relay/sign-in',
  'tools/{build,inputs,rename}',
  'tools/demo-provider/provider',
  'tools/doctor/hostile',
].map((name) => `tests/${name}.test.ts`);

const allUnitFiles = ['tests/**/*.test.{ts,tsx}'];

const unitFiles = {
  inner: allUnitFiles,
  test: allUnitFiles,
  long: [
    'tests/{oidc,bridge}/**/*.test.ts',
    'tests/config/config-property.test.ts',
    'tests/build.test.ts',
    'tests/session/commands.test.ts',
    'tests/tools/{library,package}.test.ts',
    'tests/background/{device-sign-in,interleavings,journal,killed}.test.ts',
    'tests/background/feature/{authorized-fetch,nothing-left}.test.ts',
    'tests/popup/announcements.test.tsx',
    'tests/tools/build.test.ts',
    'tests/tools/demo-provider/provider.test.ts',
    'tests/tools/doctor/hostile.test.ts',
  ],
};

/**
 * These take too long for `test`: a wait of 45 s, other extensions to install and build, pages that adopters add, and the
 * restarts of a browser whose policy changes.
 */
const onlyLong = [
  'slow-response',
  'samples',
  'other-pages',
  'policy-installed',
  'policy-changes',
  'policy-sessions',
  'update',
].map((name) => `tests/browser/${name}.test.ts`);

/** A worker keeps its modules and its browser from file to file. To start them anew takes longer than most files. */
const isolate = false;

/** How long an assertion polls: longer than anything takes on a busy machine. */
const pollTimeoutMs = 10_000;

function unitTimeoutMs(extent: Extent): number {
  return extent === 'long' ? 600_000 : 30_000;
}

function unitTests(extent: Extent): TestProjectInlineConfiguration {
  return {
    plugins: [react(), builtConfig(readConfigFile(demoConfigPath)), keyedBySettings()],
    test: {
      name: 'unit',
      isolate,
      include: unitFiles[extent],
      exclude: ['tests/browser/**', firstHour, ...(extent === 'inner' ? wide : [])],
      testTimeout: unitTimeoutMs(extent),
      // A hook does a part of the work of its tests. Vitest gives it 10 s by default.
      hookTimeout: unitTimeoutMs(extent),
      env: { LATCHKEY_TEST: extent },
      // Unit tests wait for milliseconds.
      expect: { poll: { timeout: pollTimeoutMs, interval: 2 } },
    },
  };
}

/** The same files for each browser. */
function browserTests(name: 'chrome' | 'firefox', extent: Extent): TestProjectInlineConfiguration {
  return {
    test: {
      name,
      isolate,
      include: ['tests/browser/**/*.test.ts'],
      exclude: extent === 'test' ? onlyLong : [],
      globalSetup: ['tests/support/browser/global-setup.ts'],
      testTimeout: extent === 'long' ? 600_000 : 60_000,
      hookTimeout: 60_000,
      env: { LATCHKEY_TEST: extent },
      expect: { poll: { timeout: pollTimeoutMs } },
    },
  };
}

/** Runs the project's own commands in a copy, for minutes: alone, after everything else, because they time their tests too. */
function firstHourTest(): TestProjectInlineConfiguration {
  return {
    test: {
      name: 'first-hour',
      include: [firstHour],
      testTimeout: 600_000,
      hookTimeout: 600_000,
      sequence: { groupOrder: 1 },
    },
  };
}

export function testSettings(extent: Extent): NonNullable<ViteUserConfig['test']> {
  return {
    // One more than there are processors, because browser tests also wait. `npm run test:unit` starts one for each processor:
    // unit tests hardly wait, and each worker loads its modules for itself.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    experimental: moduleCache,
    projects: [
      unitTests(extent),
      browserTests('chrome', extent),
      browserTests('firefox', extent),
      ...(extent === 'long' ? [firstHourTest()] : []),
    ],
  };
}
