// The line between a page and the worker: who may be at either end, and what each learns of the other's end. What it carries is
// in the contract (tests/contract).

import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createLine, close, toWindow, type Transport, type Listener } from '../../../src/bridge/line/line.ts';
import { serveLines, type RequestEvent, type Serve } from '../../../src/bridge/line/serve-lines.ts';
import { createFakeLocks, refuseOnce } from '../../support/fake-locks.ts';
import { createFakeBrowser, ownOrigin, type Manner } from '../../support/fake-browser.ts';
import { settled } from '../../support/port-pair.ts';

/** A page and a worker that serves its lines, in a browser of this manner. */
function connect(manner: Manner, { locksOfWorker, locksOfPage }: Record<string, LockMode> = {}) {
  const { scope, addLine, addLockUser, stopWorker, wayToWorker, deliver } = createFakeBrowser({ manner });
  const user = addLockUser();
  const refusing = (locks: typeof user.locks, mode: LockMode | undefined) =>
    mode === undefined ? locks : { request: refuseOnce(locks, mode) };
  const page = { ...user, locks: refusing(user.locks, locksOfPage) };
  const navigator = { locks: refusing(scope.navigator.locks, locksOfWorker) };
  const inWorker: unknown[] = [];
  const posts: ((message: unknown) => void)[] = [];
  const serve: Serve = (content, post) => {
    inWorker.push(content);
    posts.push(post);
    return (message) => inWorker.push(message);
  };
  const start = () =>
    serveLines(Object.defineProperty(scope, 'navigator', { value: navigator }), ownOrigin, {
      command: serve,
      fetch: serve,
    });
  start();
  const line = addLine(page);
  const onPage: unknown[] = [];
  const listener: Listener = {
    onMessage: (message) => onPage.push(message),
    onLost: (loss) => onPage.push(`lost: ${loss}`),
  };
  return {
    inWorker,
    onPage,
    send: (content: unknown) => line('command', content, [], listener),
    post: (message: unknown) => posts.at(-1)?.(message),
    page: user,
    stopWorker,
    deliver,
    sent: wayToWorker.sent,
  };
}

describe.each<Manner>(['chromium', 'firefox'])('a line in %s', (manner) => {
  test('brings messages until the page says that it is over', async () => {
    const { inWorker, onPage, send, post } = connect(manner);
    const tell = send('a request');
    await settled();
    post('a reply');
    await settled();
    tell(close);
    tell('too late');
    await settled();
    post('too late');
    await settled();
    expect({ inWorker, onPage }).toEqual({ inWorker: ['a request', close], onPage: ['a reply'] });
  });

  test('sends nothing if it is over before the worker was found', async () => {
    const { inWorker, send } = connect(manner);
    send('a request')(close);
    await settled();
    expect(inWorker).toEqual([]);
  });

  test('is over in the worker when the page has gone, and lost when the worker has, each for all requests', async () => {
    const pageEnds = connect(manner);
    const workerEnds = connect(manner);
    for (const { send } of [pageEnds, workerEnds]) for (const request of ['one', 'two']) send(request);
    await settled();
    pageEnds.page.end();
    workerEnds.stopWorker();
    await settled();
    expect(pageEnds.inWorker).toEqual(['one', 'two', close, close]);
    expect(workerEnds.onPage).toEqual(['lost: stopped', 'lost: stopped']);
  });

  test.each<[string, Record<string, LockMode>, string]>([
    ['the worker gets no lock of its own', { locksOfWorker: 'exclusive' }, 'stopped'],
    ['the worker cannot wait for that of the page', { locksOfWorker: 'shared' }, 'stopped'],
    ['the page gets no lock of its own', { locksOfPage: 'exclusive' }, 'unreachable'],
    ['the page cannot wait for that of the worker', { locksOfPage: 'shared' }, 'stopped'],
  ])('is lost once if %s once', async (_title, refused, loss) => {
    const { inWorker, onPage, send, post } = connect(manner, refused);
    send('first');
    await settled();
    expect(onPage).toEqual([`lost: ${loss}`]);
    expect(inWorker.filter((message) => message === close)).toHaveLength(inWorker.length === 0 ? 0 : 1);
    send('second');
    await settled();
    post('fine');
    await settled();
    expect(onPage.slice(1)).toEqual(['fine']);
  });
});

