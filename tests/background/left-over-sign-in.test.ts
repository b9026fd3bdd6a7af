// A worker dies while the sign-in window is open. In Chromium the window survives, and its response is lost.

import { expect, test } from 'vitest';
import { setUpWorker, type Worker } from '../support/worker-setup.ts';

/** A worker that died while the window was open, and a person who is signed in at the provider by now. */
async function leftOver(worker: Worker): Promise<Worker> {
  (await worker.begin({ type: 'sign-in', providerId: 'scripted', hint: 'ada@example.com' })).appear();
  // The worker knows its window by now.
  expect(await worker.send({ type: 'show-window' })).toEqual({ ok: true });
  worker.silence.answer = worker.provider.approve;
  worker.restartWorker();
  return worker;
}

test.each([
  ['a page opens', 'open'],
  ['a page that shows it wakes the worker', 'prepare'],
] as const)(
  'a left-over sign-in is interrupted when %s, and nothing is tried without a click',
  async (_when, type) => {
    const worker = await leftOver(setUpWorker());
    await worker.send({ type });
    await worker.rest();
    expect(worker.session()).toMatchObject({
      status: 'signed-out',
      problem: { code: 'interrupted' },
    });
    expect(worker.silence.urls).toEqual([]);
  },
);
