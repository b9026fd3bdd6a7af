// The browser restarts or crashes, or the extension is updated.

import { expect, test } from 'vitest';
import {
  adaIsSignedIn,
  expectSession,
  expectSignInToWork,
  expectUpdate,
  hour,
  interrupted,
  open,
  signedIn,
  signingIn,
} from '../../support/fault-scene.ts';

// F8: the browser is restarted: tests/background/staying-signed-in.test.ts.

test('F9: the browser crashes and leaves a sign-in behind', async () => {
  const { worker, clock } = await signingIn();
  worker.restartBrowser();
  clock.nowMs += 24 * hour;
  await open(worker);
  await expectSession(worker, interrupted);
  await expectSignInToWork({ worker });
});

test('F35: the extension is updated in the middle of a sign-in', async () => {
  const { worker, window } = await signingIn();
  worker.offerUpdate();
  await worker.send({ type: 'show-window' });
  expect(worker.shown.reloads).toBe(0);
  worker.approve(window);
  await expectSession(worker, adaIsSignedIn);
  await expectUpdate(worker);
});

test('F36: the extension is disabled and enabled', async () => {
  const { worker } = await signedIn();
  worker.restartBrowser();
  worker.install();
  await open(worker);
  await expectSession(worker, adaIsSignedIn);
});

// F37: an update changes the client or the issuer: tests/background/every-refresh-token.test.ts.

// F38: a managed policy changes: tests/background/policy.test.ts.
