// The worker's half of a feature's fetch, with a page that behaves in every possible way.

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  isBytes,
  over,
  requestType,
  windowBytes,
  type RequestMessage,
} from '../../../src/bridge/fetch/protocol.ts';
import { createKeepAlive } from '../../../src/background/keep-alive.ts';
import { createTasks } from '../../../src/background/session/tasks.ts';
import { serveFetches, type AuthorizedFetch, type PageEvent } from '../../../src/bridge/fetch/serve-fetch.ts';
import { fc } from '../../support/property.ts';
import { connectFetch, ownPage, runtime } from '../../support/connect-fetch.ts';
import { createFakeLocks, refuseOnce } from '../../support/fake-locks.ts';
import { settled } from '../../support/port-pair.ts';
import { webUrl } from '../../support/web-urls.ts';

const request: RequestMessage = {
  type: requestType,
  page: 'latchkey:the page',
  url: 'https://api.acme.example/',
  method: 'GET',
  headers: [],
  body: null,
  cache: 'default',
  redirect: 'follow',
  integrity: '',
};
const chunkBytes = windowBytes / 4;

/** A page, the worker's locks, and a channel between the two. */
function openChannel() {
  const addLockUser = createFakeLocks();
  const [page, worker] = [addLockUser(), addLockUser()];
  void page.locks.request(request.page, () => new Promise(() => undefined));
  const { port1: port, port2 } = new MessageChannel();
  const ended = new Promise<void>((resolve) => {
    port2.addEventListener('close', () => resolve());
  });
  return { page, worker, port, port2, ended };
}

/** A worker that serves one request, and the page's end of its channel. `ended` settles when the worker closes it. */
function serve(authorizedFetch: AuthorizedFetch, data: unknown = request) {
  const { page, worker, port, port2, ended } = openChannel();
  const received: unknown[] = [];
  port.addEventListener('message', (event) => {
    if ((event.data as { type?: string }).type !== 'accepted') received.push(event.data);
  });
  serveFetches(runtime, authorizedFetch, () => undefined, worker.locks)({ ...ownPage, data, ports: [port2] });
  return { port, page, worker, received, ended };
}

/** The ways in which a page ends its request. */
const endings: [string, (served: ReturnType<typeof serve>) => void][] = [
  ['says that it is over', ({ port }) => port.postMessage(over)],
  ['closes', ({ page }) => page.end()],
];

/** A body without end, in chunks of `length` bytes. */
function endless(length: number) {
  const cancel = vi.fn<() => void>();
  let pulls = 0;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull(controller) {
        pulls += 1;
        controller.enqueue(new Uint8Array(length));
      },
      cancel,
    },
    { highWaterMark: 0 },
  );
  return { body, cancel, pulls: () => pulls };
}

const streamOf = (...chunks: Uint8Array[]) =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
const lengths = (received: readonly unknown[]) =>
  received.filter(isBytes).map(({ byteLength }) => byteLength);

