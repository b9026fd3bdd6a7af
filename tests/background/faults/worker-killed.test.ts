// The browser kills the worker in the middle of its work.

import { expect, test } from 'vitest';
import {
  adaIsSignedIn,
  count,
  discovery,
  expectSession,
  expectSignInToWork,
  hour,
  interrupted,
  open,
  sent,
  setUpScene,
  signedIn,
  signingIn,
} from '../../support/fault-scene.ts';

test('F1: the worker is killed before the window opens', async () => {
  const scene = setUpScene({ answers: { [discovery]: () => Promise.race<Response>([]) } });
  await scene.worker.send({ type: 'sign-in', providerId: 'scripted' });
  scene.worker.restartWorker();
  delete scene.script.answers;
  await open(scene.worker);
  await expectSession(scene.worker, interrupted);
  await expectSignInToWork(scene);
});

test('F2: the worker is killed while the window is open', async () => {
  const { worker, window } = await signingIn();
  worker.restartWorker();
  await open(worker);
  await expectSession(worker, interrupted);
  worker.approve(window);
  await expectSignInToWork({ worker });
  const [first, second] = worker.windows.map(({ url }) => new URL(url).searchParams);
  for (const secret of ['state', 'nonce', 'code_challenge'])
    expect(first?.get(secret)).not.toBe(second?.get(secret));
});

test('F3: the worker is killed after the redirect, before the token request', async () => {
  const { worker, window } = await signingIn();
  const responseUrl = worker.provider.approve(window.url);
  worker.restartWorker();
  window.redirect(responseUrl);
  await open(worker);
  await expectSession(worker, interrupted);
  expect(sent(worker, 'code')).toEqual([]);
});

test('F4: the worker is killed while the code is exchanged', async () => {
  const { worker, window, script } = await signingIn();
  script.answers = { '/token': () => Promise.race<Response>([]) };
  worker.approve(window);
  await expect.poll(() => sent(worker, 'code')).toHaveLength(1);
  worker.restartWorker();
  delete script.answers;
  await open(worker);
  await expectSession(worker, interrupted);
  expect(sent(worker, 'code')).toHaveLength(1);
});

// F5: the worker is killed between the tokens and their storage: tests/background/killed.test.ts kills the worker at every step.

// F6: the worker is killed between two writes: tests/background/killed.test.ts kills the worker at every step.

test('F7: the worker is killed after it sent a renewal', async () => {
  const { worker, script, clock } = await signedIn();
  clock.nowMs += hour;
  script.answers = { '/token': () => Promise.race<Response>([]) };
  await open(worker);
  await expect.poll(() => count(worker, '/token')).toBe(2);
  worker.restartWorker();
  script.answers = { '/token': Response.json({ error: 'invalid_grant' }, { status: 400 }) };
  worker.silence.answer = async (url) => (delete script.answers, worker.provider.approve(url));
  await open(worker);
  await expect.poll(() => count(worker, '/token')).toBe(4);
  await expectSession(worker, adaIsSignedIn);
});
