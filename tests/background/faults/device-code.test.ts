// The user signs in with a code, and something goes wrong meanwhile.

import { expect, test } from 'vitest';
import { pending, refusal, shortCode, showingCode, toShown } from '../../support/device-scene.ts';
import { adaIsSignedIn, interrupted, status } from '../../support/fault-scene.ts';
import { nothingHeld } from '../../support/held.ts';

test('F64: the code ends before the user has entered it', async () => {
  for (const token of [pending, refusal('expired_token')]) {
    const { worker, pass, agree } = await showingCode(token, { script: shortCode });
    await pass(120, 10);
    await worker.expectSession(interrupted);
    expect(await worker.held()).toEqual(nothingHeld);
    agree();
    await worker.send({ type: 'sign-in', providerId: 'scripted' });
    await worker.rest();
    await pass(5);
    await worker.expectSession(adaIsSignedIn);
  }
});

test('F65: the user or the provider refuses the code', async () => {
  const { worker, pass } = await showingCode(refusal('access_denied', 200));
  await pass(5);
  await worker.expectSession({ status: 'signed-out', problem: { code: 'denied' } });
});

test('F66: the network or the provider fails while the worker asks for the tokens', async () => {
  for (const answer of [status(503), status(429, { 'retry-after': '20' })]) {
    const { worker, pass, script, agree, code, clock } = await showingCode(answer);
    const shown = toShown(clock.nowMs);
    await pass(15);
    expect(code()).toEqual(shown);
    script.answers!['/token'] = () => Promise.reject(new TypeError('Failed to fetch'));
    await pass(60, 5);
    expect(code()).toEqual(shown);
    agree();
    await pass(60, 5);
    await worker.expectSession(adaIsSignedIn);
  }
});

// F67: the worker is killed while it waits for the user: tests/background/device-sign-in.test.ts.

test('F68: the worker is killed before the provider has issued a code', async () => {
  const { worker, script } = await showingCode(pending, {
    script: { answers: { '/device': () => Promise.race<Response>([]) } },
  });
  worker.restartWorker({ deviceFlow: 'only' });
  delete script.answers;
  await worker.open();
  await worker.expectSession(interrupted);
  expect(worker.sent('device_code')).toEqual([]);
});

// F69: the provider wants to show a secret, or a page without TLS: tests/parts/device-request.test.ts has its table.

test('F70: the storage fails before a code is shown', async () => {
  const { worker, pass, agree } = await showingCode(pending, {
    script: { answers: { '/device': () => Promise.race<Response>([]) } },
  });
  await worker.cancel();
  worker.local.failure = new Error('The disk is full.');
  expect(await worker.send({ type: 'sign-in', providerId: 'scripted' })).toMatchObject({
    ok: false,
    problem: { code: 'storage-failed' },
  });
  worker.local.failure = null;
  agree();
  await pass(10);
  expect(worker.provider.paths()).not.toContain('/token');
});
