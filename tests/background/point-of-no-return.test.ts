// A cancel and the end of a sign-in at the same moment: one of them wins, and memory, board and vault agree on which.

import { expect, test } from 'vitest';
import { sent } from '../support/fault-scene.ts';
import { rest } from '../support/rest.ts';
import { setUpWorker } from '../support/worker-setup.ts';
import { deferred } from '../support/deferred.ts';
import type { Script } from '../support/scripted-provider.ts';

const picture = 'https://pictures.example/ada.png';

/** Ada is signed in, and Grace's tokens are about to arrive. */
async function changingAccount() {
  const script: Script = { claims: { picture } };
  const worker = setUpWorker({ script });
  await worker.signIn();
  await rest(worker);
  script.claims = { picture, sub: 'grace', email: 'grace@example.com' };
  script.token = { access_token: 'access-2', refresh_token: 'refresh-2' };
  const window = await worker.begin({ type: 'use-another-account' });
  const revoked = () => sent(worker, 'token');
  return { worker, window, revoked };
}

/** Approves, and resolves once the worker is about to store the new session, which waits until `stored` resolves. */
async function approveAndHold(
  { worker, window }: Awaited<ReturnType<typeof changingAccount>>,
  stored: Promise<void>,
) {
  const isStoring = deferred<void>();
  worker.disk.gate = async () => {
    if (worker.provider.paths().filter((path) => path === '/token').length < 2) return;
    isStoring.resolve();
    await stored;
  };
  worker.approve(window);
  await isStoring.promise;
}

test('a cancel before the session is stored wins, and the new tokens are revoked', async () => {
  const { worker, window, revoked } = await changingAccount();
  const [asked, cancelled] = [deferred<void>(), deferred<void>()];
  worker.script.answers = {
    '/token': async () => {
      asked.resolve();
      await cancelled.promise;
      return Response.json(await worker.provider.tokenAnswer());
    },
  };
  worker.approve(window);
  await asked.promise;
  await worker.send({ type: 'cancel' });
  cancelled.resolve();
  await expect.poll(revoked).toEqual(['refresh-2']);
  expect(worker.session()).toMatchObject({ profile: { subject: 'ada' }, problem: null });
  worker.restartWorker();
  await worker.send({ type: 'open' });
  expect(worker.session()).toMatchObject({ profile: { subject: 'ada' } });
});

test('a cancel while the session is being stored waits, and the person is signed in', async () => {
  const scene = await changingAccount();
  const { worker, revoked } = scene;
  const stored = deferred<void>();
  await approveAndHold(scene, stored.promise);
  const cancelled = worker.send({ type: 'cancel' });
  stored.resolve();
  expect(await cancelled).toEqual({ ok: true });
  const grace = { status: 'signed-in', profile: { subject: 'grace' }, problem: null };
  expect(await worker.untilSettled()).toMatchObject(grace);
  await expect.poll(revoked).toEqual(['refresh-1']);
  worker.restartWorker();
  await worker.send({ type: 'open' });
  expect(worker.session()).toMatchObject(grace);
});
