// A sign-out meets a provider that fails, or a renewal.

import { expect, test } from 'vitest';
import { deferred } from '../../support/deferred.ts';
import {
  count,
  expectSession,
  hour,
  open,
  sent,
  signedIn,
  signOut,
  status,
} from '../../support/fault-scene.ts';

test('F59: the provider is down at the sign-out', async () => {
  for (const answer of [
    () => status(503),
    () => Promise.reject(new TypeError('Failed to fetch')),
    () => Promise.race<Response>([]),
  ]) {
    const { worker, script } = await signedIn();
    script.answers = { '/revoke': answer };
    expect(await signOut(worker)).toEqual({ ok: true });
    expect(worker.readBoard()?.session).toEqual({
      status: 'signed-out',
      problem: null,
      lastAccount: null,
      providerSession: null,
    });
  }
});

test('F60: the person signs out during a renewal', async () => {
  const { worker, script, clock } = await signedIn();
  clock.nowMs += hour;
  const late = deferred<Response>();
  script.answers = { '/token': () => late.promise };
  await open(worker);
  await expect.poll(() => count(worker, '/token')).toBe(2);
  await signOut(worker);
  late.resolve(Response.json({ access_token: 'late', token_type: 'Bearer', refresh_token: 'refresh-late' }));
  await expect.poll(() => sent(worker, 'token').toSorted()).toEqual(['refresh-1', 'refresh-late']);
  await expectSession(worker, { status: 'signed-out', problem: null });
});