describe('a request', () => {
  test('makes the request with the page’s options, and without cookies', async () => {
    const made: Request[] = [];
    const { ended } = serve(
      (toMake) => {
        made.push(toMake);
        return Promise.resolve(new Response(null, { status: 204 }));
      },
      {
        ...request,
        method: 'PUT',
        headers: [['content-type', 'text/csv']],
        body: new TextEncoder().encode('a,b'),
        cache: 'no-store',
        redirect: 'manual',
        integrity: 'sha256-x',
      },
    );
    await ended;
    expect(made).toHaveLength(1);
    expect(made[0]).toMatchObject({
      url: request.url,
      method: 'PUT',
      cache: 'no-store',
      redirect: 'manual',
      integrity: 'sha256-x',
      credentials: 'omit',
    });
    expect([...(made[0]?.headers ?? [])]).toEqual([['content-type', 'text/csv']]);
    expect(await made[0]?.text()).toBe('a,b');
  });

  test('sends no further chunk once the credit is used up', async () => {
    const { body, pulls } = endless(3 * chunkBytes);
    const { port, received } = serve(() => Promise.resolve(new Response(body)));
    await settled();
    expect(lengths(received)).toEqual([3 * chunkBytes, 3 * chunkBytes]);
    expect(pulls()).toBe(3);

    port.postMessage(2 * chunkBytes);
    await settled();
    expect(lengths(received)).toHaveLength(2);
    port.postMessage(1);
    await settled();
    expect(lengths(received)).toHaveLength(3);
    port.postMessage(over);
  });

  test('hands a chunk over without a copy', async () => {
    const chunk = new Uint8Array(chunkBytes);
    const { received, ended } = serve(() => Promise.resolve(new Response(streamOf(chunk))));
    await ended;
    await settled();
    expect(lengths(received)).toEqual([chunkBytes]);
    expect(chunk.byteLength).toBe(0);
  });

  test('copies a chunk that is a part of a buffer, and leaves the buffer to its other users', async () => {
    const whole = new Uint8Array([1, 2, 3, 4]);
    const { received, ended } = serve(() =>
      Promise.resolve(new Response(streamOf(whole.subarray(0, 2), whole.subarray(2)))),
    );
    await ended;
    await settled();
    expect(received.filter(isBytes)).toEqual([new Uint8Array([1, 2]), new Uint8Array([3, 4])]);
    expect(whole).toEqual(new Uint8Array([1, 2, 3, 4]));
  });

  test('sends nothing for an empty chunk', async () => {
    const { received, ended } = serve(() =>
      Promise.resolve(new Response(streamOf(new Uint8Array(), new Uint8Array(1)))),
    );
    await ended;
    await settled();
    expect(lengths(received)).toEqual([1]);
  });

  test('streams a hundred megabytes within the window', async () => {
    const total = 100 * 1024 * 1024;
    let left = total;
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        pull(controller) {
          const chunk = new Uint8Array(Math.min(left, 1_000_003)).fill(left % 256);
          left -= chunk.byteLength;
          controller.enqueue(chunk);
          if (left === 0) controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    let underWay = 0;
    let most = 0;
    const { fetch } = connectFetch(
      () => Promise.resolve(new Response(body)),
      (from, message) => {
        if (from === 'worker' && isBytes(message)) underWay += message.byteLength;
        if (from === 'page' && typeof message === 'number') underWay -= message;
        most = Math.max(most, underWay);
      },
    );
    let read = 0;
    for await (const chunk of (await fetch(request.url)).body ?? []) read += chunk.byteLength;
    expect(read).toBe(total);
    expect(most).toBeLessThan(windowBytes + 1_000_003);
  });

  test.each([204, 205, 304])(
    'sends no body with the status %i, although the browsers give it one',
    async (status) => {
      const answer = Object.defineProperty(new Response(''), 'status', { value: status });
      const { fetch } = connectFetch(() => Promise.resolve(answer));
      const response = await fetch(request.url);
      expect(response).toMatchObject({ status, body: null });
      expect(await response.text()).toBe('');
    },
  );

  describe.each(endings)('if the page %s', (_title, endRequest) => {
    test('aborts a request that has no response yet', async () => {
      let signal: AbortSignal | undefined;
      const served = serve((toMake) => {
        signal = toMake.signal;
        return new Promise(() => undefined);
      });
      await settled();
      expect(signal?.aborted).toBe(false);
      endRequest(served);
      await served.ended;
      expect(signal?.aborted).toBe(true);
    });

    test('cancels the body of the response', async () => {
      const { body, cancel } = endless(chunkBytes);
      const served = serve(() => Promise.resolve(new Response(body)));
      await settled();
      expect(cancel).not.toHaveBeenCalled();
      endRequest(served);
      await served.ended;
      expect(cancel).toHaveBeenCalledOnce();
    });

    test('cancels a response that arrives afterwards', async () => {
      const { body, cancel } = endless(1);
      let answer: (response: Response) => void = () => undefined;
      const served = serve(
        () =>
          new Promise((resolve) => {
            answer = resolve;
          }),
      );
      await settled();
      endRequest(served);
      await served.ended;
      answer(new Response(body));
      await settled();
      expect(cancel).toHaveBeenCalledOnce();
    });
  });

  test('is aborted at once if its page has gone already, like those before it', async () => {
    const { page, worker, port2 } = openChannel();
    const signals: AbortSignal[] = [];
    const serveNext = serveFetches(
      runtime,
      ({ signal }) => {
        signals.push(signal);
        return new Promise(() => undefined);
      },
      () => undefined,
      worker.locks,
    );
    serveNext({ ...ownPage, data: request, ports: [port2] });
    page.end();
    await expect.poll(() => signals.map(({ aborted }) => aborted)).toEqual([true]);
    serveNext({ ...ownPage, data: request, ports: [new MessageChannel().port2] });
    await expect.poll(() => signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  });

  test('says that it has the request before the response, and names its lock', async () => {
    const sent: unknown[] = [];
    const { fetch, page, worker } = connectFetch(
      () => settled().then(() => new Response(null, { status: 204 })),
      (from, message) => from === 'worker' && sent.push(message),
    );
    await fetch(request.url);
    await fetch(request.url);
    const accepted = { type: 'accepted', worker: expect.stringMatching(/^latchkey:/) as string };
    expect(sent).toMatchObject([accepted, { type: 'head' }, accepted, { type: 'head' }]);
    // Each holds its own lock, and waits for that of the other.
    expect([page.count(), worker.count()]).toEqual([2, 2]);
  });

  test.each([
    ['its own', 'exclusive'],
    ['that of the page', 'shared'],
  ] as const)('ends the request and tells the page if the worker gets no lock: %s', async (_title, mode) => {
    const { worker, port, port2, ended } = openChannel();
    const locks = { request: refuseOnce(worker.locks, mode) };
    let signal: AbortSignal | undefined;
    const listener = serveFetches(
      runtime,
      (toMake) => {
        ({ signal } = toMake);
        return new Promise(() => undefined);
      },
      () => undefined,
      locks,
    );
    const told = new Promise((resolve) => {
      port.addEventListener('message', ({ data }: MessageEvent<{ type: string }>) => {
        if (data.type !== 'accepted') resolve(data);
      });
      port.start();
    });
    listener({ ...ownPage, data: request, ports: [port2] });
    expect(await told).toMatchObject({ type: 'failed', name: 'TypeError' });
    await ended;
    expect(signal?.aborted).toBe(true);
  });

  test.each<[string, unknown, unknown[]]>([
    ['a string', request, ['hello']],
    ['undefined', request, [undefined]],
    ['more credit than it can have read', request, [windowBytes]],
    ['negative credit', request, [-1]],
    ['half a byte of credit', request, [0.5]],
    ['credit that is not a number', request, [NaN]],
    ['a second request', request, [request]],
    ['a request with an additional field', { ...request, token: 'x' }, []],
    ['a request without a page', { ...request, page: undefined }, []],
    [
      'a request that is too large',
      { ...request, method: 'POST', body: new Uint8Array(32 * 1024 * 1024 + 1) },
      [],
    ],
  ])('fails the request if the page sends %s', async (_title, data, messages) => {
    const { port, received, ended } = serve(
      ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
      data,
    );
    for (const message of messages) port.postMessage(message);
    await ended;
    await settled();
    expect(received).toEqual([
      {
        type: 'failed',
        name: 'TypeError',
        message: 'The page sent a message that the worker cannot read. Reload the page.',
      },
    ]);
  });

  test('fails with a TypeError for a request that the platform refuses to make', async () => {
    const { received, ended } = serve(() => Promise.resolve(new Response()), { ...request, method: 'TRACE' });
    await ended;
    await settled();
    expect(received).toMatchObject([{ type: 'failed', name: 'TypeError' }]);
  });

  test('ends the request for arbitrary messages', async () => {
    const requests = fc.oneof(
      fc.constant(request),
      fc.record({
        type: fc.constant(requestType),
        page: fc.constant(request.page),
        url: fc.oneof(webUrl, fc.string()),
        method: fc.string(),
        headers: fc.array(fc.tuple(fc.string(), fc.string())),
        body: fc.option(fc.uint8Array({ maxLength: 20 })),
        cache: fc.constantFrom('default', 'only-if-cached', 'mine'),
        redirect: fc.constantFrom('follow', 'mine'),
        integrity: fc.string(),
      }),
    );
    const messages = fc.oneof(fc.anything(), requests, fc.integer(), fc.double());
    await fc.assert(
      fc.asyncProperty(requests, fc.array(messages), async (data, sent) => {
        const { port, ended } = serve(() => Promise.resolve(new Response(endless(chunkBytes).body)), data);
        for (const message of sent) {
          try {
            port.postMessage(message);
          } catch {
            // Values that cannot be cloned cannot be sent.
          }
        }
        await settled();
        port.postMessage(over);
        await ended;
      }),
    );
  });
});

describe('serveFetches', () => {
  /** Delivers a request that comes with `event`. */
  async function deliver(event: Partial<PageEvent>) {
    const { worker, port, port2 } = openChannel();
    const received = vi.fn<(event: MessageEvent) => void>();
    port.addEventListener('message', received);
    const authorizedFetch = vi.fn<AuthorizedFetch>(() => new Promise(() => undefined));
    const keepAlive = vi.fn<(work: Promise<unknown>) => void>();
    const listener = serveFetches(runtime, authorizedFetch, keepAlive, worker.locks);
    listener({ ...ownPage, data: request, ports: [port2], ...event });
    await settled();
    return { authorizedFetch, keepAlive, worker, received };
  }

  test.each([
    ['Chromium', ownPage.source],
    ['Firefox', { location: { href: runtime.getURL('popup.html') } }],
  ])('makes a request of this extension’s page in %s', async (_title, source) => {
    const { authorizedFetch, received } = await deliver({ source });
    expect(authorizedFetch).toHaveBeenCalledOnce();
    expect(received).toHaveBeenCalledOnce();
  });

  /** A window of another origin: nothing in it can be read. */
  const foreignWindow = new Proxy(
    {},
    {
      get() {
        throw new DOMException('Permission denied', 'SecurityError');
      },
    },
  );
  test.each<[string, Partial<PageEvent>]>([
    [
      'another extension',
      { origin: 'chrome-extension://another', source: { url: 'chrome-extension://another/popup.html' } },
    ],
    ['a web page', { origin: 'https://evil.example', source: foreignWindow }],
    ['a content script', { origin: 'https://evil.example', source: { url: 'https://evil.example/' } }],
    ['a sandboxed page', { origin: 'null', source: ownPage.source }],
    ['a sandboxed page that shows nothing', { origin: 'null', source: foreignWindow }],
    [
      'a frame that a web page has opened in a page',
      { source: { location: { href: 'https://evil.example/' } } },
    ],
    ['a document without an address', { source: { location: { href: 'about:blank' } } }],
    ['an origin that only begins like ours', { origin: `${ownPage.origin}.evil.example` }],
    ['a window that has gone', { source: null }],
    ['an unknown sender', { origin: '', source: {} }],
  ])('ignores a request from %s', async (_title, event) => {
    const { authorizedFetch, keepAlive, worker, received } = await deliver(event);
    expect(authorizedFetch).not.toHaveBeenCalled();
    expect(keepAlive).not.toHaveBeenCalled();
    expect(received).not.toHaveBeenCalled();
    expect(worker.count()).toBe(0);
  });

  test.each<[string, Partial<PageEvent>]>([
    ['of another kind', { data: { ...request, type: 'another' } }],
    ['that is null', { data: null }],
    ['that is a string', { data: requestType }],
    ['without a port', { ports: [] }],
  ])('leaves a message %s to other listeners', async (_title, event) => {
    const { authorizedFetch, received } = await deliver(event);
    expect(authorizedFetch).not.toHaveBeenCalled();
    expect(received).not.toHaveBeenCalled();
  });

  test('gives each of a hundred simultaneous requests its own response', async () => {
    const { fetch } = connectFetch(async (toMake) => new Response(`${toMake.url} ${await toMake.text()}`));
    const indexes = Array.from({ length: 100 }, (_, index) => index);
    const answers = await Promise.all(
      indexes.map(async (index) =>
        (await fetch(`${request.url}${index}`, { method: 'POST', body: `body ${index}` })).text(),
      ),
    );
    expect(answers).toEqual(indexes.map((index) => `${request.url}${index} body ${index}`));
  });

  describe('keeping the worker running', () => {
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    });
    afterEach(() => {
      vi.useRealTimers();
    });

    /** A page whose requests `authorizedFetch` makes, and how often the worker was kept running in some minutes. */
    function setUp(authorizedFetch: AuthorizedFetch) {
      const touch = vi.fn<() => void>();
      const { track } = createTasks(createKeepAlive(touch));
      const { worker, port, port2 } = openChannel();
      const listener = serveFetches(runtime, authorizedFetch, track, worker.locks);
      const send = () => {
        listener({ ...ownPage, data: request, ports: [port2] });
        return settled();
      };
      const callsIn = async (minutes: number) => {
        touch.mockClear();
        await vi.advanceTimersByTimeAsync(minutes * 60_000);
        return touch.mock.calls.length;
      };
      return { port, send, callsIn };
    }

    test('a request does, until its page says that it is over', async () => {
      const { port, send, callsIn } = setUp(() => new Promise(() => undefined));
      await send();
      expect(await callsIn(60)).toBe(180);
      port.postMessage(over);
      await settled();
      expect(await callsIn(60)).toBe(0);
    });

    test('a response whose next data takes hours does', async () => {
      const { port, send, callsIn } = setUp(() => Promise.resolve(new Response(new ReadableStream())));
      await send();
      expect(await callsIn(180)).toBe(540);
      port.postMessage(over);
      await settled();
      expect(await callsIn(60)).toBe(0);
      expect(vi.getTimerCount()).toBe(0);
    });

    test('a response that its page leaves unread does for five minutes, and again once the page reads on', async () => {
      const { body } = endless(chunkBytes);
      const { port, send, callsIn } = setUp(() => Promise.resolve(new Response(body)));
      const received = vi.fn<(event: MessageEvent) => void>();
      port.addEventListener('message', received);
      await send();
      expect(await callsIn(5)).toBe(15);
      expect(await callsIn(600)).toBe(0);
      expect(vi.getTimerCount()).toBe(0);

      received.mockClear();
      port.postMessage(windowBytes);
      await settled();
      expect(received).toHaveBeenCalledTimes(windowBytes / chunkBytes);
      expect(await callsIn(4)).toBe(12);
      port.postMessage(1);
      await settled();
      expect(await callsIn(4)).toBe(12);
      port.postMessage(over);
      await settled();
      expect(await callsIn(60)).toBe(0);
      expect(vi.getTimerCount()).toBe(0);
    });
  });
});
