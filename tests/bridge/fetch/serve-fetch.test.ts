// The worker's half of a feature's fetch, with a page that behaves in every possible way.

import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  fetchPortName,
  isBytes,
  maxChunkBytes,
  windowBytes,
  type RequestMessage,
} from '../../../src/bridge/fetch/protocol.ts';
import { createKeepAlive } from '../../../src/background/keep-alive.ts';
import { createTasks } from '../../../src/background/session/tasks.ts';
import { serveFetch, serveFetches, type AuthorizedFetch } from '../../../src/bridge/fetch/serve-fetch.ts';
import { propertyRuns } from '../../support/extent.ts';
import { connectFetch, ownPage, runtime } from '../../support/connect-fetch.ts';
import { portPair, settled } from '../../support/port-pair.ts';
import { webUrl } from '../../support/web-urls.ts';

const request: RequestMessage = {
  type: 'request',
  url: 'https://api.acme.example/',
  method: 'GET',
  headers: [],
  body: null,
  cache: 'default',
  redirect: 'follow',
  integrity: '',
};

/** A worker that serves one port, and the page's end of that port. `ended` settles when the request has ended. */
function serve(authorizedFetch: AuthorizedFetch) {
  const { page: port, worker } = portPair(fetchPortName, ownPage);
  const received: unknown[] = [];
  port.onMessage.addListener((message) => received.push(message));
  return { port, worker, received, ended: serveFetch(worker, authorizedFetch, () => undefined) };
}

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

const lengths = (received: readonly unknown[]) =>
  received.filter(isBytes).map(({ byteLength }) => byteLength);
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

