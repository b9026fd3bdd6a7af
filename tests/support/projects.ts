// The projects of the tests: in Node, in Chromium and in Firefox, side by side.

import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import react from '@vitejs/plugin-react';
import type { TestProjectInlineConfiguration, ViteUserConfig } from 'vitest/config';
import { builtConfig } from '../../tools/build/plugins.ts';
import { demoConfigPath, readConfigFile } from '../../tools/build/read-config.ts';
import { LongestFirst } from './longest-first.ts';
import { keyedBySettings, moduleCache } from './module-cache.ts';
import { RunNotes } from './run-notes.ts';
import { chooseSeed } from './seed.ts';
import { tracer } from '../trips/tracer.ts';

/** `inner` leaves out the slow files. `long` is an addition to `test`: what `test` leaves out, or tries less of. */
const extents = ['inner', 'test', 'long'] as const;
export type Extent = (typeof extents)[number];

type Environment = Readonly<Record<string, string>>;

export function isExtent(mode: string): mode is Extent {
  return extents.some((extent) => extent === mode);
}

const firstHour = 'tests/first-hour.test.ts';

/** Counts the objects of its process, so it gets a process of its own, on a machine that does nothing else. */
const kept = 'tests/background/kept.test.ts';

/** Count the functions that they enter, so they need modules of their own. */
const trips = 'tests/trips/**';

/**
 * These take more than half of the unit tests' processor time: they try out many orders of events and many inputs, read a
 * whole build or style sheet, or start a provider. Or they read documents, translations and profiles, which a change of the
 * code seldom breaks. The inner loop leaves them out.
 */
const wide = [
  'administrators',
  'background/{closed-details,interleavings}',
  'background/feature/nothing-left',
  'background/record/walk',
  'bridge/fetch/fetch-behaviour',
  'build',
  'docs{,-configuration,-feature,-links}',
  'fuzz/fuzz',
  'linear-time',
  'oidc/demo-provider',
  'popup/{announcements,styles}',
  'providers/*',
  'public/*',
  'run-notes',
  'supply-chain',
  'tools/{add-provider,demo,package,rename}',
  'tools/browser/browsers',
  'tools/build/{read-sources,settings}',
  'tools/demo-provider/provider',
  'tools/doctor/*',
  'tools/library/demo',
  'tools/relay/sign-in',
].map((name) => `tests/${name}.test.{ts,tsx}`);

/** These try out every call, listener, token or problem, or pack whole packages. The inner loop leaves them out as well. */
const everyKind = [
  'background/{arrived-tokens,renewal-pause,scenes}',
  'popup/{listeners,problem-table,rejected-calls}',
  'tools/create',
].map((name) => `tests/${name}.test.{ts,tsx}`);

/** A file that runs more in the long run, as its code shows. What `npm test` runs in full isn't run again. */
const runsMore = /\bisLong\b|support\/property\.ts|browser\/share\.ts/;

/** The test files in this folder, whose path ends in a slash. Of the long run, only those that run more in it. */
function testFiles(folder: string, extent: Extent): string[] {
  if (extent !== 'long') return [`${folder}**/*.test.{ts,tsx}`];
  const files = readdirSync('tests', { recursive: true, encoding: 'utf8' });
  return files
    .map((name) => `tests/${name.replaceAll('\\', '/')}`)
    .filter((file) => file.startsWith(folder) && /\.test\.tsx?$/.test(file))
    .filter((file) => runsMore.test(readFileSync(file, 'utf8')));
}

/**
 * These take too long for `test`: waits of half a minute, a provider from another library, other extensions to install and build,
 * pages that adopters add, and the restarts of a browser whose policy changes.
 */
const onlyLong = [
  'complete-feature',
  'slow-response',
  'better-auth',
  'created',
  'samples',
  'other-pages',
  'policy-installed',
  'policy-changes',
  'policy-sessions',
  'update',
].map((name) => `tests/browser/${name}.test.ts`);

/** Firefox takes three times as long to show a view, so `npm test` shows them in Chromium alone. */
const viewFiles = ['accessibility', 'gallery'].map((name) => `tests/browser/${name}.test.ts`);

/** A worker keeps its modules and its browser from file to file. Starting them again takes longer than most files. */
const isolate = false;

