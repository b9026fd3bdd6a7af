// A worker finds what a worker of another build has stored: after an update, or after a way back.

import { describe, expect, test } from 'vitest';
import type { Provider } from '../../src/config/provider.ts';
import { adaIsSignedIn, expectSignInToWork, expired, hour, signedIn } from '../support/worker-setup.ts';
import {
  plainSettings,
  plainToken,
  provider as scripted,
  type Script,
} from '../support/scripted-provider.ts';

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

const byCode = { responseType: 'code' } as const;
const byIdToken = { responseType: 'id_token' } as const;
const noPlain = { userApi: null, metadata: {} };
const excluding = { allowed: { hd: ['acme.example'] } };
const excluded = { code: 'not-permitted', detail: 'ID token: "hd" is none of those allowed' };

test.each<[string, Partial<Provider>, Script, Partial<Provider>, object, readonly string[]]>([
  ['with another client', {}, {}, { clientId: 'another-client' }, expired, ['refresh-1']],
  ['with another id', {}, {}, { id: 'other' }, expired, ['refresh-1']],
  // At the same issuer, another provider's client and endpoints are another's.
  ['with another id and client', {}, {}, { id: 'other', clientId: 'another-client' }, expired, []],
  // There is no one to ask.
  ['with another issuer', {}, {}, { issuer: 'https://other.example' }, expired, []],
  [
    'that allows fewer people',
    {},
    { claims: { hd: 'acme.test' } },
    excluding,
    { problem: excluded },
    ['refresh-1'],
  ],
  // The former tokens can't be renewed in the new way.
  ['with the ID token as the answer', byCode, {}, byIdToken, expired, ['refresh-1']],
  ['with a code as the answer', byIdToken, { provider: byIdToken }, byCode, expired, []],
  // The user can't be judged in the new way.
  ['with a user API', {}, {}, { ...plainSettings, allowed: { login: ['grace'] } }, expired, ['refresh-1']],
  [
    'without a user API',
    plainSettings,
    { token: plainToken },
    { ...noPlain, allowed: { login: ['grace'] } },
    { ...expired, accounts: [{ subject: '1815' }] },
    ['refresh-1'],
  ],
])(
  'a build %s ends the session, and revokes its token as the old client',
  async (_build, former, script, next, end, revoked) => {
    const { worker } = await signedIn(script, { providers: [{ ...scripted, ...former }] });
    await worker.reopen(next);
    await worker.expectSession({ status: 'signed-out', ...end });
    await expect.poll(worker.revoked).toEqual(revoked);
    expect(worker.sent('client_id')).not.toContain('another-client');
    await expect.poll(worker.held).toMatchObject({ session: null, pendingRevocations: [] });
    await worker.reopen();
    await worker.expectSession({ status: 'signed-out' });
  },
);

test('an older version begins a database of a later form anew: the session ends as expired, and signing in works', async () => {
  const { worker } = await signedIn();
  await raiseDatabase();
  await worker.reopen();
  await worker.expectSession(expired);
  await expectSignInToWork({ worker });
});
