// The provider fails or answers with something unusable.

import { expect, test } from 'vitest';
import {
  adaIsSignedIn,
  discovery,
  expectRenewalToFail,
  expectSignInToFail,
  expectSignInToWork,
  hour,
  openUntil,
  setUpScene,
  signedIn,
  signingIn,
  status,
} from '../../support/fault-scene.ts';
import { createSigningKey, provider as scripted } from '../../support/scripted-provider.ts';

test('F23: the provider fails', async () => {
  for (const code of [500, 502, 503]) {
    await expectSignInToFail(discovery, () => status(code), 'provider-unreachable');
    await expectRenewalToFail(() => status(code), 'provider-unreachable');
  }
  const { worker, window, script } = await signingIn();
  script.answers = { '/token': () => status(500) };
  worker.approve(window);
  await worker.expectSession({ status: 'signed-out', problem: { code: 'provider-unreachable' } });
  expect(worker.sent('code')).toHaveLength(1);
});

test('F24: the provider answers with Retry-After', async () => {
  const { worker, script, clock } = await signedIn();
  clock.nowMs += hour;
  script.answers = { '/token': () => status(429, { 'retry-after': '60' }) };
  await worker.open();
  await worker.expectSession({ status: 'signed-in', problem: { code: 'provider-unreachable' } });
  delete script.answers;
  script.claims = { nonce: undefined };
  const before = worker.provider.paths().length;
  await Promise.all([worker.open(), worker.open()]);
  await worker.expectSession({ status: 'signed-in', problem: { code: 'provider-unreachable' } });
  expect(worker.provider.paths()).toHaveLength(before);
  clock.nowMs += 60_000;
  await openUntil({ worker, clock }, adaIsSignedIn);
});

test('a code is redeemed although the token endpoint has asked to be left alone', async () => {
  const { worker, script, clock } = await signedIn();
  clock.nowMs += hour;
  script.answers = { '/token': () => status(429, { 'retry-after': '60' }) };
  await worker.open();
  await worker.expectSession({ status: 'signed-in', problem: { code: 'provider-unreachable' } });
  delete script.answers;
  await expectSignInToWork({ worker });
});

test('a code is redeemed although UserInfo has asked to be left alone', async () => {
  const scene = setUpScene({ answers: { '/userinfo': () => status(429, { 'retry-after': '60' }) } });
  await expectSignInToWork(scene);
  await expect.poll(() => scene.worker.count('/userinfo')).toBe(1);
  await expectSignInToWork(scene);
});

// F29: discovery is down at a renewal, and the cached metadata is days old: tests/background/provider/provider-access.test.ts.
// F26: the provider answers with a megabyte: tests/oidc/redeem.test.ts has its table.
// F27: the provider answers with nonsense: tests/oidc/redeem.test.ts has its table.
// F28: the discovery document names another issuer: tests/oidc/discover.test.ts.

test('F30: the provider rotates its keys just before it signs', async () => {
  const { worker, window, script } = await signingIn();
  const asked = worker.count('/keys');
  script.signingKey = await createSigningKey('key-of-this-minute');
  worker.approve(window);
  await worker.expectSession(adaIsSignedIn);
  expect(worker.count('/keys')).toBe(asked + 1);
});

// F31: two keys have the same key id, or none: tests/oidc/id-token.test.ts has both.
// F56: a pushed authorization request is rejected: tests/oidc/pushed-request.test.ts has its table.
// F53: the token type is wrong: tests/oidc/redeem.test.ts has its table.

test('F55: the provider requires a new DPoP nonce, or the worker has lost the last one', async () => {
  const provider = { ...scripted, dpop: 'required' } as const;
  const nonces = ['one', 'two', 'three'];
  const { worker, script, clock } = await signedIn(
    { dpopNonce: () => nonces[0] ?? '' },
    { providers: [provider] },
  );
  clock.nowMs += hour;
  nonces.shift();
  script.claims = { nonce: undefined };
  await worker.reopen();
  // Each grant is sent once without the nonce, or with an old one, and once with it.
  await expect
    .poll(() => worker.sent('grant_type'))
    .toEqual(['authorization_code', 'authorization_code', 'refresh_token', 'refresh_token']);
  await worker.expectSession(adaIsSignedIn);
});

test('F58: the provider rejects the origin of extensions', async () => {
  const refusal = () => Response.json({ message: 'Invalid CORS request' }, { status: 403 });
  await expectSignInToFail('/token', refusal, 'provider-misconfigured');
  await expectRenewalToFail(refusal, 'provider-misconfigured');
});
