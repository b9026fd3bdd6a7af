import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writeChanges } from '../../tools/changes.ts';

async function emptyFolder(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'latchkey-changes-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return root;
}

const changes = ['one', 'two', 'three'].map((file) => ({ file, content: file }));

test('writeChanges writes every file and returns their names', async () => {
  const root = await emptyFolder();
  expect(await writeChanges(root, changes)).toEqual(['one', 'two', 'three']);
  expect(await readFile(join(root, 'three'), 'utf8')).toBe('three');
});

test('writeChanges says which files it has written if it cannot write one', async () => {
  const root = await emptyFolder();
  await mkdir(join(root, 'two'));
  const writing = writeChanges(root, changes);
  await expect(writing).rejects.toThrow(/^Could not write two: EISDIR/);
  await expect(writing).rejects.toThrow('Changed already: one.\nNot changed: two, three.\n');
});
