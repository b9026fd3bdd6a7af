// A worker finds what a worker of an older or a newer version has stored: after an update, or after a way back.

import { describe, expect, test } from 'vitest';
import { adaIsSignedIn, expectSignInToWork, expired, hour, signedIn } from '../support/fault-scene.ts';

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
    await worker.open();
    await worker.expectSession(adaIsSignedIn);
    expect(worker.provider.requests).toHaveLength(asked);
  });

  test('that asks for another scope keeps the session; the next sign-in asks for it', async () => {
    const { worker } = await signedIn();
    await worker.reopen({ scope: 'openid email' });
    await worker.expectSession(adaIsSignedIn);
    await worker.openAfter(hour);
    await expect.poll(() => worker.sent('grant_type')).toEqual(['authorization_code', 'refresh_token']);
    expect(worker.sent('scope')).not.toContain('openid email');
    await worker.signOut();
    const { searchParams } = new URL((await worker.begin()).url);
    expect(searchParams.get('scope')).toBe('openid email');
  });
});

test('an older version begins a database of a later form anew: the session ends as expired, and signing in works', async () => {
  const { worker } = await signedIn();
  await raiseDatabase();
  await worker.reopen();
  await worker.expectSession(expired);
  await expectSignInToWork({ worker });
});
