// A browser that lacks a part of the extension API. Firefox for Android has neither windows nor a sign-in window.

import { expect, test } from 'vitest';
import { pending, showingCode, toShown } from '../support/device-scene.ts';
import { adaIsSignedIn, setUpWorker } from '../support/worker-setup.ts';
import { issuer, provider as scripted } from '../support/scripted-provider.ts';

/** The parts of the browser that the worker uses and Firefox for Android lacks. */
const missingOnAndroid = ['windows', 'identity', 'management', 'action.setIcon'];

test('on Firefox for Android the worker starts, and says that a sign-in window is not supported', async () => {
  const worker = setUpWorker({ lacks: missingOnAndroid });
  expect(await worker.open()).toEqual({ ok: true });
  expect(worker.readBoard()).toMatchObject({ session: { status: 'signed-out', problem: null } });
  expect(await worker.send({ type: 'sign-in', providerId: 'scripted' })).toEqual({ ok: true });
  await worker.rest();
  await worker.expectSession({ status: 'signed-out', problem: { code: 'not-supported' } });
});

test('on Firefox for Android a sign-in with a code works, and a sign-out tells what is left open', async () => {
  const { worker, clock, code, pass, agree } = await showingCode(pending, {
    providers: [{ ...scripted, deviceFlow: 'fallback' }],
    lacks: missingOnAndroid,
    hasWindow: false,
    script: { metadata: { end_session_endpoint: `${issuer}/logout` } },
  });
  expect(code()).toEqual(toShown(clock.nowMs));
  const shown = await worker.showWindow();
  expect(shown).toMatchObject({ ok: false, problem: { code: 'sign-in-page-failed' } });
  expect(shown).not.toHaveProperty('problem.window');
  agree();
  await pass(5);
  await worker.expectSession(adaIsSignedIn);
  await worker.send({ type: 'sign-out', everywhere: true });
  await worker.rest();
  await worker.expectSession({ status: 'signed-out', providerSession: { status: 'open' } });
});

test('a sign-in with a code is cancelled where there are no windows', async () => {
  const { worker } = await showingCode(pending, { lacks: missingOnAndroid, hasWindow: false });
  expect(await worker.cancel()).toEqual({ ok: true });
  expect(worker.session()).toMatchObject({ status: 'signed-out', problem: null });
});

test('without icons the toolbar button still has its title and its badge', async () => {
  const worker = setUpWorker({ lacks: ['action.setIcon', 'action.openPopup'] });
  await worker.signIn();
  await worker.rest();
  expect(worker.toolbar).toMatchObject({ icon: 'latchkey-signed-out', badge: '!' });
});

test('a sign-in window that cannot be raised or closed is left open, and the user is told', async () => {
  const worker = setUpWorker({ lacks: ['windows'] });
  const window = await worker.beginShown();
  const left = { window: 'left-open' };
  expect(await worker.showWindow()).toMatchObject({ ok: false, problem: left });
  await worker.cancel();
  await worker.expectSession({ status: 'signed-out', problem: { code: 'cancelled', ...left } });
  expect(window.isOpen).toBe(true);
});
