// The memory that the worker keeps after 1,000 renewals and after 10,000 calls, beside that after fewer; and the
// requests of a renewal.
//
// The code that the browser compiles grows for thousands of repetitions, while it finds out what runs often, and says
// nothing about a leak. So it is a line of its own in the plots, and the rows are without it.

import { setTimeout as pass } from 'node:timers/promises';
import type { CDPSession } from 'puppeteer-core';
import { timeoutMs } from '../../src/oidc/exchange.ts';
import type { OnStop } from '../../tools/command.ts';
import { openFeature, timeCalls } from './calls.ts';
import { readSnapshot } from './heap-snapshot.ts';
import type { Measured, Plot, Row } from './results.ts';
import { withScene, type Scene } from './scene.ts';

/** After how many the heap is read. The last of them is the one of the row. */
const renewals = [1, 10, 100, 300, 1_000] as const;
const calls = [1, 10, 100, 1_000, 10_000] as const;
/** The browser keeps the signal of a timeout until it has passed, although the request ended long before. */
const restMs = timeoutMs + 1_000;
/** By then everything that has a maximum is full, such as the secrets that are remembered. */
const full = 100;

export async function measureRenewals(onStop: OnStop): Promise<Measured> {
  // A token that an API refuses is renewed at each call.
  const path = '/refuse-every-other';
  const { heaps, requests: sent } = await measureHeaps(onStop, path, renewals, 'one by one');
  const requests: Row = {
    id: 'requests-renewal',
    what: 'requests for a renewal',
    place: 'chrome',
    unit: 'requests',
    value: sent / (renewals.at(-1) ?? NaN),
    limits: [{ name: 'the token request', value: 1 }],
    peers: [],
  };
  return {
    rows: [requests, toRow('memory-renewals', '1,000 renewals', heaps)],
    plots: [toPlot('memory-renewals', 'renewals', heaps)],
  };
}

export async function measureManyCalls(onStop: OnStop): Promise<Measured> {
  const { heaps } = await measureHeaps(onStop, '/bytes?length=1000', calls, 'at once');
  return {
    rows: [toRow('memory-calls', '10,000 calls', heaps)],
    plots: [toPlot('memory-calls', 'calls', heaps)],
  };
}

/** The heap after `count` repetitions, in MB. */
interface Heap {
  readonly count: number;
  readonly all: number;
  /** Without compiled code. */
  readonly kept: number;
}

function toRow(id: string, what: string, heaps: readonly Heap[]): Row {
  const keptAfter = (count: number) => heaps.find((heap) => heap.count === count)?.kept ?? NaN;
  return {
    id,
    what: `the worker's memory after ${what}, without compiled code`,
    place: 'chrome',
    unit: 'MB',
    value: heaps.at(-1)?.kept ?? NaN,
    limits: [
      { name: `after ${full}`, value: keptAfter(full) },
      { name: 'after the first', value: keptAfter(1) },
    ],
    peers: [],
  };
}

function toPlot(id: string, what: string, heaps: readonly Heap[]): Plot {
  return {
    id,
    title: `The worker's memory, by ${what}`,
    place: 'chrome',
    size: what,
    value: 'memory, MB',
    lines: [
      { name: 'without compiled code', points: heaps.map(({ count, kept }) => [count, kept]) },
      { name: 'compiled code too', points: heaps.map(({ count, all }) => [count, all]) },
    ],
  };
}

/** Calls an API at this path again and again. Counts the requests to the provider meanwhile. */
function measureHeaps(
  onStop: OnStop,
  path: string,
  counts: readonly number[],
  order: 'one by one' | 'at once',
): Promise<{ readonly heaps: readonly Heap[]; readonly requests: number }> {
  const options = { browser: 'chrome', feature: 'sample', provider: { accessTokenSeconds: 3_600 } } as const;
  return withScene(onStop, options, async (scene) => {
    const popup = await openFeature(scene);
    const url = scene.echo.origin + path;
    const worker = await attachToWorker(scene);
    const before = scene.demo.requests.length;
    const heaps: Heap[] = [];
    let called = 0;
    for (const count of counts) {
      while (called < count) {
        const times = order === 'at once' ? Math.min(100, count - called) : count - called;
        await timeCalls(popup, 'feature', url, times, order);
        called += times;
      }
      await pass(restMs);
      heaps.push({ count, ...(await readHeap(worker)) });
    }
    return { heaps, requests: scene.demo.requests.length - before };
  });
}

async function attachToWorker({ browser }: Scene): Promise<CDPSession> {
  const target = await browser.browser.waitForTarget(
    (found) => found.type() === 'service_worker' && found.url().includes(browser.extensionId),
  );
  return target.createCDPSession();
}

/** The size of what is reachable, in MB. */
async function readHeap(worker: CDPSession): Promise<Omit<Heap, 'count'>> {
  // An object with a finalizer goes with the second collection.
  for (let run = 0; run < 2; run += 1) await worker.send('HeapProfiler.collectGarbage');
  const chunks: string[] = [];
  const onChunk = ({ chunk }: { readonly chunk: string }) => void chunks.push(chunk);
  worker.on('HeapProfiler.addHeapSnapshotChunk', onChunk);
  await worker.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  worker.off('HeapProfiler.addHeapSnapshotChunk', onChunk);
  const { all, code } = readSnapshot(chunks.join(''));
  return { all: all / 1e6, kept: (all - code) / 1e6 };
}
