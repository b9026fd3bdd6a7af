import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  createBoardStore,
  parseBoard,
  type Board,
  type BoardStore,
} from '../../../src/bridge/session/board.ts';
import { firstBoard } from '../../support/first-board.ts';
import { startFirstRead } from '../../../src/bridge/session/first-read.ts';
import { createSessionObserver } from '../../../src/bridge/session/observer.ts';
import type { Command, Reply } from '../../../src/session/commands.ts';
import { problem } from '../../../src/session/problem.ts';
import { signedOut, type Session } from '../../../src/session/session.ts';
import { FakeStorageArea } from '../../support/fake-browser.ts';
import { deferred } from '../../support/deferred.ts';

vi.mock('../../../src/bridge/browser.ts', () => ({ browser: {} })); // -- the polyfill refuses to load outside a browser

const board = firstBoard([{ id: 'demo', name: 'Demo provider', endsSession: false }]);
const other: Board = { ...board, managed: true };
const accept = () => Promise.resolve({ ok: true } as const);
const allow = () => Promise.resolve(true);
const report = (shown: Board | null) => Promise.resolve(JSON.stringify(shown));

/** The observer of a page, and the boards that it reads. `change` replaces a part of these. */
function observe(change: Partial<BoardStore> = {}, send: (command: Command) => Promise<Reply> = accept) {
  const boards = createBoardStore(new FakeStorageArea());
  return { boards, observer: createSessionObserver({ ...boards, ...change }, send, allow, report) };
}

const ready = (shown: Board) => ({ status: 'ready', board: shown });

/** Reads these boards, one after the other. */
const reading = (...found: (Board | null)[]) => ({ read: () => Promise.resolve(found.shift() ?? null) });