describe('serveFetch', () => {
  test('makes the request with the page’s options, and without cookies', async () => {
    const made: Request[] = [];
    const { port, ended } = serve((toMake) => {
      made.push(toMake);
      return Promise.resolve(new Response(null, { status: 204 }));
    });
    port.postMessage({
      ...request,
      method: 'PUT',
      headers: [['content-type', 'text/csv']],
      body: new TextEncoder().encode('a,b'),
      cache: 'no-store',
      redirect: 'manual',
      integrity: 'sha256-x',
    });
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

  test('sends small chunks, and never more than the credit', async () => {
    const { body, pulls } = endless(3 * maxChunkBytes);
    const { port, received } = serve(() => Promise.resolve(new Response(body)));
    port.postMessage(request);
    await settled();
    expect(sum(lengths(received))).toBe(windowBytes);
    expect(Math.max(...lengths(received))).toBeLessThanOrEqual(maxChunkBytes);
    expect(pulls()).toBe(2);

    port.postMessage({ type: 'credit', bytes: 1000 });
    await settled();
    expect(sum(lengths(received))).toBe(windowBytes + 1000);
    port.disconnect();
  });

  test('sends no larger buffer than its chunk', async () => {
    const posted: ArrayBufferLike[] = [];
    const whole = new Uint8Array(10 * maxChunkBytes);
    const { fetch } = connectFetch(
      () => Promise.resolve(new Response(new Blob([whole]))),
      (_from, message) => isBytes(message) && posted.push(message.buffer),
    );
    expect((await (await fetch(request.url)).arrayBuffer()).byteLength).toBe(whole.byteLength);
    expect(Math.max(...posted.map(({ byteLength }) => byteLength))).toBeLessThanOrEqual(maxChunkBytes);
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
        if (from === 'page' && (message as { type: string }).type === 'credit') {
          underWay -= (message as { bytes: number }).bytes;
        }
        most = Math.max(most, underWay);
      },
    );
    let read = 0;
    for await (const chunk of (await fetch(request.url)).body ?? []) read += chunk.byteLength;
    expect(read).toBe(total);
    expect(most).toBeLessThanOrEqual(windowBytes);
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

  test('aborts the request if the page closes before the response', async () => {
    let signal: AbortSignal | undefined;
    const { port, worker, ended } = serve((toMake) => {
      signal = toMake.signal;
      return new Promise(() => undefined);
    });
    port.postMessage(request);
    await settled();
    expect(signal?.aborted).toBe(false);
    port.disconnect();
    await ended;
    expect(signal?.aborted).toBe(true);
    expect(worker.listening()).toBe(0);
  });

  test('cancels the response body if the page closes in the middle of it', async () => {
    const { body, cancel } = endless(maxChunkBytes);
    const { port, ended } = serve(() => Promise.resolve(new Response(body)));
    port.postMessage(request);
    await settled();
    expect(cancel).not.toHaveBeenCalled();
    port.disconnect();
    await ended;
    expect(cancel).toHaveBeenCalledOnce();
  });

  test('cancels a response that arrives after the page has closed', async () => {
    const { body, cancel } = endless(1);
    let answer: (response: Response) => void = () => undefined;
    const { port, ended } = serve(
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );
    port.postMessage(request);
    await settled();
    port.disconnect();
    await ended;
    answer(new Response(body));
    await settled();
    expect(cancel).toHaveBeenCalledOnce();
  });

  test('ends the request if the page has closed without a disconnect event', async () => {
    const { body, cancel } = endless(1);
    const { port, worker, ended } = serve(() => Promise.resolve(new Response(body)));
    worker.postMessage = () => {
      throw new Error('Attempting to use a disconnected port object');
    };
    port.postMessage(request);
    await ended;
    await settled();
    expect(cancel).toHaveBeenCalledOnce();
  });

  test.each<[string, unknown[]]>([
    ['a string', ['hello']],
    ['undefined', [undefined]],
    ['credit before a request', [{ type: 'credit', bytes: 1 }]],
    ['more credit than it can have read', [request, { type: 'credit', bytes: windowBytes }]],
    ['negative credit', [request, { type: 'credit', bytes: -1 }]],
    ['half a byte of credit', [request, { type: 'credit', bytes: 0.5 }]],
    ['a second request', [request, request]],
    ['a request with an additional field', [{ ...request, token: 'x' }]],
    [
      'a request that is too large',
      [{ ...request, method: 'POST', body: new Uint8Array(32 * 1024 * 1024 + 1) }],
    ],
  ])('fails the request if the page sends %s', async (_title, messages) => {
    const { port, received, ended } = serve(
      ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
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
    const { port, received, ended } = serve(() => Promise.resolve(new Response()));
    port.postMessage({ ...request, method: 'TRACE' });
    await ended;
    await settled();
    expect(received).toMatchObject([{ type: 'failed', name: 'TypeError' }]);
  });

  test('ends the request for arbitrary messages', async () => {
    const messages = fc.oneof(
      fc.anything(),
      fc.constant(request),
      fc.record({ type: fc.constant('credit'), bytes: fc.oneof(fc.integer(), fc.double(), fc.anything()) }),
      fc.record({
        type: fc.constant('request'),
        url: fc.oneof(webUrl, fc.string()),
        method: fc.string(),
        headers: fc.array(fc.tuple(fc.string(), fc.string())),
        body: fc.option(fc.uint8Array({ maxLength: 20 })),
        cache: fc.constantFrom('default', 'only-if-cached', 'mine'),
        redirect: fc.constantFrom('follow', 'mine'),
        integrity: fc.string(),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(messages), async (sent) => {
        const { port, worker, ended } = serve(() =>
          Promise.resolve(new Response(endless(maxChunkBytes).body)),
        );
        for (const message of sent) {
          try {
            port.postMessage(message);
          } catch {
            // Values that cannot be cloned cannot be sent.
          }
        }
        await settled();
        port.disconnect();
        await ended;
        expect(worker.listening()).toBe(0);
      }),
      propertyRuns,
    );
  });
});

describe('serveFetches', () => {
  test.each([
    ['another extension', { ...ownPage, id: 'another' }],
    ['a content script', { ...ownPage, url: 'https://evil.example/', origin: 'https://evil.example' }],
    ['an unknown sender', {}],
  ])('closes a port from %s without making its request', async (_title, sender) => {
    const authorizedFetch = vi.fn<AuthorizedFetch>();
    const { page: port, worker } = portPair(fetchPortName, sender);
    const closed = vi.fn<() => void>();
    port.onDisconnect.addListener(closed);
    const keepAlive = vi.fn<(work: Promise<unknown>) => void>();
    serveFetches(runtime, authorizedFetch, keepAlive)(worker);
    port.postMessage(request);
    await settled();
    expect(closed).toHaveBeenCalledOnce();
    expect(authorizedFetch).not.toHaveBeenCalled();
    expect(keepAlive).not.toHaveBeenCalled();
  });

  test('ignores a port with another name', async () => {
    const { page: port, worker } = portPair('another', ownPage);
    const closed = vi.fn<() => void>();
    port.onDisconnect.addListener(closed);
    serveFetches(runtime, vi.fn<AuthorizedFetch>(), vi.fn<(work: Promise<unknown>) => void>())(worker);
    await settled();
    expect(closed).not.toHaveBeenCalled();
    expect(worker.listening()).toBe(0);
  });

  test('gives each of a thousand simultaneous requests its own response', async () => {
    const { fetch } = connectFetch(async (toMake) => new Response(`${toMake.url} ${await toMake.text()}`));
    const indexes = Array.from({ length: 1000 }, (_, index) => index);
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
      const { page: port, worker } = portPair(fetchPortName, ownPage);
      serveFetches(runtime, authorizedFetch, track)(worker);
      const callsIn = async (minutes: number) => {
        touch.mockClear();
        await vi.advanceTimersByTimeAsync(minutes * 60_000);
        return touch.mock.calls.length;
      };
      return { port, callsIn };
    }

    test('a port without a request does not', async () => {
      const { callsIn } = setUp(() => new Promise(() => undefined));
      expect(await callsIn(60)).toBe(0);
      expect(vi.getTimerCount()).toBe(0);
    });

    test('a request does, until its page closes', async () => {
      const { port, callsIn } = setUp(() => new Promise(() => undefined));
      port.postMessage(request);
      await settled();
      expect(await callsIn(60)).toBe(180);
      port.disconnect();
      await settled();
      expect(await callsIn(60)).toBe(0);
    });

    test('a response whose next data takes hours does', async () => {
      const { port, callsIn } = setUp(() => Promise.resolve(new Response(new ReadableStream())));
      port.postMessage(request);
      await settled();
      expect(await callsIn(180)).toBe(540);
      port.disconnect();
      await settled();
      expect(await callsIn(60)).toBe(0);
      expect(vi.getTimerCount()).toBe(0);
    });

    test('a response that its page leaves unread does for five minutes, and again once the page reads on', async () => {
      const { body } = endless(maxChunkBytes);
      const { port, callsIn } = setUp(() => Promise.resolve(new Response(body)));
      const received = vi.fn<(message: unknown) => void>();
      port.onMessage.addListener(received);
      port.postMessage(request);
      await settled();
      expect(await callsIn(5)).toBe(15);
      expect(await callsIn(600)).toBe(0);
      expect(vi.getTimerCount()).toBe(0);

      received.mockClear();
      port.postMessage({ type: 'credit', bytes: windowBytes });
      await settled();
      expect(received).toHaveBeenCalledTimes(windowBytes / maxChunkBytes);
      expect(await callsIn(4)).toBe(12);
      port.postMessage({ type: 'credit', bytes: 1 });
      await settled();
      expect(await callsIn(4)).toBe(12);
      port.disconnect();
      await settled();
      expect(await callsIn(60)).toBe(0);
      expect(vi.getTimerCount()).toBe(0);
    });
  });
});
