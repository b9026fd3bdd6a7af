// A worker that the browser starts while the one before is still at work.

import { expect, test, vi } from 'vitest';
import { whenAlone } from '../../src/background/worker.ts';
import { deferred } from '../support/deferred.ts';
import { createFakeLocks } from '../support/fake-locks.ts';
import { adaIsSignedIn, signingIn } from '../support/worker-setup.ts';

test('a worker waits for the one before, and goes on from what that has stored', async () => {
  const { worker, script, window } = await signingIn();
  const asked = deferred<void>();
  const mayAnswer = deferred<void>();
  script.answers = {
    '/token': async () => {
      asked.resolve();
      await mayAnswer.promise;
      return Response.json(await worker.provider.tokenAnswer());
    },
  };
  worker.approve(window);
  await asked.promise;
  const end = worker.startBeside();
  const opened = worker.open();
  await worker.rest();
  expect(worker.session()).toMatchObject({ status: 'signing-in' });
  mayAnswer.resolve();
  await worker.untilSettled();
  end();
  expect(await opened).toEqual({ ok: true });
  expect(worker.session()).toMatchObject(adaIsSignedIn);
  expect((await worker.held()).session).toMatchObject({ subject: 'ada' });
});

test('a worker that hangs keeps the next one waiting for four seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const addWorker = createFakeLocks();
  await whenAlone(addWorker().locks);
  let isAlone = false;
  const next = whenAlone(addWorker().locks).then(() => (isAlone = true));
  await vi.advanceTimersByTimeAsync(3_999);
  expect(isAlone).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await next;
});

test('a browser that refuses the lock keeps no worker waiting', async () => {
  const refused = vi.fn(() => Promise.reject(new Error()));
  await whenAlone({ request: refused });
  expect(refused).toHaveBeenCalledOnce();
});
