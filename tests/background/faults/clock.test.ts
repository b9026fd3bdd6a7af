// The clock of the device, or of the provider, is wrong.

import { expect, test } from 'vitest';
import { expectSignInToWork, hour, setUpScene } from '../../support/fault-scene.ts';

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
