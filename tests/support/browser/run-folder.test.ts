import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createRunFolder, removeRunFolder } from './run-folder.ts';

test('removeRunFolder waits until every worker of the run has ended, and then removes what they left', async () => {
  const folder = await createRunFolder();
  for (const name of ['worker-11', 'worker-12', 'build-13']) {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, 'left'), '');
  }
  const lives = new Map([
    [11, 1],
    [12, 2],
  ]);
  const asked: number[] = [];
  await removeRunFolder(folder, (id) => {
    asked.push(id);
    expect(existsSync(join(folder, 'worker-11', 'left'))).toBe(true);
    const left = lives.get(id) ?? 0;
    lives.set(id, left - 1);
    return left > 0;
  });
  expect([...lives.values()].every((left) => left < 0)).toBe(true);
  expect([...new Set(asked)]).toEqual([11, 12]);
  expect(existsSync(folder)).toBe(false);
});
