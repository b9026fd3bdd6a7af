// The page's half of a feature's fetch, with a worker that behaves in every possible way.

import { describe, expect, test, vi } from 'vitest';
import { maxRequestBytes, read, type HeadMessage } from '../../../src/bridge/fetch/protocol.ts';
import { aheadBytes, openFetch } from '../../../src/bridge/fetch/open-fetch.ts';
import { close, type Line, type Loss } from '../../../src/bridge/line/line.ts';
import { connectFetch } from '../../support/connect-fetch.ts';
import { settled } from '../../support/port-pair.ts';
import { FetchRefused, refusalReasons } from '../../../src/bridge/fetch/errors.ts';

const url = 'https://api.acme.example/';
const head: HeadMessage = {
  type: 'head',
  status: 200,
  statusText: 'OK',
  headers: [['content-type', 'text/plain']],
  url,
  redirected: false,
  responseType: 'cors',
  hasBody: true,
};
const text = (bytes: string) => new TextEncoder().encode(bytes);

const broken = { type: 'failed', reason: null, message: 'Broken.' };

/** The worker's end of a line in the tests. */
interface WorkerEnd {
  post(message: unknown): void;
  /** Calls `listener` each time that the page asks for a chunk. */
  onRead(listener: () => void): void;
}

/** A page's fetch with a scripted worker, which does `play` with each request. `lose` ends the worker. */
function scripted(play: (worker: WorkerEnd) => void = () => undefined) {
  const received: unknown[] = [];
  let losers: ((loss: Loss) => void)[] = [];
  const line: Line = (_to, content, transfer, { onMessage, onLost }) => {
    let listener = onMessage;
    const readers: (() => void)[] = [];
    received.push(structuredClone(content, { transfer }));
    losers.push(onLost);
    const worker: WorkerEnd = {
      post(message) {
        const copy: unknown = structuredClone(message);
        setImmediate(() => listener(copy));
      },
      onRead: (reader) => void readers.push(reader),
    };
    setImmediate(play, worker);
    return (message) => {
      received.push(message);
      if (message === close) listener = () => undefined;
      else for (const reader of readers) reader();
    };
  };
  return {
    fetch: openFetch(line),
    received,
    lose(loss: Loss) {
      for (const tell of losers) tell(loss);
      losers = [];
    },
    /** The page has said that it is over. */
    async expectClosed() {
      await expect.poll(() => received.at(-1)).toBe(close);
    },
  };
}

