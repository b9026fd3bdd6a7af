// A revocation that fails: it's tried again later, by whichever worker starts then, and no sooner than the provider asked for.

import { expect, test } from 'vitest';
import { hour, signedIn, status } from '../support/worker-setup.ts';

const minute = 60_000;

/** Ada is signed out, and the first try of the revocation was answered with `answer`. */
async function signedOut(answer: () => Response) {
  const { worker, script, clock } = await signedIn({ answers: { '/revoke': answer } });
  await worker.signOut();
  await worker.rest();
  return { worker, script, clock };
}

test('a token is revoked in the end, however often a page opens while the provider is down', async () => {
  const { worker, script, clock } = await signedOut(() => status(503));
  for (let popups = 0; popups < 6; popups += 1) {
    await worker.openAfter(500);
    await worker.rest();
  }
  // The second try came a second after the first, and the third two seconds after that.
  expect(worker.revoked()).toHaveLength(3);
  delete script.answers;
  clock.nowMs += 10 * minute;
  await worker.reopen();
  await worker.rest();
  expect(worker.revoked()).toHaveLength(4);
  expect((await worker.held()).pendingRevocations).toEqual([]);
});

test.each([0, 4])(
  'a provider that asks for a minute gets it, also from %i workers that start within',
  async (workers) => {
    const { worker, script, clock } = await signedOut(() => status(429, { 'retry-after': '60' }));
    for (let started = 0; started < workers; started += 1) {
      clock.nowMs += 10_000;
      await worker.reopen();
      await worker.rest();
    }
    expect(worker.revoked()).toHaveLength(1);
    delete script.answers;
    clock.nowMs += 10 * minute;
    worker.restartWorker();
    worker.startUp();
    await expect.poll(worker.revoked).toHaveLength(2);
  },
);

test('the day of a revocation counts from its first try, and not from a sign-out without a network', async () => {
  const { worker, script, clock } = await signedIn({ answers: { '/revoke': () => status(503) } });
  worker.network.isOnline = false;
  await worker.signOut();
  await worker.rest();
  clock.nowMs += 60 * hour;
  worker.network.isOnline = true;
  await worker.reopen();
  await expect.poll(worker.revoked).toHaveLength(1);
  await worker.rest();
  delete script.answers;
  await worker.openAfter(10 * minute);
  await expect.poll(worker.revoked).toHaveLength(2);
  await worker.rest();
  expect((await worker.held()).pendingRevocations).toEqual([]);
});

test('a token that could not be revoked for a day after the first try is given up', async () => {
  const { worker, clock } = await signedOut(() => status(503));
  clock.nowMs += 24 * hour;
  await worker.reopen();
  await worker.rest();
  expect(worker.revoked()).toHaveLength(1);
  expect((await worker.held()).pendingRevocations).toEqual([]);
});
