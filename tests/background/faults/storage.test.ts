// The storage is damaged, full or gone.

import { expect, test } from 'vitest';
import { words } from '../../../src/session/detail.ts';
import { ProblemError } from '../../../src/session/problem.ts';
import {
  adaIsSignedIn,
  count,
  expectSession,
  expectSignInToWork,
  open,
  sent,
  signedIn,
  signingIn,
} from '../../support/fault-scene.ts';

test('F32: the stored board is damaged or of another version', async () => {
  for (const board of ['x', { version: 0 }, { version: 2, session: 'x' }]) {
    const { worker } = await signedIn();
    worker.local.items.set('board', board);
    worker.restartWorker();
    await open(worker);
    await expectSession(worker, adaIsSignedIn);
  }
});

test('F33: the storage is full', async () => {
  const { worker, window } = await signingIn();
  await expect.poll(() => count(worker, '/keys')).toBe(1);
  worker.disk.failure = new ProblemError('storage-failed', words`QuotaExceededError`);
  worker.approve(window);
  await expectSession(worker, { status: 'signed-out', problem: { code: 'storage-failed' } });
  await expect.poll(() => sent(worker, 'token')).toEqual(['refresh-1']);
  worker.disk.failure = null;
  await expectSignInToWork({ worker });
});

test('F34: the database cannot be opened', async () => {
  const { worker } = await signedIn();
  worker.disk.failure = new ProblemError('storage-failed', words`InvalidStateError`);
  worker.restartWorker();
  expect(await open(worker)).toMatchObject({ ok: false, problem: { code: 'storage-failed' } });
  worker.disk.failure = null;
  expect(await open(worker)).toEqual({ ok: true });
  await expectSession(worker, adaIsSignedIn);
});