const aroundEachFile = ['tests/support/around-each-file.ts'];

/** How long an assertion polls: longer than anything takes on a busy machine. */
const pollTimeoutMs = 10_000;

function unitTimeoutMs(extent: Extent): number {
  return extent === 'long' ? 600_000 : 30_000;
}

export function unitTests(extent: Extent, env: Environment): TestProjectInlineConfiguration {
  return {
    plugins: [react(), builtConfig(readConfigFile(demoConfigPath)), keyedBySettings()],
    test: {
      name: 'unit',
      setupFiles: aroundEachFile,
      isolate,
      include: testFiles('tests/', extent),
      exclude: [
        'tests/browser/**',
        trips,
        firstHour,
        kept,
        ...(extent === 'inner' ? [...wide, ...everyKind] : []),
      ],
      testTimeout: unitTimeoutMs(extent),
      // A hook does part of its tests' work. Vitest gives it 10 s by default.
      hookTimeout: unitTimeoutMs(extent),
      env,
      // A browser test may also assert by waiting for a text. Unit tests wait for milliseconds.
      expect: { requireAssertions: true, poll: { timeout: pollTimeoutMs, interval: 2 } },
    },
  };
}

/** The scenes of the worker and its pages once more, in a fake browser that behaves like Firefox. */
function scenesLikeFirefox(env: Environment): TestProjectInlineConfiguration {
  const unit = unitTests('test', { ...env, LATCHKEY_MANNER: 'firefox' });
  const include = ['tests/{background,bridge,library}/**/*.test.ts'];
  return { ...unit, test: { ...unit.test, name: 'like-firefox', include, exclude: [...wide, kept] } };
}

/** The length of the trips through the code. */
function tripTests(env: Environment): TestProjectInlineConfiguration {
  const unit = unitTests('test', env);
  return {
    plugins: [tracer(), react(), builtConfig(readConfigFile(demoConfigPath))],
    test: { ...unit.test, name: 'trips', include: [`${trips}/*.test.{ts,tsx}`], exclude: [] },
  };
}

/** The same files for each browser. */
function browserTests(
  name: 'chrome' | 'firefox',
  extent: Extent,
  env: Environment,
): TestProjectInlineConfiguration {
  return {
    test: {
      name,
      isolate,
      include: [...testFiles('tests/browser/', extent), ...(extent === 'long' ? onlyLong : [])],
      exclude: extent === 'long' ? [] : [...onlyLong, ...(name === 'firefox' ? viewFiles : [])],
      globalSetup: ['tests/support/browser/global-setup.ts'],
      testTimeout: extent === 'long' ? 600_000 : 60_000,
      hookTimeout: 60_000,
      env,
      expect: { poll: { timeout: pollTimeoutMs } },
    },
  };
}

/** A test that runs alone, after everything else. Groups with higher numbers run later. */
function loneTest(name: string, file: string, groupOrder: number): TestProjectInlineConfiguration {
  return {
    plugins: [builtConfig(readConfigFile(demoConfigPath))],
    test: {
      name,
      setupFiles: aroundEachFile,
      include: [file],
      testTimeout: 600_000,
      hookTimeout: 600_000,
      expect: { requireAssertions: true },
      sequence: { groupOrder },
    },
  };
}

export function testSettings(extent: Extent): NonNullable<ViteUserConfig['test']> {
  const seed = chooseSeed();
  const env = { LATCHKEY_TEST: extent, LATCHKEY_SEED: String(seed) };
  return {
    // One more than there are processors, because browser tests also wait. `npm run test:unit` starts one for each processor:
    // unit tests hardly wait, and each worker loads its modules for itself.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    reporters: [
      'default',
      // Vitest adds it only if no reporter is named.
      ...(process.env['GITHUB_ACTIONS'] === 'true' ? ['github-actions'] : []),
      new RunNotes({ seed, isLong: extent === 'long' }),
    ],
    experimental: moduleCache,
    projects: [
      unitTests(extent, env),
      ...(extent === 'test' ? [scenesLikeFirefox(env), tripTests(env)] : []),
      browserTests('chrome', extent, env),
      browserTests('firefox', extent, env),
      ...(extent === 'long' ? [loneTest('kept', kept, 1), loneTest('first-hour', firstHour, 2)] : []),
    ],
  };
}
