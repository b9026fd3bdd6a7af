// A worker finds what a worker of an older or a newer version has stored: after an update, or after a way back.

import { describe, expect, test } from 'vitest';
import {
  adaIsSignedIn,
  count,
  expectSession,
  expectSignInToWork,
  expired,
  hour,
  open,
  sent,
  signedIn,
  signOut,
} from '../support/fault-scene.ts';
import { listRemains, rewriteRecord, storeAsBeforeTheRecord } from '../support/held.ts';
import { rest } from '../support/rest.ts';

/** Opens the database as a later version would that needs another store. */
async function raiseDatabase(): Promise<void> {
  const request = indexedDB.open('latchkey', 2);
  await new Promise<void>((resolve, reject) => {
    request.addEventListener('success', () => resolve());
    request.addEventListener('error', () => reject(request.error as Error));
  });
  request.result.close();
}

describe('an update', () => {
  test('keeps the session, and asks the provider for nothing', async () => {
    const { worker } = await signedIn({ claims: { picture: 'https://pictures.example/ada.png' } });
    const asked = worker.provider.requests.length;
    worker.restartWorker();
    worker.install('update');
    await open(worker);
    await expectSession(worker, adaIsSignedIn);
    expect(worker.provider.requests).toHaveLength(asked);
  });

  test('keeps a session whose record has only the members of the first version', async () => {
    const { worker } = await signedIn();
    await rest(worker);
    await storeAsBeforeTheRecord(
      worker,
      ({ originalClaims: _o, renewalSentAtMs: _r, silentTriedAtMs: _s, pause: _p, ...first }) => first,
    );
    worker.restartWorker();
    await open(worker);
    await expectSession(worker, adaIsSignedIn);
  });

  test('keeps the tokens that are to be revoked', async () => {
    const { worker } = await signedIn();
    worker.network.isOnline = false;
    await signOut(worker);
    await rest(worker);
    await storeAsBeforeTheRecord(worker);
    worker.network.isOnline = true;
    worker.restartWorker();
    await open(worker);
    await expect.poll(() => sent(worker, 'token')).toEqual(['refresh-1']);
    await expect.poll(async () => (await listRemains(worker)).remains).toEqual([]);
  });

  test('that asks for another scope keeps the session; the next sign-in asks for it', async () => {
    const scene = await signedIn();
    const { worker, clock } = scene;
    worker.restartWorker({ scope: 'openid email' });
    await open(worker);
    await expectSession(worker, adaIsSignedIn);
    clock.nowMs += hour;
    await open(worker);
    await expect.poll(() => sent(worker, 'grant_type')).toEqual(['authorization_code', 'refresh_token']);
    expect(sent(worker, 'scope')).not.toContain('openid email');
    await signOut(worker);
    await worker.send({ type: 'sign-in', providerId: 'scripted' });
    const { searchParams } = new URL((await worker.nextWindow()).url);
    expect(searchParams.get('scope')).toBe('openid email');
  });
});

describe('an older version', () => {
  test('keeps a session whose record has members that it does not know', async () => {
    const { worker } = await signedIn();
    const later = { anything: [1] };
    await rest(worker);
    await rewriteRecord(worker, ({ session, ...others }) => ({
      ...others,
      later,
      session: { ...session, later },
    }));
    worker.restartWorker();
    await open(worker);
    await expectSession(worker, adaIsSignedIn);
  });

  test('ends a session of a later form as expired, revokes its token, and lets the person sign in', async () => {
    const scene = await signedIn();
    await rest(scene.worker);
    await rewriteRecord(scene.worker, ({ session, ...others }) => ({
      ...others,
      session: { ...session, tokens: { type: 'a later form' } },
    }));
    scene.worker.restartWorker();
    await open(scene.worker);
    await expectSession(scene.worker, expired);
    await expect.poll(() => count(scene.worker, '/revoke')).toBe(1);
    await expectSignInToWork(scene);
  });

  test('begins a database of a later form anew: the session ends as expired, and signing in works', async () => {
    const scene = await signedIn();
    await raiseDatabase();
    scene.worker.restartWorker();
    await open(scene.worker);
    await expectSession(scene.worker, expired);
    await expectSignInToWork(scene);
  });
});
