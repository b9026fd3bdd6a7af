// The items that a starting worker needs come with one call of the browser.

import { expect, test, vi } from 'vitest';
import { readTogether } from '../../src/background/storage.ts';
import { ProblemError } from '../../src/session/problem.ts';
import { FakeStorageArea } from '../support/fake-browser.ts';

function setUp() {
  const area = new FakeStorageArea();
  const reads = vi.spyOn(area, 'get');
  const together = readTogether(area, ['one', 'other', 'missing']);
  return { area, reads, together };
}

test('the first read of an item reads all of them, and each of them once', async () => {
  const { area, reads, together } = setUp();
  await area.set({ one: 1, other: 2, third: 3 });
  const all = await Promise.all([together.get('one'), together.get('other'), together.get('missing')]);
  expect(all).toEqual(Array.from(all, () => ({ one: 1, other: 2 })));
  expect(reads).toHaveBeenCalledOnce();

  expect(await together.get('third')).toEqual({ third: 3 });
  expect(await together.get('one')).toEqual({ one: 1 });
  expect(reads).toHaveBeenCalledTimes(3);
});

test('an item that was written or removed since is read again', async () => {
  const { area, reads, together } = setUp();
  await area.set({ one: 1, other: 2, missing: 3 });
  const first = together.get('missing');
  await together.set({ one: 'new' });
  await together.remove('other');
  expect(await first).toMatchObject({ missing: 3 });
  expect(reads).toHaveBeenCalledOnce();
  expect(await Promise.all([together.get('one'), together.get('other')])).toEqual([{ one: 'new' }, {}]);
});

test('a read that fails is reported to those who wait for it, and the next one asks the storage again', async () => {
  const { area, reads, together } = setUp();
  await area.set({ one: 1, other: 2 });
  const failure = new Error('The storage fails.');
  reads.mockRejectedValueOnce(failure);
  const missing = together.get('missing');
  await expect(together.get('one')).rejects.toMatchObject({ code: 'storage-failed', cause: failure });
  await expect(missing).rejects.toBeInstanceOf(ProblemError);
  expect(await together.get('other')).toEqual({ other: 2 });
  expect(await together.get('one')).toEqual({ one: 1 });
});
