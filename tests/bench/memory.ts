// The worker's heap after 1,000 renewals and after 10,000 calls, beside the heap after the first; and the requests of a
// renewal.

import type { CDPSession } from 'puppeteer-core';
import type { OnStop } from '../../tools/command.ts';
import { openFeature, timeCalls } from './calls.ts';
import type { Measured, Row } from './results.ts';
import { withScene, type Scene } from './scene.ts';

const renewals = 1_000;
const calls = 10_000;

export async function measureMemory(onStop: OnStop): Promise<Measured> {
  // A token in its last 30 s is renewed at each call.
  const renewed = await measureHeap(onStop, 20, renewals);
  const called = await measureHeap(onStop, 3_600, calls);
  const toRow = (id: string, what: string, { first, last }: Heap): Row => ({
    id,
    what,
    place: 'chrome',
    unit: 'MB',
    value: last,
    limits: [{ name: 'after the first', value: first }],
    peers: [],
  });
  return {
    rows: [
      {
        id: 'requests-renewal',
        what: 'requests for a renewal',
        place: 'chrome',
        unit: 'requests',
        value: renewed.requests / renewals,
        limits: [{ name: 'the token request', value: 1 }],
        peers: [],
      },
      toRow('memory-renewals', "the worker's heap after 1,000 renewals", renewed),
      toRow('memory-calls', "the worker's heap after 10,000 calls", called),
    ],
    plots: [],
  };
}

interface Heap {
  /** In MB. */
  readonly first: number;
  readonly last: number;
}

/** Makes one call, then `count` more, with access tokens of this lifetime. */
function measureHeap(
  onStop: OnStop,
  accessTokenSeconds: number,
  count: number,
): Promise<Heap & { readonly requests: number }> {
  const options = { browser: 'chrome', feature: 'sample', provider: { accessTokenSeconds } } as const;
  return withScene(onStop, options, async (scene) => {
    const popup = await openFeature(scene);
    const url = `${scene.echo.origin}/bytes?length=1000`;
    const worker = await attachToWorker(scene);
    await timeCalls(popup, 'feature', url, 1, 'one by one');
    const first = await readHeap(worker);
    const before = scene.demo.requests.length;
    await timeCalls(popup, 'feature', url, count, 'one by one');
    const requests = scene.demo.requests.length - before;
    return { first, last: await readHeap(worker), requests };
  });
}

async function attachToWorker({ browser }: Scene): Promise<CDPSession> {
  const target = await browser.browser.waitForTarget(
    (found) => found.type() === 'service_worker' && found.url().includes(browser.extensionId),
  );
  return target.createCDPSession();
}

/** The size of what is reachable, in MB. */
async function readHeap(worker: CDPSession): Promise<number> {
  // An object with a finalizer goes with the second collection.
  for (let run = 0; run < 2; run += 1) await worker.send('HeapProfiler.collectGarbage');
  const { usedSize } = await worker.send('Runtime.getHeapUsage');
  return usedSize / 1_000_000;
}
