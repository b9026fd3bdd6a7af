import { describe, expect, test } from 'vitest';
import { createBoardStore, type Board } from '../../../src/bridge/session/board.ts';
import { firstBoard } from '../../support/first-board.ts';
import { eitherArea } from '../../../src/bridge/session/either-area.ts';
import { startFirstRead } from '../../../src/bridge/session/first-read.ts';
import { deferred } from '../../support/deferred.ts';
import { FakeStorageArea } from '../../support/fake-browser.ts';

const board = firstBoard([{ id: 'demo', name: 'Demo provider', endsSession: false }]);
const other: Board = { ...board, managed: true };

/** An area whose read is in the hands of the test. */
class SlowArea extends FakeStorageArea {
  readonly answer = deferred<Record<string, unknown>>();
  override get(): Promise<Record<string, unknown>> {
    return this.answer.promise;
  }
}

describe('startFirstRead', () => {
  test('reads the stored board without validating it', async () => {
    const area = new FakeStorageArea();
    await area.set({ board: 'anything', more: 1 });
    const read = startFirstRead(area);
    expect(read.newest()).toEqual({ status: 'reading' });
    await read.done;
    expect(read.newest()).toEqual({ status: 'read', value: 'anything' });
  });

  test('tells that nothing is stored, and that the storage fails', async () => {
    const empty = startFirstRead(new FakeStorageArea());
    await empty.done;
    expect(empty.newest()).toEqual({ status: 'read', value: undefined });

    const area = new SlowArea();
    const failing = startFirstRead(area);
    area.answer.reject(new Error('busy'));
    await failing.done;
    expect(failing.newest()).toEqual({ status: 'failed' });
  });

  test('knows a board that is written during the read, or after it', async () => {
    const area = new SlowArea();
    const read = startFirstRead(area);
    await createBoardStore(area).write(other);
    await expect.poll(() => read.newest()).toEqual({ status: 'read', value: other });
    area.answer.resolve({ board });
    await read.done;
    expect(read.newest()).toEqual({ status: 'read', value: other });
    await createBoardStore(area).write(board);
    await expect.poll(() => read.newest()).toEqual({ status: 'read', value: board });
  });

  test('keeps the board that it is told of before the old one is removed from the other area', async () => {
    const [local, session] = [new FakeStorageArea('local'), new FakeStorageArea('session')];
    await local.set({ board });
    const read = startFirstRead(eitherArea(local, session));
    await read.done;
    await session.set({ board: other });
    await expect.poll(() => read.newest()).toEqual({ status: 'read', value: other });
    await local.remove('board');
    await new Promise((resolve) => setImmediate(resolve));
    expect(read.newest()).toEqual({ status: 'read', value: other });
  });

  test('ignores what else is written to the area', async () => {
    const area = new FakeStorageArea();
    await createBoardStore(area).write(board);
    const read = startFirstRead(area);
    await area.set({ journal: [] });
    await read.done;
    expect(read.newest()).toEqual({ status: 'read', value: board });
  });
});
