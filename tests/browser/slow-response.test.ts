// An API that takes one and a half times as long to respond as the browser keeps an idle worker: 30 s in Chromium, and in Firefox as
// long as its settings say. The tests are long waits, so they have a file of their own, which runs beside others.

import { setTimeout as pass } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { ask, askInWorker, readNotes, setUpSample } from '../support/browser/sample.ts';
import { browserName } from '../support/browser/setup.ts';

vi.setConfig({ testTimeout: 120_000 });

const slowMs = browserName === 'firefox' ? 7_500 : 45_000;
const setUp = () => setUpSample({ firefoxPreferences: { 'extensions.background.idle.timeout': 5_000 } });
const text = JSON.stringify({ ms: slowMs });

test('a page gets the response of an API that takes longer than an idle worker lives', async () => {
  const { popup, api } = await setUp();
  expect(await ask(popup, `${api}/slow?ms=${slowMs}`)).toEqual({ status: 200, text });
});

test('the worker gets the response of an API that takes longer than an idle worker lives', async () => {
  const { extension, popup, api } = await setUp();
  await askInWorker(popup, `${api}/slow?ms=${slowMs}`);
  await pass(slowMs);
  await expect.poll(() => readNotes(extension), { timeout: 20_000 }).toContain(text);
});
