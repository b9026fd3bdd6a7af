// A database that cannot be opened.

import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { toProblem } from '../../../src/session/problem.ts';
import { createDatabase, withDeadline } from '../../../src/background/record/database.ts';
import { deadlineMs } from '../../../src/concurrency.ts';

const isDone = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error as Error));
  });

function fail(name: string): never {
  throw new DOMException('cannot be opened', name);
}

let real: IDBFactory;
let begunAnew: number;

/** A database whose first `times` openings fail with `error`. */
function failing(error: string, times: number, deletes: 'works' | 'fails' = 'works') {
  let left = times;
  globalThis.indexedDB = {
    open: (name: string, version?: number) => {
      left -= 1;
      return left >= 0 ? fail(error) : real.open(name, version);
    },
    deleteDatabase: (name: string) => (deletes === 'works' ? real.deleteDatabase(name) : fail(error)),
  } as unknown as IDBFactory;
  return createDatabase(() => void (begunAnew += 1));
}

beforeEach(async () => {
  real = new IDBFactory();
  begunAnew = 0;
  globalThis.indexedDB = real;
  const withDatabase = createDatabase();
  await withDatabase((database) => database.put('providers', 'kept', 'name'));
  await withDatabase((database) => Promise.resolve(database.close()));
});

const readName = (withDatabase: ReturnType<typeof createDatabase>) =>
  withDatabase((database) => database.get('providers', 'name'));

describe('a database that cannot be opened', () => {
  test.each(['UnknownError', 'VersionError', 'AbortError'])(
    'with %s is opened at the second try, and after that is begun anew and says so, once',
    async (error) => {
      expect(await readName(failing(error, 1))).toBe('kept');
      expect(begunAnew).toBe(0);
      const withDatabase = failing(error, 2);
      expect(await readName(withDatabase)).toBeUndefined();
      await withDatabase((database) => database.put('providers', 'new', 'name'));
      expect(await readName(withDatabase)).toBe('new');
      expect(begunAnew).toBe(1);
    },
  );

  test('because the disk is full is not deleted', async () => {
    const withDatabase = failing('QuotaExceededError', 2);
    await expect(readName(withDatabase)).rejects.toMatchObject({
      code: 'storage-failed',
      detail: 'QuotaExceededError',
    });
    expect(await readName(withDatabase)).toBe('kept');
    expect(begunAnew).toBe(0);
  });

  test('nor deleted is storage-failed, and the next use tries again', async () => {
    const withDatabase = failing('UnknownError', 2, 'fails');
    await expect(readName(withDatabase)).rejects.toMatchObject({
      code: 'storage-failed',
      detail: 'UnknownError',
    });
    expect(await readName(withDatabase)).toBe('kept');
    expect(begunAnew).toBe(0);
  });

  test('nor deleted because it is in use is storage-failed', async () => {
    const user = await isDone(real.open('latchkey'));
    await expect(readName(failing('UnknownError', 2))).rejects.toMatchObject({ code: 'storage-failed' });
    user.close();
    expect(begunAnew).toBe(0);
  });
});

test('a worker lets go of the database when another one deletes it', async () => {
  const idle = createDatabase();
  expect(await readName(idle)).toBe('kept');
  expect(await readName(failing('UnknownError', 2))).toBeUndefined();
  expect(await readName(idle)).toBeUndefined();
});

test('an error inside a transaction deletes nothing', async () => {
  const withDatabase = createDatabase(() => void (begunAnew += 1));
  const notAKey = { not: 'a key' } as unknown as string;
  for (const times of [1, 2]) {
    const result = withDatabase((database) => database.put('providers', times, notAKey));
    await expect(result).rejects.toMatchObject({ code: 'storage-failed', detail: 'DataError' });
  }
  expect(await readName(withDatabase)).toBe('kept');
  expect(begunAnew).toBe(0);
});

test('a use that takes too long counts as a failure of the storage', async () => {
  vi.useFakeTimers();
  const never = withDeadline(() => Promise.race<never>([]))(() => Promise.resolve()).catch(toProblem);
  await vi.advanceTimersByTimeAsync(deadlineMs);
  expect(await never).toMatchObject({ code: 'storage-failed' });
});
