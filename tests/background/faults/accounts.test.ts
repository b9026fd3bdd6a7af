// The provider answers for another person, or for none.

import { expect, test } from 'vitest';
import {
  expectSession,
  expectSignInToWork,
  expired,
  hour,
  open,
  sent,
  signedIn,
} from '../../support/fault-scene.ts';

test('F15: a renewal brings the ID token of another person', async () => {
  const { worker, script, clock } = await signedIn();
  clock.nowMs += hour;
  script.claims = { sub: 'eve', nonce: undefined };
  script.token = { refresh_token: 'refresh-eve' };
  await open(worker);
  // The tokens are not used, and the provider wants to see the person.
  await expectSession(worker, expired);
  await expect.poll(() => sent(worker, 'token').toSorted()).toEqual(['refresh-1', 'refresh-eve']);
  worker.restartWorker();
  await open(worker);
  await expectSession(worker, { status: 'signed-out' });
});

test('F45: the person has changed accounts at the provider', async () => {
  const { worker, script } = await signedIn();
  script.claims = { sub: 'grace', name: 'Grace' };
  script.token = { refresh_token: 'refresh-grace' };
  await expectSignInToWork({ worker });
  await expectSession(worker, { profile: { subject: 'grace', name: 'Grace' } });
  await expect.poll(() => sent(worker, 'token')).toEqual(['refresh-1']);
});

// F46: a silent sign-in brings another person: tests/background/silent-renewal.test.ts.

test('F47: the person was removed at the provider', async () => {
  const { worker, script, clock } = await signedIn();
  clock.nowMs += hour;
  script.answers = { '/token': Response.json({ error: 'invalid_grant' }, { status: 400 }) };
  worker.silence.answer = (url) => {
    const refusal = new URL(worker.provider.approve(url));
    refusal.searchParams.delete('code');
    refusal.searchParams.set('error', 'login_required');
    return Promise.resolve(refusal.href);
  };
  await open(worker);
  await expectSession(worker, expired);
});

// F63: claims contain markup or right-to-left overrides: tests/oidc/tokens.test.ts has its table.
