import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Line } from '../../../src/bridge/line/line.ts';
import type { Board } from '../../../src/bridge/session/board.ts';
import { observeSession } from '../../../src/bridge/session/observer.ts';
import { watchBoard } from '../../../src/bridge/session/page-board.ts';
import type { Command, Reply } from '../../../src/session/commands.ts';
import type { View } from '../../../src/session/view.ts';
import { deferred } from '../../support/deferred.ts';
import { FakeStorageArea } from '../../support/fake-browser.ts';
import { signedOut, signingIn, toBoard } from '../../support/fake-observer.ts';

// The polyfill refuses to load outside a browser.
vi.mock('../../../src/bridge/browser.ts', () => ({
  browser: {
    runtime: {
      getManifest: () => ({ name: 'Latchkey', version: '1' }),
      getPlatformInfo: async () => ({ os: 'linux', arch: 'x86-64' }),
      getBrowserInfo: async () => ({ name: 'Firefox', version: '153' }),
    },
    i18n: { getUILanguage: () => 'en' },
  },
}));

const board = toBoard(signedOut);
const other: Board = { ...board, managed: true };
const ready = (shown: Board) => ({ status: 'ready', board: shown });

/** The observer of a page on an area with `stored`. The worker accepts every command, after `work`. */
function observe(stored?: unknown, work: (area: FakeStorageArea) => unknown = () => undefined) {
  const area = new FakeStorageArea();
  if (stored !== undefined) area.items.set('board', stored);
  const commands: Command[] = [];
  const line: Line = (_to, command, _transfer, { onMessage }) => {
    commands.push(command as Command);
    const accepted: Reply = { ok: true };
    void Promise.resolve(work(area)).then(() => onMessage(accepted));
    return () => undefined;
  };
  const painted = deferred<null>();
  const observer = observeSession({
    board: watchBoard(area),
    afterPaint: (run) => void painted.promise.then(run),
    line,
  });
  /** Paints the page, and waits until that has had its effects. */
  const paint = async () => {
    painted.resolve(null);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { area, commands, observer, paint };
}

async function isReady({ observer }: ReturnType<typeof observe>): Promise<void> {
  await expect.poll(() => observer.getSnapshot().status).toBe('ready');
}

test('a page has read the board that a command has led to by the time of its reply', async () => {
  const { observer } = observe(board, ({ items }) => items.set('board', other));
  expect(await observer.send({ type: 'cancel' })).toEqual({ ok: true });
  expect(observer.getSnapshot()).toEqual(ready(other));
});

test('a page gets the reply even if the board is never read', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { area, observer } = observe();
  vi.spyOn(area, 'get').mockReturnValue(new Promise(() => undefined));
  const reply = observer.send({ type: 'cancel' });
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await reply).toEqual({ ok: true });
});

describe('while something is under way', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
  const ending: View = { ...signedOut, providerSession: { providerId: 'demo', status: 'ending' } };

  test.each([
    ['a sign-in in the window', { ...board, session: signingIn }],
    ['a sign-in with a code', { ...board, session: { ...signingIn, device: null } }],
    ['the end of the session at the provider', { ...board, session: ending }],
    ['the start of the worker, which writes the first board', undefined],
  ])('a page wakes the worker, which may be dead, but lets an idle one die: %s', async (_what, stored) => {
    const page = observe(stored);
    await page.paint();
    // A browser stops an idle worker after 30 s.
    vi.advanceTimersByTime(40_000);
    expect(page.commands).toEqual([{ type: 'open' }, { type: 'prepare' }]);
    await page.area.set({ board });
    await expect.poll(page.observer.getSnapshot).toEqual(ready(board));
    expect(vi.getTimerCount()).toBe(0);
  });
});

test('a report is about the board that is shown, and made without one too', async () => {
  vi.stubGlobal('navigator', {});
  const page = observe();
  expect(await page.observer.report()).toContain('board: cannot be read');
  await page.area.set({ board });
  await isReady(page);
  expect(await page.observer.report()).toContain('providers: 1, as built');
});

describe('a page tells the worker that it is open', () => {
  const open: Command = { type: 'open' };
  const signIn: Command = { type: 'sign-in', providerId: 'demo' };

  test('once it has been painted with the board, and once', async () => {
    const page = observe(board);
    await isReady(page);
    expect(page.commands).toEqual([]);
    await page.paint();
    expect(page.commands).toEqual([open]);
  });

  test.each<[string, Command[], Command[]]>([
    ['before another command, also if that comes before the paint', [signIn], [open, signIn]],
    ['once, if the user or the page asks for it first', [open], [open]],
  ])('%s', async (_how, sent, commands) => {
    const page = observe(board);
    for (const command of sent) await page.observer.send(command);
    await page.paint();
    expect(page.commands).toEqual(commands);
  });

  test.each([
    ['no board', undefined],
    ['a broken board', { ...board, providers: 'all' }],
    ['a board of another version', { ...board, version: 2 }],
  ])('at once if there is %s, and shows the one that the worker writes', async (_what, stored) => {
    const page = observe(stored, ({ items }) => items.set('board', board));
    await isReady(page);
    expect(page.commands).toEqual([open]);
    expect(page.observer.getSnapshot()).toEqual(ready(board));
  });
});
