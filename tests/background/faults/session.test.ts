// A renewal or a sign-out goes wrong, or the provider answers for another user, or for none.

import { expect, test } from 'vitest';
import { signedOut } from '../../../src/session/view.ts';
import { adaIsSignedIn, expired, hour, signedIn, status } from '../../support/fault-scene.ts';

// F11: many pages need fresh tokens at once: tests/background/staying-signed-in.test.ts.
// F12: the answer to a renewal is lost after the refresh token was replaced: tests/background/lost-renewal.test.ts.
// F13: the provider sees a refresh token used twice and revokes the session: tests/background/silent-renewal.test.ts.

test('F14: a renewal brings no new refresh token', async () => {
  const { worker, script } = await signedIn();
  script.token = { refresh_token: undefined, id_token: undefined };
  // The new tokens count from the time at which they are read, so the clock moves until they are stale too.
  await expect
    .poll(async () => {
      await worker.openAfter(hour);
      return worker.sent('refresh_token').slice(0, 2);
    })
    .toEqual(['refresh-1', 'refresh-1']);
  await worker.expectSession(adaIsSignedIn);
});

// F18: the device sleeps past the end of the tokens: tests/background/staying-signed-in.test.ts renews stale tokens.
// F48: the API answers 401 to a token that is not expired: tests/background/feature/authorized-fetch.test.ts.
// F61: two profiles hold one refresh token: tests/background/silent-renewal.test.ts refuses it.

test('F15: a renewal brings the ID token of another user', async () => {
  const { worker, script, clock } = await signedIn();
  clock.nowMs += hour;
  script.claims = { sub: 'eve', nonce: undefined };
  script.token = { refresh_token: 'refresh-eve' };
  await worker.open();
  // The tokens are not used, and the provider wants to see the user.
  await worker.expectSession(expired);
  await expect.poll(() => worker.revoked().toSorted()).toEqual(['refresh-1', 'refresh-eve']);
  await worker.reopen();
  await worker.expectSession({ status: 'signed-out' });
});

// F45: the user has changed accounts at the provider: tests/background/sign-out.test.ts.
// F46: a silent sign-in brings another user: tests/background/silent-renewal.test.ts.
// F47: the user was removed at the provider: tests/background/silent-renewal.test.ts.
// F63: claims contain markup or right-to-left overrides: tests/oidc/tokens.test.ts has its table.

test('F59: the provider is down at the sign-out', async () => {
  for (const answer of [
    () => status(503),
    () => Promise.reject(new TypeError('Failed to fetch')),
    () => Promise.race<Response>([]),
  ]) {
    const { worker, script } = await signedIn();
    script.answers = { '/revoke': answer };
    expect(await worker.signOut()).toEqual({ ok: true });
    expect(worker.session()).toMatchObject({
      ...signedOut,
      accounts: [{ subject: 'ada' }],
      lastProviderId: 'scripted',
    });
  }
});

// F60: the user signs out during a renewal: tests/background/sign-out.test.ts.
// F71: the provider issues no token for one of several APIs: tests/background/apis.test.ts.
// F72: the refresh token is refused when an API's token is requested with it: tests/background/apis.test.ts.
// F73: the worker dies in a request for an API's token: tests/background/apis.test.ts.
// F74: a step-up brings another user, or an ID token that does not prove it: tests/background/step-up.test.ts.
