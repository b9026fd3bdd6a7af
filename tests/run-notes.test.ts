// Whole runs of vitest, with the settings of this project and tests that do not run: their closing lines and exit codes.

import { execFile } from 'node:child_process';
import { realpathSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { TestModule, Vitest } from 'vitest/node';
import { makeFolder } from './support/folder.ts';
import type { Extent } from './support/projects.ts';
import { RunNotes } from './support/run-notes.ts';

const root = resolve(import.meta.dirname, '..');
const machine = JSON.stringify(join(root, 'tests/support/machine.ts'));

/** A file whose code names this is part of the long run too. */
const runsMore = '// isLong';

const files = {
  'tests/support/around-each-file.ts': '',
  // `npm test` runs it in full, so the long run leaves it out.
  'tests/oidc/the-same.test.ts': `
    import { test } from 'vitest';
    test('fails', ({ expect }) => expect(1).toBe(2));`,
  'tests/oidc/lacking.test.ts': `
    ${runsMore}
    import { test } from 'vitest';
    import { skipIfLacking } from ${machine};
    test('needs a browser', (context) => skipIfLacking(context, 'There is no browser.'));
    test('passes', ({ expect }) => expect(1).toBe(1));`,
  'tests/oidc/reasonless.test.ts': `
    ${runsMore}
    import { describe, test } from 'vitest';
    test.skip('is not finished', () => undefined);
    describe.skip('A part', () => test('is not finished', () => undefined));
    test.todo('is to be written');
    test('has an empty reason', ({ skip }) => skip(''));
    test('passes', ({ expect }) => expect(1).toBe(1));`,
  'tests/relay/lacking-assertions.test.ts': `
    import { test } from 'vitest';
    test('passes whatever happens', () => undefined);`,
  'tests/oidc/elsewhere.test.ts': `
    ${runsMore}
    import { test } from 'vitest';
    test.for(['Finder', 'Dock'])('starts the %s', (_, { skip }) => skip(true, 'Only on a Mac.'));
    test('passes', ({ expect }) => expect(1).toBe(1));`,
};

const folder = realpathSync(makeFolder(files));
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');

interface Run {
  readonly exitCode: number;
  readonly output: string;
  /** The lines about the tests that did not run. */
  readonly notRun: readonly string[];
}

/** Runs the files whose names contain one of `names`. */
function run(extent: Extent, ci: string, ...names: readonly string[]): Promise<Run> {
  const own = Object.entries(process.env).filter(([key]) => !/^(VITEST|LATCHKEY_|TEST$|NODE_ENV$)/.test(key));
  const settingsOf = { CI: ci, GITHUB_ACTIONS: '', LATCHKEY_SEED: '7', NO_COLOR: '1', FORCE_COLOR: '' };
  const env = { ...Object.fromEntries(own), ...settingsOf };
  const command = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', folder];
  const settings = ['--config', join(root, 'vitest.config.ts'), '--mode', extent, '--project', 'unit'];
  const all = [...command, ...settings, '--experimental.fsModuleCache=false', ...names];
  return new Promise((resolveRun) => {
    const child = execFile(process.execPath, all, { cwd: folder, env }, (_error, stdout, stderr) => {
      const output = stdout + stderr;
      const [, closingLines] = /^( Tests not run: [^]*?)\n\n/m.exec(output) ?? [];
      const notRun = closingLines?.split('\n') ?? [];
      resolveRun({ exitCode: child.exitCode ?? -1, output, notRun });
    });
  });
}

const noReason = 'No reason is given, which is a failure with CI set. Call `skip` with a reason.';
const runsLater = '`npm run test:long` runs them.';
const doesNotApply = '   Only on a Mac. tests/oidc/elsewhere.test.ts: 2';

test.concurrent('with CI, a test that the machine lacks something for fails the run, and one that asserts nothing', async () => {
  const { exitCode, output, notRun } = await run('test', 'true', 'lacking', 'reasonless', 'elsewhere');
  expect(exitCode, `The output:\n${output}`).toBe(1);
  expect(output).toMatch(/ FAIL .*lacking-assertions\.test\.ts > passes whatever happens/);
  expect(output).toContain('This machine cannot run the test, and CI is set. There is no browser.');
  expect(output.match(/ FAIL /g)).toHaveLength(2);
  expect(notRun).toEqual([
    ' Tests not run: 6',
    `   ${runsLater} tests/oidc/reasonless.test.ts: 4`,
    doesNotApply,
  ]);
});

test.concurrent('a long run leaves out what `npm test` runs in full, and with CI it fails if it skips a test without a reason, which it names', async () => {
  const { exitCode, output, notRun } = await run('long', 'true', 'reasonless', 'elsewhere', 'the-same');
  expect(exitCode, `The output:\n${output}`).toBe(1);
  expect(output).toContain(' Seed 7. LATCHKEY_SEED=7 repeats it.');
  expect(output).toContain(' These tests are those that `npm test` leaves out, or tries less of.');
  expect(notRun).toEqual([
    ' Tests not run: 6',
    `   ${noReason} tests/oidc/reasonless.test.ts: 4`,
    doesNotApply,
    ' FAIL  tests/oidc/reasonless.test.ts > is not finished',
    ' FAIL  tests/oidc/reasonless.test.ts > A part > is not finished',
    ' FAIL  tests/oidc/reasonless.test.ts > is to be written',
    ' FAIL  tests/oidc/reasonless.test.ts > has an empty reason',
  ]);
});

/** The closing lines about tests that did not run, each of a file, with the reason or without one. */
function linesOf(
  tests: readonly (readonly [file: string, reason?: string])[],
  ...projects: readonly string[]
) {
  const log: string[] = [];
  const notes = new RunNotes({ seed: 7, isLong: false });
  notes.onInit({ config: {}, logger: { log: (text: string) => log.push(text) } } as unknown as Vitest);
  const modules = projects.flatMap((name) =>
    tests.map(([file, note], index) => {
      const skipped = { project: { name }, module: { relativeModuleId: file }, fullName: String(index) };
      return { children: { allTests: () => [{ ...skipped, result: () => ({ state: 'skipped', note }) }] } };
    }),
  );
  notes.onTestRunEnd(modules as unknown as TestModule[]);
  return log.at(-1)?.trimEnd().split('\n');
}

test('where the files would take more than ten lines, their folders are named, and a test of two projects counts once', () => {
  const inBridge = Array.from('123456789', (name) => [`tests/bridge/unfinished-${name}.test.ts`] as const);
  const all = [...inBridge, ['tests/oidc/unfinished.test.ts'] as const];
  expect(linesOf(all, 'unit', 'like-firefox')).toEqual([
    ' Tests not run: 10',
    `   ${runsLater}`,
    '     tests/bridge: 9 in 9 files',
    '     tests/oidc/unfinished.test.ts: 1',
  ]);
});

test('however many reasons there are, ten lines are enough', () => {
  const file = 'tests/config/reasons.test.ts';
  expect(
    linesOf(
      Array.from('abcdefghijkl', (reason) => [file, reason] as const),
      'unit',
    ),
  ).toEqual([
    ' Tests not run: 12',
    ...Array.from('abcdefgh', (reason) => `   ${reason} ${file}: 1`),
    '   And 4 more reasons.',
  ]);
});
