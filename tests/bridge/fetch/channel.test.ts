// A feature's fetch where the worker is a window too, as in Firefox.

import { describe, expect, onTestFinished, test } from 'vitest';
import { createWindowChannels, type MessageTarget } from '../../../src/bridge/fetch/channel.ts';
import { openFetch } from '../../../src/bridge/fetch/open-fetch.ts';
import { windowBytes } from '../../../src/bridge/fetch/protocol.ts';
import { serveFetches, type AuthorizedFetch } from '../../../src/bridge/fetch/serve-fetch.ts';
import { ownPage, runtime } from '../../support/connect-fetch.ts';
import { createFakeLocks } from '../../support/fake-locks.ts';
import { settled } from '../../support/port-pair.ts';

const url = 'https://api.acme.example/';

/** A window that gets messages later and in order, with the window that sent each of them. */
class FakeWindow extends EventTarget {
  readonly location = { href: ownPage.source.url };
  isOpen = true;

  /** This window, as `sender` sees it. */
  seenBy(sender: () => object): MessageTarget {
    return {
      postMessage: (message, { transfer }) => {
        if (!this.isOpen) throw new TypeError("can't access dead object");
        const data: unknown = structuredClone(message, { transfer });
        setImmediate(() => this.get(data, sender()));
      },
    };
  }

  get(data: unknown, source: object): void {
    this.dispatchEvent(Object.assign(new MessageEvent('message', { data }), { sender: source }));
  }
}

/** A page and a worker, each in a window of its own. */
function connect(authorizedFetch: AuthorizedFetch) {
  const addLockUser = createFakeLocks();
  const [page, worker] = [addLockUser(), addLockUser()];
  const [pageWindow, workerWindow] = [new FakeWindow(), new FakeWindow()];
  const source: MessageTarget & Pick<FakeWindow, 'location'> = {
    ...pageWindow.seenBy(() => target),
    location: pageWindow.location,
  };
  const target = workerWindow.seenBy(() => source);
  const listen = (window: FakeWindow, listener: (event: MessageEvent<unknown>) => void) =>
    window.addEventListener('message', (event) => {
      const { data, sender } = event as MessageEvent<unknown> & { readonly sender: object };
      const stop = () => event.stopImmediatePropagation();
      listener({ data, source: sender, stopImmediatePropagation: stop } as unknown as MessageEvent);
    });
  const serve = serveFetches(runtime, authorizedFetch, () => undefined, worker.locks);
  listen(workerWindow, ({ data, source: sender }) =>
    serve({ data, origin: ownPage.origin, source: sender, ports: [] }),
  );
  const openChannel = createWindowChannels({
    addEventListener: (_type, listener) => listen(pageWindow, listener),
  });
  return {
    fetch: openFetch(() => Promise.resolve(target), page.locks, openChannel),
    page,
    pageWindow,
    workerWindow,
    source,
  };
}

/** The messages that a window gets before all other listeners. */
function record(window: FakeWindow) {
  const messages: { readonly latchkeyPort: string; readonly content: { readonly type?: string } }[] = [];
  const get = window.get.bind(window);
  window.get = (data, source) => {
    messages.push(data as (typeof messages)[number]);
    get(data, source);
  };
  return messages;
}

