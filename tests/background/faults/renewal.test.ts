// A renewal of the tokens goes wrong.

import { expect, test } from 'vitest';
import {
  adaIsSignedIn,
  expectSession,
  expectSignInToWork,
  expired,
  hour,
  open,
  openUntil,
  sent,
  signedIn,
  status,
} from '../../support/fault-scene.ts';
import { apiOrigin } from '../../support/scripted-api.ts';
import { provider as scripted } from '../../support/scripted-provider.ts';

test('F11: many pages need fresh tokens at once', async () => {
  const { worker, script, clock } = await signedIn();
  clock.nowMs += hour;
  script.claims = { nonce: undefined };
  await Promise.all(Array.from({ length: 20 }, () => open(worker)));
  await expect.poll(() => sent(worker, 'refresh_token')).toEqual(['refresh-1']);
  await expectSession(worker, adaIsSignedIn);
});

test('F12: the answer to a renewal is lost after the refresh token was replaced', async () => {
  const { worker, script, clock } = await signedIn();
  clock.nowMs += hour;
  script.answers = { '/token': () => Promise.reject(new TypeError('Failed to fetch')) };
  await open(worker);
  await expectSession(worker, { status: 'signed-in', problem: { code: 'provider-unreachable' } });
  script.answers = { '/token': Response.json({ error: 'invalid_grant' }, { status: 400 }) };
  await openUntil({ worker, clock }, expired);
  expect(worker.silence.urls).toHaveLength(1);
});

test('F13: the provider sees a refresh token used twice and revokes the session', async () => {
  const { worker, script, clock } = await signedIn();
  clock.nowMs += hour;
  script.answers = { '/token': Response.json({ error: 'invalid_grant' }, { status: 400 }) };
  await open(worker);
  await expectSession(worker, expired);
  delete script.answers;
  await expectSignInToWork({ worker });
});

test('F14: a renewal brings no new refresh token', async () => {
  const { worker, script, clock } = await signedIn();
  script.token = { refresh_token: undefined, id_token: undefined };
  // The new tokens count from the time at which they are read, so the clock moves until they are stale too.
  await expect
    .poll(async () => {
      clock.nowMs += hour;
      await open(worker);
      return sent(worker, 'refresh_token').slice(0, 2);
    })
    .toEqual(['refresh-1', 'refresh-1']);
  await expectSession(worker, adaIsSignedIn);
});

test('F18: the device sleeps past the end of the tokens', async () => {
  const { worker, script, clock } = await signedIn();
  script.claims = { nonce: undefined };
  clock.nowMs += 72 * hour;
  await open(worker);
  await expect.poll(() => sent(worker, 'refresh_token')).toHaveLength(1);
  await expectSession(worker, adaIsSignedIn);
});

test('F48: the API answers 401 to a token that is not expired', async () => {
  const { worker, script } = await signedIn({}, { providers: [{ ...scripted, apiOrigins: [apiOrigin] }] });
  worker.api.answer = ({ token }) => status(token === 'access-2' ? 200 : 401);
  script.claims = { nonce: undefined };
  script.token = { access_token: 'access-2' };
  const ask = async () => (await worker.fetch(apiOrigin)).status;
  expect(await Promise.all([ask(), ask()])).toEqual([200, 200]);
  expect(sent(worker, 'refresh_token')).toEqual(['refresh-1']);
  // An API that refuses every token does not cause endless renewals.
  worker.api.answer = () => status(401);
  expect([await ask(), await ask(), await ask()]).toEqual([401, 401, 401]);
  expect(sent(worker, 'refresh_token')).toHaveLength(2);
  await expectSession(worker, adaIsSignedIn);
});

test('F61: two profiles hold one refresh token', async () => {
  const { worker, script, clock } = await signedIn();
  clock.nowMs += hour;
  script.answers = { '/token': Response.json({ error: 'invalid_grant' }, { status: 400 }) };
  await open(worker);
  await expectSession(worker, expired);
});