describe('openFetch', () => {
  describe('request', () => {
    test('sends the worker exactly the options that it honours', async () => {
      const { fetch, received } = scripted((worker) => worker.post(broken));
      await fetch(`${url}#part`, {
        method: 'put',
        headers: { 'X-One': '1' },
        body: 'caf\u00e9',
        cache: 'reload',
        redirect: 'error',
        integrity: 'sha256-x',
        credentials: 'include',
        keepalive: true,
        referrer: '',
      }).catch(() => undefined);
      expect(received[0]).toEqual({
        url: `${url}#part`,
        method: 'PUT',
        headers: [
          ['content-type', 'text/plain;charset=UTF-8'],
          ['x-one', '1'],
        ],
        body: text('caf\u00e9'),
        cache: 'reload',
        redirect: 'error',
        integrity: 'sha256-x',
      });
    });

    const megabytes = (count: number) => new Uint8Array(count * 1024 * 1024);

    test('refuses and cancels a stream as soon as it exceeds 32 MB, and sends nothing', async () => {
      const cancel = vi.fn<() => void>();
      const pull = vi.fn((controller: ReadableStreamDefaultController) => controller.enqueue(megabytes(1)));
      const body = new ReadableStream({ pull, cancel }, { highWaterMark: 0 });
      const { fetch, sent } = connectFetch(() => Promise.resolve(new Response()));
      const refusal: unknown = await fetch(url, { method: 'POST', body }).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(FetchRefused);
      const message: unknown = expect.stringContaining('33554432');
      expect(refusal).toMatchObject({ reason: 'body-too-large', message });
      expect([pull.mock.calls.length, cancel.mock.calls.length, sent()]).toEqual([33, 1, 0]);
    });

    test('sends a body of exactly 32 MB', async () => {
      const { fetch } = connectFetch(async (request) => new Response(`${(await request.bytes()).length}`));
      const response = await fetch(url, { method: 'POST', body: megabytes(32) });
      expect(await response.text()).toBe(String(maxRequestBytes));
    });

    test('cancels the body and sends nothing if the request is aborted while its body is read', async () => {
      const controller = new AbortController();
      let cancelledFor: unknown;
      const body = new ReadableStream({
        pull: () => controller.abort(new RangeError('Changed my mind.')),
        cancel: (reason) => {
          cancelledFor = reason;
        },
      });
      const { fetch, sent } = connectFetch(() => Promise.resolve(new Response()));
      await expect(fetch(url, { method: 'POST', body, signal: controller.signal })).rejects.toThrow(
        'Changed my mind.',
      );
      expect(cancelledFor).toBe(controller.signal.reason);
      expect(sent()).toBe(0);
    });
  });

  describe('errors of the worker', () => {
    test.each(refusalReasons)('rejects with FetchRefused and the reason %s', async (reason) => {
      const { fetch } = connectFetch(() =>
        Promise.reject(new FetchRefused(reason, 'What happened. What to do.')),
      );
      const refusal: unknown = await fetch(url).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(FetchRefused);
      expect(refusal).toMatchObject({ name: 'FetchRefused', reason, message: 'What happened. What to do.' });
    });

    test.each<[string, unknown, RegExp]>([
      ['a network error', new TypeError('Bearer secret is no header'), /could not be reached/],
      ['an unexpected error', new RangeError('Bearer secret'), /RangeError/],
      ['a value that is no error', 'Bearer secret', /with an unexpected error: string\./],
    ])('passes on %s without its text', async (_title, thrown, message) => {
      const sent: unknown[] = [];
      const { fetch } = connectFetch(
        // oxlint-disable-next-line prefer-promise-reject-errors -- the point of a row
        () => Promise.reject(thrown),
        (from, posted) => from === 'worker' && sent.push(posted),
      );
      const error: unknown = await fetch(url).catch((caught: unknown) => caught);
      expect(error).toMatchObject({ name: 'TypeError', message: expect.stringMatching(message) });
      expect(JSON.stringify(sent)).not.toMatch(/secret|stack|\.ts/);
      expect(sent[0]).toMatchObject({ type: 'failed' });
    });

    test.each<[Loss, string]>([
      ['unreachable', 'Reload this page'],
      ['stopped', 'stopped before it responded'],
    ])('rejects with worker-lost if the worker is %s', async (loss, message) => {
      const { fetch, lose, received, expectClosed } = scripted();
      const outcome = fetch(url).catch((error: unknown) => error);
      await expect.poll(() => received).toHaveLength(1);
      lose(loss);
      const refusal = await outcome;
      expect(refusal).toBeInstanceOf(FetchRefused);
      expect(refusal).toMatchObject({ reason: 'worker-lost', message: expect.stringContaining(message) });
      await expectClosed();
    });

    test('sends nothing if the request is aborted right after the call', async () => {
      const { fetch, sent } = connectFetch(() => Promise.resolve(new Response()));
      const controller = new AbortController();
      const outcome = fetch(url, { signal: controller.signal });
      controller.abort(new RangeError('Enough.'));
      await expect(outcome).rejects.toThrow('Enough.');
      await settled();
      expect(sent()).toBe(0);
    });

    test('fails the response body if the worker stops in the middle of it', async () => {
      const { fetch, lose, expectClosed } = scripted((worker) => {
        worker.post(head);
        worker.post(text('the beginning'));
      });
      const response = await fetch(url);
      lose('stopped');
      await expect(response.text()).rejects.toThrow('The connection to the worker was lost');
      await expect(response.text()).rejects.toThrow(TypeError);
      await expectClosed();
    });
  });

  describe('response', () => {
    const empty = { status: 0, statusText: '', headers: [], hasBody: false };
    const elsewhere = { url: 'https://elsewhere.example/', redirected: true };

    test.each<[string, Partial<HeadMessage>, object]>([
      [
        'an opaque redirect',
        { ...empty, responseType: 'opaqueredirect' },
        { type: 'opaqueredirect', url, body: null },
      ],
      ['an error', { ...empty, responseType: 'error', url: '' }, { type: 'error', url: '', body: null }],
      ['a response with a status beyond 599', { status: 999, statusText: 'Go away' }, { type: 'cors' }],
      ['a redirected response', elsewhere, elsewhere],
    ])(
      'returns %s with the properties of the real one, and so does its clone',
      async (_title, changes, expected) => {
        const { fetch } = scripted((worker) => worker.post({ ...head, ...changes }));
        const response = await fetch(url);
        expect(response).toBeInstanceOf(Response);
        const { status = 200, statusText = 'OK' } = changes;
        for (const one of [response, response.clone()])
          expect(one).toMatchObject({ status, statusText, ok: status === 200, ...expected });
      },
    );

    test('ends the line at once if the response has no body', async () => {
      const { fetch, expectClosed } = scripted((worker) =>
        worker.post({ ...head, status: 204, hasBody: false }),
      );
      await fetch(url);
      await expectClosed();
    });

    test.each(['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text'] as const)(
      '%s rejects with the error of the body, although the browsers replace it',
      async (method) => {
        vi.spyOn(Response.prototype, method).mockRejectedValue(new DOMException('Whatever.', 'AbortError'));
        const { fetch } = scripted((worker) => {
          worker.post(head);
          worker.post({ type: 'failed', reason: 'signed-out', message: 'Signed out.' });
        });
        const response = await fetch(url);
        await settled();
        await expect(response[method]()).rejects.toMatchObject({
          name: 'FetchRefused',
          reason: 'signed-out',
        });
      },
    );

    test('asks for the next chunk when one has arrived, until enough is unread', async () => {
      const { fetch, received } = scripted((worker) => {
        worker.post(head);
        worker.onRead(() => worker.post(new Uint8Array(aheadBytes / 2)));
      });
      const reader = (await fetch(url)).body?.getReader();
      await settled();
      expect(received.slice(1)).toEqual([read, read]);
      await reader?.read();
      await settled();
      expect(received.slice(1)).toEqual([read, read, read]);
    });

    test('asks for one chunk at a time, however often it is read', async () => {
      const { fetch, received } = scripted((worker) => worker.post(head));
      const reader = (await fetch(url)).body?.getReader();
      for (let count = 0; count < 3; count += 1) void reader?.read();
      await settled();
      expect(received.slice(1)).toEqual([read]);
    });

    test('takes a chunk that is larger than what is read ahead', async () => {
      const { fetch } = scripted((worker) => {
        for (const message of [head, new Uint8Array(2 * aheadBytes), { type: 'end' }]) worker.post(message);
      });
      expect((await (await fetch(url)).arrayBuffer()).byteLength).toBe(2 * aheadBytes);
    });
  });

  test.each<[string, unknown[]]>([
    ['a string', ['hello']],
    ['null', [null]],
    ['a head with an invalid status', [{ ...head, status: 'fine' }]],
    ['a head with an additional field', [{ ...head, token: 'x' }]],
    ['a chunk before the head', [text('early')]],
    ['an end before the head', [{ type: 'end' }]],
    ['a head with an invalid header', [{ ...head, headers: [['a b', 'c']] }]],
    ['a head with a body that its status does not allow', [{ ...head, status: 204 }]],
    ['a head with a body and the status 0', [{ ...head, status: 0 }]],
    ['a refusal for an unknown reason', [{ type: 'failed', reason: 'mood', message: 'No.' }]],
    ['a second head', [head, head]],
    ['an empty chunk', [head, new Uint8Array()]],
    ['a chunk that it did not ask for', [head, new Uint8Array(aheadBytes), text('x')]],
    ['a string in place of a chunk', [head, 'the beginning']],
  ])('rejects %s: the request, or else the body of its response', async (_title, messages) => {
    const { fetch, expectClosed } = scripted((worker) => {
      for (const message of messages) worker.post(message);
    });
    const outcome = fetch(url).then(async (response) => {
      expect(messages[0]).toBe(head);
      await settled();
      return response.text();
    });
    await expect(outcome).rejects.toThrow(
      'The worker sent a message that this page cannot read. Reload this page.',
    );
    await expectClosed();
  });
});
