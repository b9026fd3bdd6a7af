// The browser kills the worker in the middle of its work, restarts or crashes, or the extension is updated.

import { expect, test } from 'vitest';
import { expectSignInToWork, hour, interrupted, signingIn } from '../../support/fault-scene.ts';

// F1: the worker is killed before the window opens: tests/background/scenes.test.ts kills the worker at every step.

test('F2: the worker is killed while the window is open', async () => {
  const { worker, window } = await signingIn();
  worker.silence.answer = worker.provider.approve;
  worker.restartWorker();
  // By a page that shows it.
  await worker.send({ type: 'prepare' });
  await worker.rest();
  expect(worker.session()).toMatchObject(interrupted);
  // Nothing is tried without a click.
  expect(worker.silence.urls).toEqual([]);
  worker.approve(window);
  await expectSignInToWork({ worker });
  const [first, second] = worker.windows.map(({ url }) => new URL(url).searchParams);
  for (const secret of ['state', 'nonce', 'code_challenge'])
    expect(first?.get(secret)).not.toBe(second?.get(secret));
});

// F3: the worker is killed after the redirect, before the token request: tests/background/scenes.test.ts.
// F4: the worker is killed while the code is exchanged: tests/background/scenes.test.ts.
// F5: the worker is killed between the tokens and their storage: tests/background/scenes.test.ts kills the worker at every step.
// F6: the worker is killed between two writes: tests/background/scenes.test.ts kills the worker at every step.
// F7: the worker is killed after it sent a renewal: tests/background/lost-renewal.test.ts.
// F8: the browser is restarted: tests/background/staying-signed-in.test.ts.

test('F9: the browser crashes and leaves a sign-in behind', async () => {
  const { worker } = await signingIn();
  worker.restartBrowser();
  await worker.openAfter(24 * hour);
  await worker.expectSession(interrupted);
  await expectSignInToWork({ worker });
});

// F35: the extension is updated in the middle of a sign-in: tests/background/work-under-way.test.ts.
// F36: the extension is disabled and enabled: tests/background/staying-signed-in.test.ts.
// F37: an update changes the client or the issuer: tests/background/other-version.test.ts.
// F38: a managed policy changes: tests/background/policy.test.ts.
