// A slow API. The test is one long wait, so it has a file of its own, which runs beside others.

import { setTimeout as pass } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ask, askInWorker, readNotes, setUpSample } from '../support/browser/sample.ts';

/** One and a half times as long as a browser keeps an idle worker. */
const slowMs = 45_000;

test('an API may take 45 s to respond, to a page and to the worker', async () => {
  const text = JSON.stringify({ ms: slowMs });
  // In separate browsers, because one request would keep the worker alive for the other.
  const inPage = async () => {
    const { popup, api } = await setUpSample();
    expect(await ask(popup, `${api}/slow?ms=${slowMs}`)).toEqual({ status: 200, text });
  };
  const inWorker = async () => {
    const { extension, popup, api } = await setUpSample();
    await askInWorker(popup, `${api}/slow?ms=${slowMs}`);
    await pass(slowMs);
    await expect.poll(() => readNotes(extension), { timeout: 20_000 }).toContain(text);
  };
  await Promise.all([inPage(), inWorker()]);
}, 150_000);
