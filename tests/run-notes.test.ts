// The closing lines of a run, and the exit code of a whole run with the settings of this project and tests that do not run.

import { spawnSync } from 'node:child_process';
import { realpathSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { TestModule, Vitest } from 'vitest/node';
import { makeFolder } from './support/folder.ts';
import { RunNotes } from './support/run-notes.ts';

const root = resolve(import.meta.dirname, '..');
const machine = JSON.stringify(join(root, 'tests/support/machine.ts'));

/** A file whose code names this is part of the long run too. */
const runsMore = "// isLong\nimport { test } from 'vitest';";

const files = {
  'tests/support/around-each-file.ts': '',
  // `npm test` runs it in full, so the long run leaves it out.
  'tests/oidc/the-same.test.ts': `
    import { test } from 'vitest';
    test('fails', ({ expect }) => expect(1).toBe(2));`,
  'tests/oidc/lacking.test.ts': `${runsMore}
    import { skipIfLacking } from ${machine};
    test('needs a browser', (context) => skipIfLacking(context, 'There is no browser.'));
    test('passes', ({ expect }) => expect(1).toBe(1));`,
  'tests/oidc/reasonless.test.ts': `${runsMore}
    test('is not finished', { skip: true }, () => undefined);
    test('has an empty reason', ({ skip }) => skip(''));
    test('passes', ({ expect }) => expect(1).toBe(1));`,
  'tests/oidc/elsewhere.test.ts': `${runsMore}
    test.for(['Finder', 'Dock'])('starts the %s', (_, { skip }) => skip(true, 'Only on a Mac.'));`,
  'tests/relay/lacking-assertions.test.ts': `${runsMore}
    test('passes whatever happens', () => undefined);`,
};

const noReason = 'No reason is given, which is a failure with CI set. Call `skip` with a reason.';

test('a long run leaves out what `npm test` runs in full, and with CI it fails if a test lacks something, asserts nothing, or is skipped without a reason', () => {
  const folder = realpathSync(makeFolder(files));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const own = Object.entries(process.env).filter(([key]) => !/^(VITEST|LATCHKEY_|TEST$|NODE_ENV$)/.test(key));
  const settings = { CI: 'true', GITHUB_ACTIONS: '', LATCHKEY_SEED: '7', NO_COLOR: '1', FORCE_COLOR: '' };
  const config = ['--root', folder, '--config', join(root, 'vitest.config.ts'), '--mode', 'long'];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...config, '--project', 'unit'],
    { cwd: folder, env: { ...Object.fromEntries(own), ...settings }, encoding: 'utf8' },
  );
  const output = stdout + stderr;
  expect(status, `The output:\n${output}`).toBe(1);
  expect(output).toContain(' Seed 7. LATCHKEY_SEED=7 repeats it.');
  expect(output).toContain(' These tests are those that `npm test` leaves out, or tries less of.');
  expect(output).toContain('This machine cannot run the test, and CI is set. There is no browser.');
  expect(output).toContain(
    [
      ' Tests not run: 4',
      '   2 in tests/oidc/elsewhere.test.ts: Only on a Mac.',
      `   2 in tests/oidc/reasonless.test.ts: ${noReason}`,
    ].join('\n'),
  );
  expect([...output.matchAll(/ FAIL .*?(tests.*)/g)].map(([, place]) => place).toSorted()).toEqual([
    'tests/oidc/lacking.test.ts > needs a browser',
    'tests/oidc/reasonless.test.ts > has an empty reason',
    'tests/oidc/reasonless.test.ts > is not finished',
    'tests/relay/lacking-assertions.test.ts > passes whatever happens',
  ]);
});

test('however many files have tests that do not run, ten lines are enough, and a test of two projects counts once', () => {
  const log: string[] = [];
  const notes = new RunNotes({ seed: 7, isLong: false });
  notes.onInit({ config: {}, logger: { log: (text: string) => log.push(text) } } as unknown as Vitest);
  const modules = ['unit', 'like-firefox'].flatMap((name) =>
    Array.from('abcdefghijkl', (file) => {
      const skipped = { project: { name }, module: { relativeModuleId: file }, fullName: 'is not finished' };
      return { children: { allTests: () => [{ ...skipped, result: () => ({ state: 'skipped' }) }] } };
    }),
  );
  notes.onTestRunEnd(modules as unknown as TestModule[]);
  expect(log.at(-1)?.trimEnd().split('\n')).toEqual([
    ' Tests not run: 12',
    ...Array.from('abcdefgh', (file) => `   1 in ${file}: \`npm run test:long\` runs them.`),
    '   And 4 in other files.',
  ]);
});
