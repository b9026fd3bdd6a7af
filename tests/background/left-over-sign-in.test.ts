// A worker dies while the sign-in window is open. In Chromium the window survives, and its response is lost.

import { expect, test } from 'vitest';
import { rest } from '../support/rest.ts';
import { setUpWorker } from '../support/worker-setup.ts';

type Worker = ReturnType<typeof setUpWorker>;

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
    await rest(worker);
    expect(worker.session()).toMatchObject({
      status: 'signed-out',
      problem: { code: 'interrupted' },
    });
    expect(worker.silence.urls).toEqual([]);
  },
);

test('a person whose change of account was interrupted keeps their session', async () => {
  const worker = setUpWorker();
  await worker.signIn();
  await leftOver(worker);
  await worker.send({ type: 'open' });
  expect(await worker.untilSettled()).toMatchObject({
    status: 'signed-in',
    profile: { subject: 'ada' },
    problem: { code: 'interrupted' },
  });
});

test('a worker that dies after an automatic sign-in was stored leaves no word of an interruption', async () => {
  const worker = setUpWorker();
  await worker.signIn();
  await rest(worker);
  // The board as it was before.
  const board = worker.readBoard();
  worker.area.items.set('board', { ...board, session: { ...signedOutBoard } });
  worker.restartWorker();
  await worker.send({ type: 'open' });
  expect(worker.session()).toMatchObject({ status: 'signed-in', problem: null });
});

const signedOutBoard = { status: 'signed-out', problem: null, lastAccount: null, providerSession: null };
