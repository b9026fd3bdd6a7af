// The storage is damaged, full or gone.

import { expect, test } from 'vitest';
import { detail } from '../../../src/session/detail.ts';
import { ProblemError } from '../../../src/session/problem.ts';
import { adaIsSignedIn, expectSignInToWork, signedIn, signingIn } from '../../support/fault-scene.ts';

test('F32: the stored board is damaged or of another version', async () => {
  for (const board of ['x', { version: 0 }, { version: 2, session: 'x' }]) {
    const { worker } = await signedIn();
    worker.local.items.set('board', board);
    await worker.reopen();
    await worker.expectSession(adaIsSignedIn);
  }
});

test('F33: the storage is full', async () => {
  const { worker, window } = await signingIn();
  await expect.poll(() => worker.count('/keys')).toBe(1);
  worker.disk.failure = new ProblemError('storage-failed', detail`QuotaExceededError`);
  worker.approve(window);
  await worker.expectSession({ status: 'signed-out', problem: { code: 'storage-failed' } });
  await expect.poll(worker.revoked).toEqual(['refresh-1']);
  worker.disk.failure = null;
  await expectSignInToWork({ worker });
});

test('F34: the database cannot be opened', async () => {
  const { worker } = await signedIn();
  worker.disk.failure = new ProblemError('storage-failed', detail`InvalidStateError`);
  worker.restartWorker();
  expect(await worker.open()).toMatchObject({ ok: false, problem: { code: 'storage-failed' } });
  worker.disk.failure = null;
  expect(await worker.open()).toEqual({ ok: true });
  await worker.expectSession(adaIsSignedIn);
});
