// The line between a page and the worker, and who else may be at either end. What it carries is in the contract (tests/contract).

import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  lineToServiceWorker,
  lineToWindow,
  over,
  serveLines,
  type RequestEvent,
  type Serve,
  type WorkerWindow,
} from '../../src/bridge/line.ts';
import { settled } from '../support/port-pair.ts';

const origin = 'chrome-extension://latchkey';

/** A worker's global scope in which `serve` serves lines. */
function startWorker(serve: Serve) {
  const listeners: ((event: RequestEvent) => void)[] = [];
  const scope = {
    addEventListener: (_type: 'message', listener: (event: RequestEvent) => void) =>
      void listeners.push(listener),
  };
  serveLines(scope, origin, serve);
  const get = (event: RequestEvent) => {
    for (const listener of listeners) listener(event);
  };
  return { get, window: scope as WorkerWindow };
}

/** The lines of both browsers to a worker that `serve` serves. */
const lines = {
  Chromium: (serve: Serve) =>
    lineToServiceWorker({
      postMessage(message, { transfer }) {
        const ports = transfer.filter((one) => one instanceof MessagePort);
        const event = structuredClone({ data: message, ports }, { transfer });
        startWorker(serve).get({ ...event, origin });
      },
    }),
  Firefox: (serve: Serve) => lineToWindow(startWorker(serve).window),
};

describe.each(Object.entries(lines))('a line in %s', (_name, toLine) => {
  test('brings each side copies of what the other sends, until the page says that it is over', async () => {
    const request = { asks: ['something'] };
    const reply = { answers: 'this' };
    const inWorker: unknown[] = [];
    let post: (message: unknown) => void = () => undefined;
    const line = toLine((given, toPage) => {
      post = toPage;
      inWorker.push(given);
      return (message) => inWorker.push(message);
    });
    const onPage: unknown[] = [];
    const send = line(request, [], (message) => onPage.push(message));
    post(reply);
    send('more');
    await settled();
    expect({ inWorker, onPage }).toEqual({ inWorker: [request, 'more'], onPage: [reply] });
    expect(inWorker[0]).not.toBe(request);
    expect(onPage[0]).not.toBe(reply);

    send(over);
    await settled();
    post('later still');
    await settled();
    expect(inWorker.at(-1)).toBe(over);
    expect(onPage).not.toContain('later still');
  });
});

describe('in Chromium, a message', () => {
  const { port2 } = new MessageChannel();
  const own: RequestEvent = { origin, data: { latchkey: 'a request' }, ports: [port2] };

  test.each<[string, Partial<RequestEvent>]>([
    ['another extension', { origin: 'chrome-extension://another' }],
    ['a web page', { origin: 'https://evil.example' }],
    ['a sandboxed page', { origin: 'null' }],
    ['an origin that only begins like ours', { origin: `${origin}.evil.example` }],
    ['an unknown sender', { origin: '' }],
  ])('of %s is ignored', (_title, event) => {
    const serve = vi.fn<Serve>();
    startWorker(serve).get({ ...own, ...event });
    expect(serve).not.toHaveBeenCalled();
  });

  test.each<[string, Partial<RequestEvent>]>([
    ['of another kind', { data: { type: 'another' } }],
    ['that is null', { data: null }],
    ['that is a string', { data: 'latchkey' }],
    ['without a port', { ports: [] }],
  ])('%s is left to other listeners', (_title, event) => {
    const serve = vi.fn<Serve>();
    startWorker(serve).get({ ...own, ...event });
    expect(serve).not.toHaveBeenCalled();
  });
});

describe('in Firefox', () => {
  test('a request to a worker whose script has not run throws', () => {
    expect(() => lineToWindow({})({}, [], () => undefined)).toThrow('has not started');
  });

  test('a worker that replies to a page that has gone hears nothing of it, and a page that calls a worker that has gone neither', async () => {
    const dead = () => {
      throw new TypeError("can't access dead object");
    };
    let post: (message: unknown) => void = () => undefined;
    const line = lines.Firefox((_request, toPage) => {
      post = toPage;
      return dead;
    });
    const rejections: unknown[] = [];
    const collect = (reason: unknown) => void rejections.push(reason);
    process.on('unhandledRejection', collect);
    onTestFinished(() => void process.off('unhandledRejection', collect));
    const send = line({}, [], dead);
    post('anything');
    await settled();
    send('anything');
    send(over);
    expect(rejections).toEqual([]);
  });
});
