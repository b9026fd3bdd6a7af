// The worker's half of a feature's fetch, with a page that behaves in every possible way.

import { beforeEach, describe, expect, test, vi } from 'vitest';
import { isBytes, maxRequestBytes, read, type RequestMessage } from '../../../src/bridge/fetch/protocol.ts';
import { close } from '../../../src/bridge/line/line.ts';
import { createWork } from '../../../src/background/work.ts';
import { serveFetches, type AuthorizedFetch } from '../../../src/bridge/fetch/serve-fetch.ts';
import { deferred } from '../../support/deferred.ts';
import { streamOf } from '../../support/fetch-cases.ts';
import { settled } from '../../support/port-pair.ts';

const request: RequestMessage = {
  url: 'https://api.acme.example/',
  method: 'GET',
  headers: [],
  body: null,
  cache: 'default',
  redirect: 'follow',
  integrity: '',
};

/** A worker that serves one request, what it posts, and what sends it the page's further messages. */
function serve(
  authorizedFetch: AuthorizedFetch,
  data: unknown = request,
  keepAlive: (work: Promise<unknown>) => void = () => undefined,
) {
  const received: unknown[] = [];
  const send = serveFetches(authorizedFetch, keepAlive)(data, (message, transfer = []) => {
    received.push(structuredClone(message, { transfer }));
  });
  /** Asks for a number of chunks, one after the other. */
  const readChunks = async (count: number) => {
    await settled();
    for (let asked = 0; asked < count; asked += 1) {
      send(read);
      await settled();
    }
  };
  return { received, send, readChunks };
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

describe('a request', () => {
  test('gets a chunk of the body each time that the page asks for one, and reads no further', async () => {
    const { body, pulls } = endless(3);
    const { readChunks, received } = serve(() => Promise.resolve(new Response(body)));
    await readChunks(0);
    expect({ pulls: pulls(), lengths: lengths(received) }).toEqual({ pulls: 0, lengths: [] });
    await readChunks(2);
    expect({ pulls: pulls(), lengths: lengths(received) }).toEqual({ pulls: 2, lengths: [3, 3] });
  });

  test('hands a chunk over without a copy', async () => {
    const chunk = new Uint8Array(7);
    const { readChunks, received } = serve(() => Promise.resolve(new Response(streamOf(chunk))));
    await readChunks(1);
    expect(lengths(received)).toEqual([7]);
    expect(chunk.byteLength).toBe(0);
  });

  test('copies a chunk that is a part of a buffer, and leaves the buffer to its other users', async () => {
    const whole = new Uint8Array([1, 2, 3, 4]);
    const { readChunks, received } = serve(() =>
      Promise.resolve(new Response(streamOf(whole.subarray(0, 2), whole.subarray(2)))),
    );
    await readChunks(2);
    expect(received.filter(isBytes)).toEqual([new Uint8Array([1, 2]), new Uint8Array([3, 4])]);
    expect(whole).toEqual(new Uint8Array([1, 2, 3, 4]));
  });

  test('gets no empty chunk', async () => {
    const { readChunks, received } = serve(() =>
      Promise.resolve(new Response(streamOf(new Uint8Array(), new Uint8Array(1)))),
    );
    await readChunks(1);
    expect(lengths(received)).toEqual([1]);
  });

  test('has a response cancelled that arrives when it is over', async () => {
    const { body, cancel } = endless(1);
    const late = deferred<Response>();
    const { send, received } = serve(() => late.promise);
    send(close);
    late.resolve(new Response(body));
    await settled();
    expect(cancel).toHaveBeenCalledOnce();
    expect(received).toEqual([]);
  });

  test.each<[string, unknown, unknown[]]>([
    ['a string', request, ['hello']],
    ['a demand for a chunk before the response', request, [read]],
    ['a second request', request, [request]],
    ['a request with an additional field', { ...request, token: 'x' }, []],
    ['a request without an address', { ...request, url: undefined }, []],
    ['too large a request', { ...request, method: 'POST', body: new Uint8Array(maxRequestBytes + 1) }, []],
  ])('fails the request if the page sends %s', async (_title, data, messages) => {
    const { send, received } = serve(
      ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
      data,
    );
    for (const sent of messages) send(sent);
    await settled();
    const message = 'The page sent a message that the worker cannot read. Reload the page.';
    expect(received).toEqual([{ type: 'failed', reason: null, message }]);
  });
});

describe('keeping the worker running', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  });
  /** A page whose requests `authorizedFetch` makes, and how often the worker was kept running in some minutes. */
  function setUp(authorizedFetch: AuthorizedFetch) {
    const touch = vi.fn<() => void>();
    const { track } = createWork(touch);
    const served = serve(authorizedFetch, request, (work) => void track(work));
    const callsIn = async (minutes: number) => {
      touch.mockClear();
      await vi.advanceTimersByTimeAsync(minutes * 60_000);
      return touch.mock.calls.length;
    };
    return { ...served, callsIn };
  }

  test('a request does, until its page says that it is over', async () => {
    const { send, callsIn } = setUp(() => new Promise(() => undefined));
    await settled();
    expect(await callsIn(60)).toBe(180);
    send(close);
    expect(await callsIn(60)).toBe(0);
  });

  test('a response whose body no one has begun to read does not', async () => {
    const { callsIn } = setUp(() => Promise.resolve(new Response(new ReadableStream())));
    await settled();
    expect(await callsIn(60)).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('a response whose next data takes hours does', async () => {
    const { readChunks, send, callsIn } = setUp(() => Promise.resolve(new Response(new ReadableStream())));
    await readChunks(1);
    expect(await callsIn(180)).toBe(540);
    for (const last of [close, read]) send(last);
    expect(await callsIn(60)).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('a response that its page leaves unread does for five minutes, and again once the page reads on', async () => {
    const { body } = endless(1);
    const { readChunks, send, received, callsIn } = setUp(() => Promise.resolve(new Response(body)));
    await readChunks(1);
    expect(await callsIn(5)).toBe(15);
    expect(await callsIn(600)).toBe(0);
    expect(vi.getTimerCount()).toBe(0);

    await readChunks(1);
    expect(lengths(received)).toEqual([1, 1]);
    expect(await callsIn(4)).toBe(12);
    await readChunks(1);
    expect(await callsIn(4)).toBe(12);
    send(close);
    expect(await callsIn(60)).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });
});
