// A worker dies while the sign-in window is open. In Chromium the window survives, and its response is lost.

import { expect, test } from 'vitest';
import { interrupted } from '../support/fault-scene.ts';
import { setUpWorker } from '../support/worker-setup.ts';

test.each([
  ['a page opens', 'open'],
  ['a page that shows it wakes the worker', 'prepare'],
] as const)(
  'a left-over sign-in is interrupted when %s, and nothing is tried without a click',
  async (_when, type) => {
    const worker = setUpWorker();
    await worker.beginShown({ type: 'sign-in', providerId: 'scripted', hint: 'ada@example.com' });
    // The worker knows its window by now.
    expect(await worker.showWindow()).toEqual({ ok: true });
    worker.silence.answer = worker.provider.approve;
    worker.restartWorker();
    await worker.send({ type });
    await worker.rest();
    expect(worker.session()).toMatchObject(interrupted);
    expect(worker.silence.urls).toEqual([]);
  },
);
