// A renewal of the tokens goes wrong.

import { expect, test } from 'vitest';
import { adaIsSignedIn, expectSession, hour, open, sent, signedIn } from '../../support/fault-scene.ts';

// F11: many pages need fresh tokens at once: tests/background/staying-signed-in.test.ts.

// F12: the answer to a renewal is lost after the refresh token was replaced: tests/background/lost-renewal.test.ts.

// F13: the provider sees a refresh token used twice and revokes the session: tests/background/staying-signed-in.test.ts.

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

// F18: the device sleeps past the end of the tokens: tests/background/staying-signed-in.test.ts renews stale tokens.

// F48: the API answers 401 to a token that is not expired: tests/background/feature/authorized-fetch.test.ts.

// F61: two profiles hold one refresh token: tests/background/staying-signed-in.test.ts refuses it.

// F71: the provider issues no token for one of several APIs: tests/background/apis.test.ts.

// F72: the refresh token is refused when an API's token is requested with it: tests/background/apis.test.ts.

// F73: the worker dies in a request for an API's token: tests/background/apis.test.ts.

// F74: a step-up brings another person, or an ID token that does not prove it: tests/background/step-up.test.ts.