describe('createSessionObserver', () => {
  test('is starting until it has read the board, and then shows it', async () => {
    const { observer } = observe(reading(board));
    expect(observer.getSnapshot()).toEqual({ status: 'starting' });
    await new Promise<void>((resolve) => observer.subscribe(resolve));
    expect(observer.getSnapshot()).toEqual(ready(board));
  });

  test('returns the same snapshot until the board changes, and stops calling an unsubscribed listener', async () => {
    const { boards, observer } = observe();
    await boards.write(board);
    expect(observer.getSnapshot()).toBe(observer.getSnapshot());
    const listener = vi.fn();
    observer.subscribe(listener)();
    await boards.write(other);
    expect(listener).not.toHaveBeenCalled();
  });

  test('reads the board again after the worker’s reply, because a change may come before the browser reports any', async () => {
    const reply = deferred<Reply>();
    const { observer } = observe(reading(board, other), () => reply.promise);
    await expect.poll(() => observer.getSnapshot()).toEqual(ready(board));
    reply.resolve({ ok: true });
    await expect.poll(() => observer.getSnapshot()).toEqual(ready(other));
  });

  test('shows a board that is written while it is read again, and keeps one that is still the same', async () => {
    const boards = createBoardStore(new FakeStorageArea());
    await boards.write(board);
    const late = deferred<Board | null>();
    const read = vi.fn(boards.read).mockImplementationOnce(boards.read).mockReturnValueOnce(late.promise);
    const { observer } = observe({ ...boards, read });
    await expect.poll(() => read).toHaveBeenCalledTimes(2);
    await boards.write(other);
    await expect.poll(() => observer.getSnapshot()).toEqual(ready(other));
    late.resolve(board);
    await late.promise;
    const shown = observer.getSnapshot();
    expect(shown).toEqual(ready(other));

    await observer.send({ type: 'open' });
    expect(observer.getSnapshot()).toBe(shown);
  });

  test('never shows an older board than it has read, however late the browser tells of that one', async () => {
    let tell: (late: Board) => void = () => undefined;
    const watch = (listener: typeof tell) => void (tell = listener);
    const { observer } = observe({ read: () => Promise.resolve(other), watch });
    await observer.send({ type: 'prepare' });
    const listener = vi.fn();
    observer.subscribe(listener);
    tell(board);
    await observer.send({ type: 'prepare' });
    expect(observer.getSnapshot()).toEqual(ready(other));
    expect(listener).not.toHaveBeenCalled();
  });

  test.each([
    ['cannot be read', () => Promise.reject(new Error('busy'))],
    ['is not there', () => Promise.resolve(null)],
  ])('shows the board that the browser tells of if it %s', async (_what, read) => {
    const { boards, observer } = observe({ read });
    await boards.write(board);
    await expect.poll(() => observer.getSnapshot()).toEqual(ready(board));
  });

  test('has read the board that a command has brought by the time of its reply', async () => {
    const read = vi.fn().mockResolvedValueOnce(board).mockResolvedValueOnce(board).mockResolvedValue(other);
    const { observer } = observe({ read });
    await expect.poll(() => read).toHaveBeenCalledTimes(2);
    await observer.send({ type: 'cancel' });
    expect(observer.getSnapshot()).toEqual(ready(other));
  });

  test('reports the error of a listener to the page, and serves the others and the sender', async () => {
    const reported = vi.fn();
    vi.stubGlobal('reportError', reported);
    onTestFinished(() => void vi.unstubAllGlobals());
    const { observer } = observe(reading(board, board, other));
    await expect.poll(() => observer.getSnapshot()).toEqual(ready(board));
    const fault = new Error('of a listener');
    observer.subscribe(() => {
      throw fault;
    });
    const listener = vi.fn();
    observer.subscribe(listener);
    expect(await observer.send({ type: 'cancel' })).toEqual({ ok: true });
    expect(observer.getSnapshot()).toEqual(ready(other));
    expect(listener).toHaveBeenCalledOnce();
    expect(reported.mock.calls).toEqual([[fault]]);
  });

  test('hands over a reply even if the board is never read', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const reply = observe({ read: () => new Promise(() => undefined) }).observer.send({ type: 'cancel' });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await reply).toEqual({ ok: true });
  });

  describe('while something is under way', () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
    afterEach(() => void vi.useRealTimers());

    const signingIn: Session = {
      status: 'signing-in',
      providerId: 'demo',
      request: { type: 'sign-in', providerId: 'demo' },
      attempt: 'attempt-1',
      startedAtMs: 1_000,
      before: signedOut,
    };
    const ending: Session = { ...signedOut, providerSession: { providerId: 'demo', status: 'ending' } };

    test.each([
      ['a sign-in in the window', signingIn],
      ['a sign-in with a code', { ...signingIn, device: null }],
      ['the end of the session at the provider', ending],
    ])('wakes the worker, which may be dead, but lets an idle one die: %s', async (_what, session) => {
      const send = vi.fn(accept);
      const { boards, observer } = observe({}, send);
      await boards.write({ ...board, session });
      await expect.poll(() => observer.getSnapshot().status).toBe('ready');
      // A browser stops an idle worker after 30 s.
      vi.advanceTimersByTime(30_000);
      expect(send.mock.calls.flat()).toEqual([{ type: 'open' }]);
      vi.advanceTimersByTime(50_000);
      expect(send.mock.calls.flat()).toEqual([{ type: 'open' }, { type: 'prepare' }, { type: 'prepare' }]);

      await boards.write(board);
      await expect.poll(() => observer.getSnapshot()).toEqual(ready(board));
      expect(vi.getTimerCount()).toBe(0);
    });

    test('wakes the worker until there is a board, because it may have died before it wrote one', async () => {
      const send = vi.fn(() =>
        Promise.resolve({ ok: false, problem: problem('worker-unreachable') } as const),
      );
      const { boards, observer } = observe({}, send);
      vi.advanceTimersByTime(40_000);
      expect(send.mock.calls).toEqual([[{ type: 'open' }], [{ type: 'prepare' }]]);
      await boards.write(board);
      await expect.poll(() => observer.getSnapshot().status).toBe('ready');
      expect(vi.getTimerCount()).toBe(0);
    });
  });

  test('makes a report of the board that is shown, and one without a board', async () => {
    const { boards, observer } = observe();
    expect(await observer.report()).toBe('null');
    await boards.write(board);
    await expect.poll(() => observer.report()).toBe(JSON.stringify(board));
  });
});

