// The provider answers for another person, or for none.

import { expect, test } from 'vitest';
import { expectSession, expired, hour, open, sent, signedIn } from '../../support/fault-scene.ts';

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

// F45: the person has changed accounts at the provider: tests/background/sign-out.test.ts.

// F46: a silent sign-in brings another person: tests/background/silent-renewal.test.ts.

// F47: the person was removed at the provider: tests/background/silent-renewal.test.ts.

// F63: claims contain markup or right-to-left overrides: tests/oidc/tokens.test.ts has its table.