describe('a request between two windows', () => {
  test('brings the response of the worker', async () => {
    const made: string[] = [];
    const { fetch } = connect(async (request) => {
      made.push(`${request.method} ${await request.text()}`);
      return new Response('the answer', { status: 201, headers: { 'x-one': '1' } });
    });
    const response = await fetch(url, { method: 'POST', body: 'a question' });
    expect([response.status, response.headers.get('x-one')]).toEqual([201, '1']);
    expect(await response.text()).toBe('the answer');
    expect(made).toEqual(['POST a question']);
  });

  test('sends no more of a large body than the page has read', async () => {
    let pulls = 0;
    const body = new ReadableStream({
      pull(controller) {
        pulls += 1;
        controller.enqueue(new Uint8Array(windowBytes));
        if (pulls === 5) controller.close();
      },
    });
    const { fetch } = connect(() => Promise.resolve(new Response(body)));
    const response = await fetch(url);
    await settled();
    expect(pulls).toBeLessThan(4);
    expect((await response.bytes()).byteLength).toBe(5 * windowBytes);
  });

  test('is one of several, each with its own response', async () => {
    const { fetch } = connect((request) => Promise.resolve(new Response(request.url)));
    const urls = Array.from({ length: 20 }, (_, index) => `${url}${index}`);
    const texts = await Promise.all(urls.map(async (one) => (await fetch(one)).text()));
    expect(texts).toEqual(urls);
  });

  test('is aborted in the worker when the page aborts it', async () => {
    const signals: AbortSignal[] = [];
    const { fetch } = connect(({ signal }) => {
      signals.push(signal);
      return new Promise(() => undefined);
    });
    const controller = new AbortController();
    const answer = fetch(url, { signal: controller.signal });
    await expect.poll(() => signals).toHaveLength(1);
    controller.abort();
    await expect(answer).rejects.toThrow('aborted');
    await expect.poll(() => signals[0]?.aborted).toBe(true);
  });

  test('is aborted in the worker when the page has gone, to which nothing can be sent', async () => {
    const rejections: unknown[] = [];
    const collect = (reason: unknown) => void rejections.push(reason);
    process.on('unhandledRejection', collect);
    onTestFinished(() => void process.off('unhandledRejection', collect));
    const signals: AbortSignal[] = [];
    const { fetch, page, pageWindow } = connect(
      ({ signal }) =>
        new Promise((_resolve, reject) => {
          signals.push(signal);
          signal.addEventListener('abort', () => reject(new DOMException('Aborted.', 'AbortError')));
        }),
    );
    void fetch(url).catch(() => undefined);
    await expect.poll(() => signals).toHaveLength(1);
    pageWindow.isOpen = false;
    page.end();
    await expect.poll(() => signals[0]?.aborted).toBe(true);
    await settled();
    expect(rejections).toEqual([]);
  });

  test("is hidden from the feature's own listeners", async () => {
    const { fetch, pageWindow } = connect(() => Promise.resolve(new Response('answer')));
    const seen: unknown[] = [];
    pageWindow.addEventListener('message', (event) => seen.push((event as MessageEvent).data));
    await (await fetch(url)).text();
    pageWindow.get('of the feature', {});
    expect(seen).toEqual(['of the feature']);
  });
});

describe('a message with the id of a request', () => {
  test('is ignored if another window has sent it', async () => {
    const { fetch, pageWindow, workerWindow } = connect(() => new Promise(() => undefined));
    const requests = record(workerWindow);
    let status = 'waiting';
    void fetch(url).then(
      () => (status = 'answered'),
      () => (status = 'failed'),
    );
    await expect.poll(() => requests).toHaveLength(1);
    const id = requests[0]?.latchkeyPort;
    const refused = { type: 'failed', name: 'TypeError', message: 'Not from the worker.' };
    pageWindow.get({ latchkeyPort: id, content: refused }, {});
    await settled();
    expect(status).toBe('waiting');
  });

  test('makes no second request', async () => {
    let made = 0;
    const { fetch, workerWindow, source } = connect(() => {
      made += 1;
      return new Promise(() => undefined);
    });
    const requests = record(workerWindow);
    void fetch(url).catch(() => undefined);
    await expect.poll(() => requests).toHaveLength(1);
    // Another page of the extension, which knows the id.
    workerWindow.get(requests[0], { ...source });
    await settled();
    expect(made).toBe(1);
  });

  test.each([null, 7, 'text', {}, { latchkeyPort: 7 }, { latchkeyPort: 'unknown' }, { latchkeyPort: '' }])(
    'is ignored if it is %j',
    async (message) => {
      let made = 0;
      const { workerWindow, pageWindow, source } = connect(() => {
        made += 1;
        return Promise.resolve(new Response());
      });
      workerWindow.get(message, source);
      pageWindow.get(message, source);
      await settled();
      expect(made).toBe(0);
    },
  );
});
