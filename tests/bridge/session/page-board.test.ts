import { expect, test, vi } from 'vitest';
import { findBoardArea } from '../../../src/bridge/session/board-area.ts';
import type { Board } from '../../../src/bridge/session/board.ts';
import { watchBoard } from '../../../src/bridge/session/page-board.ts';
import { deferred } from '../../support/deferred.ts';
import { FakeStorageArea } from '../../support/fake-browser.ts';
import { signedOut, toBoard } from '../../support/fake-observer.ts';

vi.mock('../../../src/bridge/browser.ts', () => ({ browser: {} })); // -- the polyfill refuses to load outside a browser

const board = toBoard(signedOut);
const other: Board = { ...board, managed: true };
const ready = (shown: Board) => ({ status: 'ready', board: shown });

/** An area with this board. */
function areaWith(stored: unknown): FakeStorageArea {
  const area = new FakeStorageArea();
  area.items.set('board', stored);
  return area;
}

test('a page is starting until it has read the board, and then has the same view of it until it changes', async () => {
  const { getSnapshot, firstRead, read } = watchBoard(areaWith(board));
  expect(getSnapshot()).toEqual({ status: 'starting' });
  await firstRead;
  const view = getSnapshot();
  expect(view).toEqual(ready(board));
  await read();
  expect(getSnapshot()).toBe(view);
});

test('a page calls its listeners after each change of the board, until they unsubscribe', async () => {
  const area = areaWith(board);
  const { getSnapshot, firstRead, subscribe } = watchBoard(area);
  await firstRead;
  const [listener, former] = [vi.fn(), vi.fn()];
  subscribe(listener);
  subscribe(former)();
  const get = vi.spyOn(area, 'get');
  await area.set({ journal: [] });
  await area.set({ board: other });
  await expect.poll(getSnapshot).toEqual(ready(other));
  expect([get, listener, former].map(({ mock }) => mock.calls.length)).toEqual([1, 1, 0]);
});

test('a page shows the board of its newest read, whichever ends first', async () => {
  const area = areaWith(board);
  const slow = deferred<Record<string, unknown>>();
  vi.spyOn(area, 'get').mockReturnValueOnce(slow.promise);
  const { getSnapshot, firstRead } = watchBoard(area);
  await area.set({ board: other });
  await expect.poll(getSnapshot).toEqual(ready(other));
  slow.resolve({ board });
  await firstRead;
  expect(getSnapshot()).toEqual(ready(other));
});

test('a page never shows an older board than it has read, however late the browser tells of that one', async () => {
  const area = areaWith(other);
  const { getSnapshot, firstRead, read, subscribe } = watchBoard(area);
  await firstRead;
  const listener = vi.fn();
  subscribe(listener);
  for (const tell of area.listeners) tell({ board: { newValue: board } });
  await read();
  expect(getSnapshot()).toEqual(ready(other));
  expect(listener).not.toHaveBeenCalled();
});

test.each([
  ['cannot be read', () => Promise.reject(new Error('busy'))],
  ['is not there', () => Promise.resolve({})],
])('a page shows the board that the browser tells of if it %s', async (_what, get) => {
  const area = new FakeStorageArea();
  vi.spyOn(area, 'get').mockImplementation(get);
  const { getSnapshot, firstRead } = watchBoard(area);
  await firstRead;
  expect(getSnapshot()).toEqual({ status: 'starting' });
  await area.set({ board });
  await expect.poll(getSnapshot).toEqual(ready(board));
});

test('a page reads the area of the configuration, or the other one if a policy has moved the board there', async () => {
  const [local, session] = [new FakeStorageArea('local'), new FakeStorageArea('session')];
  await session.set({ board });
  const { getSnapshot, firstRead } = watchBoard(findBoardArea({ local, session }));
  await firstRead;
  expect(getSnapshot()).toEqual(ready(board));
  await session.set({ board: other });
  await expect.poll(getSnapshot).toEqual(ready(other));
  await local.set({ board });
  await expect.poll(getSnapshot).toEqual(ready(board));
  await local.remove('board');
  await expect.poll(getSnapshot).toEqual(ready(other));
});

test('the error of a listener is reported to the page, and the others are still called', async () => {
  const reported = vi.fn();
  vi.stubGlobal('reportError', reported);
  const { firstRead, subscribe } = watchBoard(areaWith(board));
  const fault = new Error('of a listener');
  subscribe(() => {
    throw fault;
  });
  const listener = vi.fn();
  subscribe(listener);
  await firstRead;
  expect(listener).toHaveBeenCalledOnce();
  expect(reported.mock.calls).toEqual([[fault]]);
});
