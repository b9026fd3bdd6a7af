import { describe, expect, test, vi } from 'vitest';
import {
  createBoardStore,
  firstBoard,
  parseBoard,
  type Board,
  type BoardStore,
} from '../../../src/bridge/session/board.ts';
import { createSessionObserver } from '../../../src/bridge/session/observer.ts';
import { FakeStorageArea } from '../../support/fake-browser.ts';
import { deferred } from '../../support/deferred.ts';

vi.mock('../../../src/bridge/browser.ts', () => ({ browser: {} })); // -- the polyfill refuses to load outside a browser

const board = firstBoard([{ id: 'demo', name: 'Demo provider', endsSession: false }]);
const other: Board = { ...board, managed: true };
const accept = () => Promise.resolve({ ok: true } as const);
const allow = () => Promise.resolve(true);
const report = (shown: Board | null) => Promise.resolve(JSON.stringify(shown));

describe('createSessionObserver', () => {
  test('is starting until it has read the board, and then shows it', async () => {
    const area = new FakeStorageArea();
    await createBoardStore(area).write(board);
    const observer = createSessionObserver(createBoardStore(area), accept, allow, report);
    expect(observer.getSnapshot()).toEqual({ status: 'starting' });
    await new Promise<void>((resolve) => observer.subscribe(resolve));
    expect(observer.getSnapshot()).toEqual({ status: 'ready', board });
  });

  test('stays starting without a board until the worker writes one', async () => {
    const area = new FakeStorageArea();
    const observer = createSessionObserver(createBoardStore(area), accept, allow, report);
    const changed = new Promise<void>((resolve) => observer.subscribe(resolve));
    await createBoardStore(area).write(board);
    await changed;
    expect(observer.getSnapshot()).toEqual({ status: 'ready', board });
  });

  test('shows a board that is written while an older one is being read', async () => {
    const area = new FakeStorageArea();
    const late = deferred<Board | null>();
    const observer = createSessionObserver(
      { ...createBoardStore(area), read: () => late.promise },
      accept,
      allow,
      report,
    );
    await createBoardStore(area).write(other);
    late.resolve(board);
    await late.promise;
    expect(observer.getSnapshot()).toEqual({ status: 'ready', board: other });
  });

  test('sends the command open once', () => {
    const send = vi.fn(accept);
    createSessionObserver(createBoardStore(new FakeStorageArea()), send, allow, report);
    expect(send.mock.calls).toEqual([[{ type: 'open' }]]);
  });

  test('returns the same snapshot until the board changes, and stops calling an unsubscribed listener', async () => {
    const area = new FakeStorageArea();
    const observer = createSessionObserver(createBoardStore(area), accept, allow, report);
    await createBoardStore(area).write(board);
    expect(observer.getSnapshot()).toBe(observer.getSnapshot());
    const listener = vi.fn();
    observer.subscribe(listener)();
    await createBoardStore(area).write(other);
    expect(listener).not.toHaveBeenCalled();
  });

  test('reads the board again after the worker’s reply if its change was missed', async () => {
    const found = [null, board];
    const boards: BoardStore = {
      read: () => Promise.resolve(found.shift() ?? null),
      write: () => Promise.resolve(),
      watch: () => () => undefined,
    };
    const observer = createSessionObserver(boards, accept, allow, report);
    await new Promise<void>((resolve) => observer.subscribe(resolve));
    expect(observer.getSnapshot()).toEqual({ status: 'ready', board });
  });

  test('reads the board again after the worker’s reply if the first read failed', async () => {
    const boards = createBoardStore(new FakeStorageArea());
    const reads = [() => Promise.reject(new Error('busy')), () => Promise.resolve(board)];
    const read = () => reads.shift()?.() ?? Promise.resolve(null);
    const observer = createSessionObserver({ ...boards, read }, accept, allow, report);
    await new Promise<void>((resolve) => observer.subscribe(resolve));
    expect(observer.getSnapshot()).toEqual({ status: 'ready', board });
  });

  test('makes a report of the board that is shown, and one without a board', async () => {
    const area = new FakeStorageArea();
    const observer = createSessionObserver(createBoardStore(area), accept, allow, report);
    expect(await observer.report()).toBe('null');
    await createBoardStore(area).write(board);
    expect(await observer.report()).toBe(JSON.stringify(board));
  });
});

test.each([
  [undefined],
  [null],
  ['board'],
  [{}],
  [{ ...board, version: 2 }],
  [{ ...board, session: { status: 'admin' } }],
  [{ ...board, session: { ...board.session, problem: { code: 'made-up', detail: null } } }],
  [{ ...board, providers: 'all' }],
])('parseBoard rejects %j', (stored) => {
  expect(parseBoard(stored)).toBeNull();
});