describe('createSessionObserver with a read that began before it', () => {
  /** An observer on `area` that sends to `commands`, and what runs once the page has been painted. */
  function startPage(area: FakeStorageArea, firstRead = startFirstRead(area)) {
    const commands: Command[] = [];
    const painted = deferred<null>();
    const send = (command: Command) => {
      commands.push(command);
      return accept();
    };
    const afterPaint = (run: () => void) => void painted.promise.then(run);
    const observer = createSessionObserver(createBoardStore(area), send, allow, report, {
      firstRead,
      afterPaint,
    });
    const paint = async () => {
      painted.resolve(null);
      await painted.promise;
    };
    return { observer, commands, paint };
  }

  async function areaWith(stored: unknown): Promise<FakeStorageArea> {
    const area = new FakeStorageArea();
    if (stored !== undefined) await area.set({ board: stored });
    return area;
  }

  /** The same, when the read has found this. */
  async function startAfterRead(stored: unknown) {
    const area = await areaWith(stored);
    const firstRead = startFirstRead(area);
    await firstRead.done;
    return { area, ...startPage(area, firstRead) };
  }

  test('shows at once the board that has been read', async () => {
    const { observer } = await startAfterRead(board);
    expect(observer.getSnapshot()).toEqual(ready(board));
  });

  test('shows the board of a read that is still running once it is there', async () => {
    const { observer } = startPage(await areaWith(board));
    expect(observer.getSnapshot()).toEqual({ status: 'starting' });
    await new Promise<void>((resolve) => observer.subscribe(resolve));
    expect(observer.getSnapshot()).toEqual(ready(board));
  });

  test('shows a board that was written between the read and its own start, and after it', async () => {
    const area = await areaWith(board);
    const firstRead = startFirstRead(area);
    await firstRead.done;
    await createBoardStore(area).write(other);
    await expect.poll(() => firstRead.newest()).toMatchObject({ value: other });
    const { observer } = startPage(area, firstRead);
    expect(observer.getSnapshot()).toEqual(ready(other));
    await createBoardStore(area).write(board);
    await expect.poll(() => observer.getSnapshot()).toEqual(ready(board));
  });

  test('sends the command open only after the page has been painted, and once', async () => {
    const { commands, paint } = await startAfterRead(board);
    await Promise.resolve();
    expect(commands).toEqual([]);
    await paint();
    expect(commands).toEqual([{ type: 'open' }]);
  });

  test('sends the command open before another command, also if that comes before the paint', async () => {
    const { observer, commands, paint } = await startAfterRead(board);
    await observer.send({ type: 'sign-in', providerId: 'demo' });
    await paint();
    expect(commands).toEqual([{ type: 'open' }, { type: 'sign-in', providerId: 'demo' }]);
  });

  test.each([
    ['no board', undefined],
    ['a broken board', { ...board, providers: 'all' }],
    ['a board of another version', { ...board, version: 2 }],
  ])('sends the command open at once if there is %s', async (_what, stored) => {
    const { area, observer, commands } = await startAfterRead(stored);
    expect(commands).toEqual([{ type: 'open' }]);
    expect(observer.getSnapshot()).toEqual({ status: 'starting' });
    await createBoardStore(area).write(board);
    await expect.poll(() => observer.getSnapshot()).toEqual(ready(board));
  });

  test('sends the command open at once if the read fails, and reads again after the reply', async () => {
    const area = await areaWith(board);
    const firstRead = { newest: () => ({ status: 'failed' }) as const, done: Promise.resolve() };
    const { observer, commands } = startPage(area, firstRead);
    expect(commands).toEqual([{ type: 'open' }]);
    await new Promise<void>((resolve) => observer.subscribe(resolve));
    expect(observer.getSnapshot()).toEqual(ready(board));
  });

  test('sends the command open once if the person or the page asks for it first', async () => {
    const area = await areaWith(board);
    const firstRead = startFirstRead(area);
    const { observer, commands, paint } = startPage(area, firstRead);
    await observer.send({ type: 'open' });
    await firstRead.done;
    await paint();
    expect(commands).toEqual([{ type: 'open' }]);
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
