// A whole run of vitest, with the settings of this project and tests that do not run: its closing lines and its exit code.

import { execFile } from 'node:child_process';
import { realpathSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from './support/folder.ts';
import type { Extent } from './support/projects.ts';

const root = resolve(import.meta.dirname, '..');
const machine = JSON.stringify(join(root, 'tests/support/machine.ts'));

const files = {
  'tests/support/around-each-file.ts': '',
  'tests/oidc/lacking.test.ts': `
    import { test } from 'vitest';
    import { skipIfLacking } from ${machine};
    test('needs a browser', (context) => skipIfLacking(context, 'There is no browser.'));
    test('passes', ({ expect }) => expect(1).toBe(1));`,
  'tests/oidc/reasonless.test.ts': `
    import { describe, test } from 'vitest';
    test.skip('is not finished', () => undefined);
    describe.skip('A part', () => test('is not finished', () => undefined));
    test.todo('is to be written');
    test('has an empty reason', ({ skip }) => skip(''));
    test('passes', ({ expect }) => expect(1).toBe(1));`,
  'tests/bridge/lacking-assertions.test.ts': `
    import { test } from 'vitest';
    test('passes whatever happens', () => undefined);`,
  'tests/oidc/elsewhere.test.ts': `
    import { test } from 'vitest';
    test('starts the Finder', ({ skip }) => skip(true, 'Only on a Mac.'));
    test('passes', ({ expect }) => expect(1).toBe(1));`,
};

const folder = realpathSync(makeFolder(files));
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');

interface Run {
  readonly exitCode: number;
  readonly output: string;
  /** The lines after `Not run`, a group for each reason. */
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
      const [, closingLines] = /^ Not run\n([^]*?)\n\n/m.exec(output) ?? [];
      const notRun = closingLines?.split(/\n(?= {3}\S)/).toSorted() ?? [];
      resolveRun({ exitCode: child.exitCode ?? -1, output, notRun });
    });
  });
}

const noReason = 'No reason is given, which is a failure with CI set. Call `skip` with a reason.';
const reasonless = [
  '     tests/oidc/reasonless.test.ts > is not finished',
  '     tests/oidc/reasonless.test.ts > A part > is not finished',
  '     tests/oidc/reasonless.test.ts > is to be written',
  '     tests/oidc/reasonless.test.ts > has an empty reason',
];
const doesNotApply = '   Only on a Mac.\n     tests/oidc/elsewhere.test.ts > starts the Finder';

test.concurrent('without CI, what did not run is named with its reason, and fails nothing', async () => {
  const { exitCode, output, notRun } = await run('long', '', 'lacking', 'reasonless', 'elsewhere');
  expect(exitCode, `The output:\n${output}`).toBe(0);
  expect(output).toContain(' Seed 7. LATCHKEY_SEED=7 repeats it.');
  expect(notRun).toEqual([
    [`   ${noReason}`, ...reasonless].join('\n'),
    doesNotApply,
    '   There is no browser.\n     tests/oidc/lacking.test.ts > needs a browser',
  ]);
});

test.concurrent('with CI, a test that the machine lacks something for fails the run, and one that asserts nothing', async () => {
  const { exitCode, output, notRun } = await run('test', 'true', 'lacking', 'reasonless', 'elsewhere');
  expect(exitCode, `The output:\n${output}`).toBe(1);
  expect(output).toMatch(/ FAIL .*lacking-assertions\.test\.ts > passes whatever happens/);
  expect(output).toContain('This machine cannot run the test, and CI is set. There is no browser.');
  expect(output.match(/ FAIL /g)).toHaveLength(2);
  expect(notRun).toEqual([doesNotApply, ['   `npm run test:long` runs them.', ...reasonless].join('\n')]);
});

test.concurrent('with CI, a long run fails if it skips a test without a reason', async () => {
  const { exitCode, output, notRun } = await run('long', 'true', 'reasonless');
  expect(exitCode, `The output:\n${output}`).toBe(1);
  expect(notRun).toEqual([[`   ${noReason}`, ...reasonless].join('\n')]);
});
