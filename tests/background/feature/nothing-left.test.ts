// Many requests of a feature, and what they leave behind.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { FeatureWorkerProps } from '../../../src/feature/feature-props.ts';
import { isLong } from '../../support/extent.ts';
import { followListeners } from '../../support/listeners.ts';
import { settled } from '../../support/port-pair.ts';
import { apiOrigin } from '../../support/scripted-api.ts';
import { setUpWorker } from '../../support/worker-setup.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Enough that one left behind by each would be seen. */
const requestCount = isLong ? 1000 : 20;

const things = `${apiOrigin}/things`;
const picture = 'https://pictures.example/ada.png';

async function signedIn() {
  const given: { props: FeatureWorkerProps | null } = { props: null };
  const worker = setUpWorker({
    script: { claims: { picture } },
    startFeature: (props) => void (given.props = props),
  });
  expect((await worker.signIn()).session.status).toBe('signed-in');
  const inWorker: typeof fetch = (...args) => given.props?.fetch(...args) ?? Promise.reject(new Error());
  return { worker, inWorker };
}

let listeners: ReturnType<typeof followListeners>;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  listeners = followListeners();
});
afterEach(() => {
  listeners.stop();
});

const sum = (counts: Readonly<Record<string, number>>) =>
  Object.values(counts).reduce((one, other) => one + other, 0);

/** The ways in which a feature uses its requests. */
const uses: [string, (send: typeof fetch, signal: AbortSignal) => Promise<unknown>][] = [
  ['reads the responses', async (send, signal) => (await send(things, { signal })).text()],
  ['cancels the responses', async (send, signal) => (await send(things, { signal })).body?.cancel()],
  ['leaves the responses unread', (send, signal) => send(things, { signal })],
  [
    'sends requests that are refused',
    (send, signal) => send('https://evil.example', { signal }).catch(() => undefined),
  ],
  [
    'aborts the requests',
    async (send) => {
      const controller = new AbortController();
      const answer = send(things, { signal: controller.signal }).catch(() => undefined);
      // By then a page's request is on its way.
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      controller.abort();
      return answer;
    },
  ],
];

describe.each(uses)('a feature that %s', (_title, use) => {
  test.each(['page', 'worker'] as const)('leaves nothing behind in its %s', async (place) => {
    const { worker, inWorker } = await signedIn();
    const send = place === 'page' ? worker.fetch : inWorker;
    const { signal } = new AbortController();
    const before = listeners.left();
    for (let count = 0; count < requestCount; count += 1) await use(send, signal);
    await settled();
    await expect
      .poll(() => {
        const left = listeners.left();
        // It takes long, and most ways leave nothing to collect.
        if (sum(left) > sum(before)) collectGarbage();
        return left;
      })
      .toEqual(before);
    expect(worker.wayToWorker.openPorts.size).toBe(0);
    // The page's own lock, and the wait for the worker's.
    expect(worker.page.count()).toBeLessThanOrEqual(2);
    // A step that has waited for its time may call the browser and the database, which takes turns of the real event loop.
    const pass = async () => {
      await worker.rest();
      await vi.advanceTimersByTimeAsync(60_000);
    };
    await pass();
    await pass();
    await worker.rest();
    expect(vi.getTimerCount()).toBe(0);
  });
});

test('an abort fails the unread rest of a response whose reader alone is left', async () => {
  const { worker } = await signedIn();
  const controller = new AbortController();
  const reader = (await worker.fetch(things, { signal: controller.signal })).body?.getReader();
  await settled();
  collectGarbage();
  await settled();
  controller.abort(new Error('Enough.'));
  await expect(reader?.read()).rejects.toThrow('Enough.');
});