describe('a page', () => {
  const dead = () => {
    throw new TypeError("can't access dead object");
  };
  const setUp = (findWorker: () => Promise<Transport>) => {
    const onLost = vi.fn<Listener['onLost']>();
    const line = createLine(findWorker, createFakeLocks()().locks);
    return { onLost, send: () => line('fetch', {}, [], { onMessage: () => undefined, onLost }) };
  };

  test.each<[string, () => Promise<Transport>]>([
    ['finds no worker', () => Promise.reject(new Error('Extension context invalidated.'))],
    ['finds a worker whose script has not run', () => Promise.resolve(toWindow({}))],
    ['finds a worker that has gone', () => Promise.resolve(dead)],
  ])('is told that the worker is unreachable if it %s', async (_title, findWorker) => {
    const { onLost, send } = setUp(findWorker);
    send();
    await settled();
    expect(onLost.mock.calls).toEqual([['unreachable']]);
  });

  test('is told that the worker has stopped if that accepts nothing in 10 s, and waits without limit once it has', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { onLost, send } = setUp(() => Promise.resolve(() => () => undefined));
    send();
    await settled();
    vi.advanceTimersByTime(10_000);
    expect(onLost.mock.calls).toEqual([['stopped']]);

    const accepted = connect('chromium');
    accepted.send('a request');
    await settled();
    expect(vi.getTimerCount()).toBe(0);
    expect(accepted.onPage).toEqual([]);
  });

  test('that tells a worker something in Firefox that has gone, and one that has gone itself, cause no error', async () => {
    const rejections: unknown[] = [];
    const collect = (reason: unknown) => void rejections.push(reason);
    process.on('unhandledRejection', collect);
    onTestFinished(() => void process.off('unhandledRejection', collect));
    const { send } = setUp(() => Promise.resolve(() => dead));
    send()('anything');
    const { page, send: sendFrom } = connect('firefox');
    page.end();
    sendFrom('a request');
    await settled();
    expect(rejections).toEqual([]);
  });
});

describe('a message to the worker', () => {
  const { port2 } = new MessageChannel();
  const request = { to: 'command', page: 'a page', content: 'a request' };
  const own: RequestEvent = { origin: ownOrigin, data: { latchkey: request }, ports: [port2] };

  /** The requests that the worker serves when this message arrives. */
  function serve(event: Partial<RequestEvent> = {}): readonly unknown[] {
    const { inWorker, deliver } = connect('chromium');
    deliver({ ...own, ...event });
    return inWorker;
  }

  test('is served if a page of this extension sends it', () => {
    expect(serve()).toEqual(['a request']);
  });

  test.each<[string, Partial<RequestEvent>]>([
    ['another extension', { origin: 'chrome-extension://another' }],
    ['a web page', { origin: 'https://evil.example' }],
    ['a content script', { origin: 'https://evil.example' }],
    ['a sandboxed page', { origin: 'null' }],
    ['an origin that only begins like ours', { origin: `${ownOrigin}.evil.example` }],
    ['an unknown sender', { origin: '' }],
  ])('is ignored if it comes from %s', (_title, event) => expect(serve(event)).toEqual([]));

  test.each<[string, Partial<RequestEvent>]>([
    ['is of another kind', { data: { type: 'another' } }],
    ['is null', { data: null }],
    ['is a string', { data: 'latchkey' }],
    ['asks for nothing', { data: { latchkey: null } }],
    ['asks for something else', { data: { latchkey: { ...request, to: 'toString' } } }],
    ['names no lock', { data: { latchkey: { ...request, page: undefined } } }],
    ['has no port', { ports: [] }],
  ])('is left to other listeners if it %s', (_title, event) => expect(serve(event)).toEqual([]));
});
