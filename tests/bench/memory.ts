// The worker's heap after 1,000 renewals and after 10,000 calls, beside the heap after the first; and the requests of a
// renewal.

import type { CDPSession, Page } from 'puppeteer-core';
import type { OnStop } from '../../tools/command.ts';
import { openFeature, timeCalls } from './calls.ts';
import type { Measured, Row } from './results.ts';
import { withScene, type Scene } from './scene.ts';

const renewals = 1_000;
const calls = 10_000;

export async function measureRenewals(onStop: OnStop): Promise<Measured> {
  // A token in its last 30 s is renewed at each call.
  const heap = await measureHeap(onStop, 20, (popup, url) => callOneByOne(popup, url, renewals));
  const requests: Row = {
    id: 'requests-renewal',
    what: 'requests for a renewal',
    place: 'chrome',
    unit: 'requests',
    value: heap.requests / renewals,
    limits: [{ name: 'the token request', value: 1 }],
    peers: [],
  };
  return { rows: [requests, toRow('memory-renewals', 'after 1,000 renewals', heap)], plots: [] };
}

export async function measureManyCalls(onStop: OnStop): Promise<Measured> {
  const heap = await measureHeap(onStop, 3_600, async (popup, url) => {
    for (let called = 0; called < calls; called += 100)
      await timeCalls(popup, 'feature', url, 100, 'at once');
  });
  return { rows: [toRow('memory-calls', 'after 10,000 calls', heap)], plots: [] };
}

function callOneByOne(popup: Page, url: string, count: number): Promise<number> {
  return timeCalls(popup, 'feature', url, count, 'one by one');
}

function toRow(id: string, when: string, { first, last }: Heap): Row {
  return {
    id,
    what: `the worker's heap ${when}`,
    place: 'chrome',
    unit: 'MB',
    value: last,
    limits: [{ name: 'after the first', value: first }],
    peers: [],
  };
}

interface Heap {
  /** In MB. */
  readonly first: number;
  readonly last: number;
}

/** Measures before and after `work`, with access tokens of this lifetime. Counts the requests to the provider meanwhile. */
function measureHeap(
  onStop: OnStop,
  accessTokenSeconds: number,
  work: (popup: Page, url: string) => Promise<unknown>,
): Promise<Heap & { readonly requests: number }> {
  const options = { browser: 'chrome', feature: 'sample', provider: { accessTokenSeconds } } as const;
  return withScene(onStop, options, async (scene) => {
    const popup = await openFeature(scene);
    const url = `${scene.echo.origin}/bytes?length=1000`;
    const worker = await attachToWorker(scene);
    await callOneByOne(popup, url, 1);
    const first = await readHeap(worker);
    const before = scene.demo.requests.length;
    await work(popup, url);
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
