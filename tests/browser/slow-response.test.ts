// A slow API. The tests are long waits, so they have a file of their own, which runs beside others.

import { setTimeout as pass } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { ask, askInWorker, readNotes, setUpSample } from '../support/browser/sample.ts';

vi.setConfig({ testTimeout: 120_000 });

/** Longer than a browser keeps an idle worker, which is 30 s. */
const slowMs = 38_000;
const text = JSON.stringify({ ms: slowMs });

test('a page gets the response of an API that takes longer than an idle worker lives', async () => {
  const { popup, api } = await setUpSample();
  expect(await ask(popup, `${api}/slow?ms=${slowMs}`)).toEqual({ status: 200, text });
});

test('the worker gets the response of an API that takes longer than an idle worker lives', async () => {
  const { extension, popup, api } = await setUpSample();
  await askInWorker(popup, `${api}/slow?ms=${slowMs}`);
  await pass(slowMs);
  await expect.poll(() => readNotes(extension), { timeout: 20_000 }).toContain(text);
});
