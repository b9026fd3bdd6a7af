// The workflows for GitHub: they may read only, run fixed versions, and use commands that exist.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const folder = join(root, '.github/workflows');
/** A team on another service removes them. */
const isUsed = existsSync(folder);
const workflows = (isUsed ? readdirSync(folder) : []).map(
  (file) => [file, readFileSync(join(folder, file), 'utf8')] as const,
);
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found);

test('there is a workflow that tests, one that tests longer, and one that packs', ({ skip }) => {
  skip(!isUsed, 'This copy of the project has no workflows for GitHub.');
  const commands = Object.fromEntries(
    workflows.map(([file, text]) => [file, matches(text, /\bnpm (test|run [\w:]+)/g)]),
  );
  expect(commands).toMatchObject({
    'test.yml': expect.arrayContaining(['test', 'run test:chrome']),
    'weekly.yml': expect.arrayContaining(['run test:long']),
    'package.yml': expect.arrayContaining(['run package']),
  });
});

test.each(workflows)('%s uses each action by the hash of a commit, and names its version', (_file, text) => {
  const actions = matches(text, /\buses: *(.*)$/gm);
  expect(actions).not.toEqual([]);
  expect(actions.filter((action) => !/^[\w./-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
});

test.each(workflows)('%s may read the repository, and nothing else', (file, text) => {
  expect(text).toContain('\npermissions:\n  contents: read\n');
  const others = matches(
    file === 'package.yml' ? withoutAttest(text) : text,
    /^ +(permissions:|[\w-]+: write)/gm,
  );
  expect(others).toEqual([]);
  expect(text).not.toMatch(/\bsecrets\.|pull_request_target/);
  const checkouts = matches(text, /uses: (actions\/checkout)@/g);
  expect(matches(text, /(persist-credentials: false)/g)).toHaveLength(checkouts.length);
});

const attest = /^ {2}attest:\n(?: {4}.*\n)+/m;
const withoutAttest = (text: string) => text.replace(attest, '');

test('the job that signs what was packed runs no command, and may do nothing else', ({ skip }) => {
  skip(!isUsed, 'This copy of the project has no workflows for GitHub.');
  const job = readFileSync(join(folder, 'package.yml'), 'utf8').match(attest)?.[0] ?? '';
  expect(matches(job, /^ +([\w-]+): write$/gm)).toEqual(['id-token', 'attestations']);
  expect(matches(job, /\buses: ([\w/-]+)@/g)).toEqual(['actions/download-artifact', 'actions/attest']);
  expect(job).not.toMatch(/\brun:/);
});

test.each(workflows)('%s runs commands that package.json has', (_file, text) => {
  const commands = matches(text, /\bnpm run ([\w:]+)/g);
  expect(commands.filter((command) => scripts[command] === undefined)).toEqual([]);
});

test.each(workflows)('%s puts no value of an event into a script', (_file, text) => {
  expect(matches(text, /\brun: .*(\$\{\{.*\}\})/g)).toEqual([]);
});
