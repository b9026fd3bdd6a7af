// The memory that the worker needs at rest: after its first renewal, and after 1,000.
//
// The code that the browser compiles grows for thousands of repetitions, while it finds out what runs often, and says
// nothing about a leak. So the row is without it.

import { setTimeout as pass } from 'node:timers/promises';
import type { CDPSession } from 'puppeteer-core';
import { timeoutMs } from '../../src/oidc/http.ts';
import type { OnStop } from '../command.ts';
import { openFeature, timeCalls } from './calls.ts';
import type { Row } from './rows.ts';
import { withScene } from './scene.ts';

/** The browser keeps the signal of a timeout until it has passed, although the request ended long before. */
const restMs = timeoutMs + 1_000;

export function measureMemory(onStop: OnStop): Promise<readonly Row[]> {
  return withScene(onStop, { browser: 'chrome', feature: 'sample' }, async (scene) => {
    const { browser, extensionId } = scene.browser;
    const popup = await openFeature(scene);
    const target = await browser.waitForTarget(
      (found) => found.type() === 'service_worker' && found.url().includes(extensionId),
    );
    const worker = await target.createCDPSession();
    let renewals = 0;
    const readAfter = async (count: number) => {
      // A token that an API refuses is renewed at each call.
      const url = `${scene.echo.origin}/refuse-every-other`;
      await timeCalls(popup, 'feature', url, count - renewals, 'one by one');
      renewals = count;
      await pass(restMs);
      return (await readHeapBytes(worker)) / 1e6;
    };
    const first = await readAfter(1);
    // By then everything that has a maximum is full, such as the secrets that are remembered.
    const full = await readAfter(100);
    return [
      {
        id: 'memory-renewals',
        what: "the worker's memory after 1,000 renewals, without compiled code",
        browser: 'chrome',
        unit: 'MB',
        value: await readAfter(1_000),
        limits: { 'after 100': full, 'after the first': first },
        peers: {},
      },
    ];
  });
}

/** A heap snapshot of V8: a flat list of numbers, a few for each object. */
interface Snapshot {
  readonly snapshot: {
    readonly meta: {
      /** The names of an object's numbers. */
      readonly node_fields: readonly string[];
      /** By the position of the field: the names of its values, or the type of all of them. */
      readonly node_types: readonly (readonly string[] | string)[];
    };
  };
  readonly nodes: readonly number[];
}

/** The size of what is reachable in the worker, without compiled code. */
async function readHeapBytes(worker: CDPSession): Promise<number> {
  // An object with a finalizer goes with the second collection.
  for (let run = 0; run < 2; run += 1) await worker.send('HeapProfiler.collectGarbage');
  const chunks: string[] = [];
  const onChunk = ({ chunk }: { readonly chunk: string }) => void chunks.push(chunk);
  worker.on('HeapProfiler.addHeapSnapshotChunk', onChunk);
  await worker.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  worker.off('HeapProfiler.addHeapSnapshotChunk', onChunk);
  const { snapshot, nodes } = JSON.parse(chunks.join('')) as Snapshot;
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [type, size] = [fields.indexOf('type'), fields.indexOf('self_size')];
  const code = types[type]?.indexOf('code') ?? -1;
  if (size === -1 || code === -1) throw new Error('The heap snapshot has another form than expected.');
  let bytes = 0;
  for (let at = 0; at < nodes.length; at += fields.length) {
    if (nodes[at + type] !== code) bytes += nodes[at + size] ?? 0;
  }
  return bytes;
}
