// The browser restarts or crashes, or the extension is updated.

import { expect, test } from 'vitest';
import {
  adaIsSignedIn,
  expectSession,
  expectSignInToWork,
  expectUpdate,
  expired,
  hour,
  interrupted,
  open,
  signedIn,
  signingIn,
} from '../../support/fault-scene.ts';

test('F8: the browser is restarted', async () => {
  const kept = await signedIn();
  kept.worker.restartBrowser();
  await open(kept.worker);
  await expectSession(kept.worker, adaIsSignedIn);
  const inMemory = await signedIn({}, { persistence: 'browser' });
  inMemory.worker.restartBrowser();
  await open(inMemory.worker);
  await expectSession(inMemory.worker, { status: 'signed-out', problem: null });
  expect(inMemory.worker.windows).toHaveLength(1);
});

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

test('F37: an update changes the client or the issuer', async () => {
  for (const change of [{ clientId: 'another' }, { issuer: 'https://another.example' }]) {
    const { worker } = await signedIn();
    worker.restartWorker(change);
    await open(worker);
    await expectSession(worker, expired);
  }
});

// F38: a managed policy changes: tests/background/policy.test.ts.
