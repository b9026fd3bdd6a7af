// A write that fails once, or for good: nothing stays that only a restart would end.

import { describe, expect, test, vi } from 'vitest';
import { ProblemError } from '../../src/session/problem.ts';
import { deferred } from '../support/deferred.ts';
import { adaIsSignedIn, hour, signedIn, setUpWorker } from '../support/worker-setup.ts';
import { rewriteRecord } from '../support/held.ts';
import { signOutMarkKey } from '../../src/background/storage.ts';
import { deadlineMs } from '../../src/concurrency.ts';

const full = new Error('QuotaExceeded');
const broken = new ProblemError('storage-failed');
const signIn = { type: 'sign-in', providerId: 'scripted' } as const;

/** Ada is signed in, and the record can no longer be used. */
async function signedInOnBroken() {
  const { worker } = await signedIn();
  await worker.rest();
  worker.disk.failure = broken;
  return worker;
}

describe('a board that cannot be written', () => {
  test('at the start of a sign-in refuses it, and the next click starts one', async () => {
    const worker = setUpWorker();
    await worker.open();
    worker.local.failure = full;
    expect(await worker.send(signIn)).toMatchObject({ ok: false, problem: { code: 'storage-failed' } });
    expect(worker.windows).toEqual([]);
    worker.local.failure = null;
    expect((await worker.signIn()).session).toMatchObject({ status: 'signed-in', problem: null });
  });

  test('at the end of a sign-in is written when the next page opens', async () => {
    const worker = setUpWorker();
    const window = await worker.begin();
    worker.local.failure = full;
    worker.approve(window);
    await worker.rest();
    expect(worker.session()?.status).toBe('signing-in');
    worker.local.failure = null;
    await worker.open();
    expect(worker.session()).toMatchObject({ status: 'signed-in', profile: { subject: 'ada' } });
  });

  test('does not keep a user signed in who signs out', async () => {
    const { worker } = await signedIn();
    worker.local.failure = full;
    // The page, which the board cannot tell, learns it from the reply.
    expect(await worker.signOut()).toMatchObject({ ok: false, problem: { code: 'storage-failed' } });
    await expect.poll(worker.revoked).toEqual(['refresh-1']);
    worker.local.failure = null;
    await worker.open();
    expect(worker.session()?.status).toBe('signed-out');
  });
});

describe('a vault that cannot be emptied', () => {
  test.each(['worker', 'next worker'])(
    'signs the user out, says so, and is emptied by the %s',
    async (by) => {
      const worker = await signedInOnBroken();
      expect(await worker.signOut()).toEqual({ ok: true });
      expect(worker.session()).toMatchObject({ status: 'signed-out', problem: { code: 'storage-failed' } });
      worker.disk.failure = null;
      await (by === 'next worker' ? worker.reopen() : worker.open());
      expect(worker.session()?.status).toBe('signed-out');
      await expect.poll(worker.revoked).toEqual(['refresh-1']);
    },
  );

  test('is one that the user has signed out of, also if it is lost before the next worker starts', async () => {
    const worker = await signedInOnBroken();
    await worker.signOut();
    await rewriteRecord(worker, () => ({ session: null }));
    worker.restartWorker();
    worker.disk.failure = null;
    await worker.open();
    expect((await worker.held()).isSignedOutOnPurpose).toBe(true);
  });

  // The second time, it's no longer known whose session it is.
  test.each([1, 2])(
    'after %i sign-outs leaves the session of a user who has signed in since',
    async (signOuts) => {
      const worker = await signedInOnBroken();
      for (let clicks = 0; clicks < signOuts; clicks += 1) await worker.signOut();
      worker.disk.failure = null;
      await worker.signIn();
      for (let pages = 0; pages < 2; pages += 1) await worker.open();
      await worker.reopen();
      expect(worker.session()).toMatchObject({ status: 'signed-in', problem: null });
    },
  );

  test('is emptied by the next worker, also if a write before the sign-out never ends', async () => {
    const { worker, clock } = await signedIn();
    await worker.rest();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    worker.disk.gate = () => new Promise(() => undefined);
    clock.nowMs += hour;
    await worker.open();
    await worker.rest();
    const signedOut = worker.signOut();
    await vi.advanceTimersByTimeAsync(deadlineMs);
    expect(await signedOut).toEqual({ ok: true });
    worker.disk.gate = () => Promise.resolve();
    await worker.reopen();
    expect((await worker.held()).session).toBeNull();
  });
});

test.each([1, 2])('the note of %i sign-outs is gone once the vault is emptied', async (clicks) => {
  const { worker } = await signedIn({ token: { refresh_token: undefined, access_token: 'a' } });
  await worker.rest();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const late = deferred<void>();
  worker.disk.gate = () => late.promise;
  const signOuts = Array.from({ length: clicks }, () => worker.signOut());
  await worker.rest();
  await vi.advanceTimersByTimeAsync(3_000);
  await worker.rest();
  await vi.advanceTimersByTimeAsync(1);
  await Promise.all(signOuts);
  expect(worker.local.items.has(signOutMarkKey)).toBe(true);
  late.resolve();
  await worker.rest();
  expect((await worker.held()).session).toBeNull();
  expect(worker.local.items.has(signOutMarkKey)).toBe(false);
});

test('a sign-out is accepted by a worker that cannot read its vault, and refused only if nothing can be written', async () => {
  const worker = await signedInOnBroken();
  worker.restartWorker();
  worker.local.failure = full;
  expect(await worker.signOut()).toMatchObject({ ok: false, problem: { code: 'storage-failed' } });
  worker.local.failure = null;
  expect(await worker.signOut()).toEqual({ ok: true });
  expect(worker.session()).toMatchObject({ status: 'signed-out', problem: { code: 'storage-failed' } });
  worker.disk.failure = null;
  await worker.open();
  expect(worker.session()?.status).toBe('signed-out');
  await expect.poll(worker.revoked).toEqual(['refresh-1']);
});

test('a vault that cannot be read refuses the page that opens, and the session is there once it can', async () => {
  const { worker } = await signedIn();
  worker.disk.failure = broken;
  worker.restartWorker();
  expect(await worker.open()).toMatchObject({ ok: false, problem: { code: 'storage-failed' } });
  worker.disk.failure = null;
  expect(await worker.open()).toEqual({ ok: true });
  await worker.expectSession(adaIsSignedIn);
});
