// The clock of the device, or of the provider, is wrong.

import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { adaIsSignedIn, expectSignInToWork, hour, setUpScene, signedIn } from '../../support/fault-scene.ts';
import { provider as scripted } from '../../support/scripted-provider.ts';
import { stopClock } from '../../support/stop-clock.ts';

test('F16: the clock of the device is wrong by minutes', () =>
  expectSignInToWork(setUpScene({ deviceAheadMs: 7 * 60_000 })));

test('F17: the clock of the device is wrong by hours', async () => {
  await expectSignInToWork(setUpScene({ deviceAheadMs: 5 * hour }));
  await expectSignInToWork(setUpScene({ deviceAheadMs: -5 * hour }));
  // Without a Date header only the times of the token are known.
  const scene = setUpScene({ deviceAheadMs: 5 * hour, sendsDate: false });
  expect((await scene.worker.signIn()).session).toMatchObject({ problem: { code: 'clock-wrong' } });
});

// F54: the token lifetime is missing or absurd: tests/oidc/tokens.test.ts has its table.

test('the first proof of each worker carries the time of the provider', async () => {
  stopClock();
  const provider = { ...scripted, dpop: 'required' } as const;
  const { worker, script, clock } = await signedIn({ deviceAheadMs: 2 * hour }, { providers: [provider] });
  clock.nowMs += hour;
  script.claims = { nonce: undefined };
  await worker.reopen();
  await worker.expectSession(adaIsSignedIn);
  await expect.poll(() => worker.sent('refresh_token')).toHaveLength(1);
  const proof = worker.provider.requests.findLast(({ path }) => path === '/token')?.headers.get('dpop') ?? '';
  expect(decodeJwt(proof).iat).toBe(clock.nowMs / 1000);
});

test('a device two minutes behind signs in at a provider whose answers tell no time', async () => {
  await expectSignInToWork(setUpScene({ deviceAheadMs: -2 * 60_000, sendsDate: false }));
});
