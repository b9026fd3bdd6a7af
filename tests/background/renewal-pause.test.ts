// The pause after a renewal: no matter who asks, and how often, the provider is asked again only when it is over.

import { expect, onTestFinished, test, vi } from 'vitest';
import { detail } from '../../src/session/detail.ts';
import { ProblemError } from '../../src/session/problem.ts';
import { deferred } from '../support/deferred.ts';
import { journalOf, hour, signedIn, status, type Scene, type Worker } from '../support/worker-setup.ts';
import { apiOrigin } from '../support/scripted-api.ts';
import type { Script } from '../support/scripted-provider.ts';

/** A session whose tokens have ended, beside an API that wants one. */
async function stale(script: Script = {}): Promise<Scene> {
  const scene = await signedIn(script);
  await scene.worker.rest();
  scene.clock.nowMs += hour;
  return scene;
}

const renewals = (worker: Worker) => worker.sent('refresh_token').length;

async function expectRefusal(worker: Worker, code: string): Promise<void> {
  await expect(worker.fetch(apiOrigin)).rejects.toMatchObject({
    reason: 'renewal-failed',
    message: expect.stringContaining(` ${code}`),
  });
}

/** The renewals in the journal. It is written while the worker does other things. */
async function noted(worker: Worker): Promise<readonly unknown[]> {
  await worker.rest();
  return journalOf(worker.local).filter((line) => line.startsWith('renewal'));
}

/** Counts the writes of the record from now on. */
function countWrites(): () => number {
  const put = vi.spyOn(IDBObjectStore.prototype, 'put');
  onTestFinished(() => put.mockRestore());
  return () => put.mock.calls.filter(([, name]) => name === 'record').length;
}

test('fifty requests at a provider that fails are two token requests, four writes and two journal entries, also by the next worker', async () => {
  const { worker, script } = await stale();
  script.answers = { '/token': () => status(500) };
  const writes = countWrites();
  for (let requests = 0; requests < 50; requests += 1) {
    await expectRefusal(worker, 'provider-unreachable');
    if (requests !== 25) continue;
    // The journal of a worker that dies may miss its last entry.
    await worker.rest();
    worker.restartWorker();
  }
  for (let openings = 0; openings < 20; openings += 1) await worker.open();
  expect(await noted(worker)).toHaveLength(2);
  expect(renewals(worker)).toBe(2);
  expect(writes()).toBe(4);
  await worker.expectSession({ status: 'signed-in', problem: { code: 'provider-unreachable' } });
});

test.each<[string, () => Response | Promise<Response>]>([
  ['an error of the server', () => status(500)],
  ['a lost connection', () => Promise.reject(new TypeError('Failed to fetch'))],
])(
  'after %s fifty requests wait a second, and all of them succeed with two token requests',
  async (_title, fail) => {
    const { worker, script, clock } = await stale();
    script.token = { id_token: undefined };
    script.answers = {
      '/token': () => {
        delete script.answers;
        return fail();
      },
    };
    const before = clock.nowMs;
    const answers = await Promise.all(Array.from({ length: 50 }, () => worker.fetch(apiOrigin)));
    expect(answers.map((answer) => answer.status)).toEqual(Array<number>(50).fill(200));
    expect(renewals(worker)).toBe(2);
    expect(clock.nowMs - before).toBe(1_000);
    await worker.expectSession({ status: 'signed-in', problem: null });
  },
);

test('a request whose token has not ended yet waits for nothing', async () => {
  const { worker, script, clock } = await signedIn({ token: { expires_in: 60 } });
  clock.nowMs += 45_000;
  script.answers = { '/token': () => status(500) };
  const before = clock.nowMs;
  expect((await worker.fetch(apiOrigin)).status).toBe(200);
  expect(clock.nowMs).toBe(before);
});

test('a provider that asks for 45 s is left alone for 45 s, also by the next worker', async () => {
  const { worker, script, clock } = await stale();
  script.answers = { '/token': () => status(429, { 'retry-after': '45' }) };
  await expectRefusal(worker, 'provider-unreachable');
  worker.restartWorker();
  clock.nowMs += 44_999;
  await expectRefusal(worker, 'provider-unreachable');
  expect(renewals(worker)).toBe(1);
  clock.nowMs += 1;
  await expectRefusal(worker, 'provider-unreachable');
  expect(renewals(worker)).toBe(2);
});

test('a request that waits for another one keeps to the pause that begins when that fails', async () => {
  const { worker, script, clock } = await signedIn();
  const [late, answer] = [deferred<Response>(), deferred<Response>()];
  worker.api.answer = () => late.promise;
  const refused = worker.fetch(apiOrigin);
  await expect.poll(() => worker.api.calls).toHaveLength(1);
  clock.nowMs += hour;
  script.answers = { '/token': () => answer.promise };
  const waiting = worker.fetch(apiOrigin);
  await expect.poll(() => renewals(worker)).toBe(1);
  late.resolve(status(401));
  await worker.rest();
  answer.resolve(status(500));
  await Promise.all(
    [refused, waiting].map((one) => expect(one).rejects.toMatchObject({ reason: 'renewal-failed' })),
  );
  expect(renewals(worker)).toBe(2);
});

test('a device that is offline waits for the network alone', async () => {
  const { worker, script } = await stale();
  script.answers = { '/token': () => status(500) };
  worker.network.isOnline = false;
  for (let requests = 0; requests < 20; requests += 1) await expectRefusal(worker, 'offline');
  expect(await noted(worker)).toHaveLength(1);
  worker.network.isOnline = true;
  await expectRefusal(worker, 'provider-unreachable');
  expect(renewals(worker)).toBe(1);
});

test('a missing permission for the host is asked about, and the provider only when it is there again', async () => {
  const { worker, script } = await stale();
  script.isForbidden = true;
  script.answers = { '/token': () => Promise.reject(new TypeError('NetworkError')) };
  for (let requests = 0; requests < 20; requests += 1) {
    await expectRefusal(worker, 'host-permission-missing');
  }
  expect(renewals(worker)).toBe(1);
  script.isForbidden = false;
  script.answers = {};
  script.token = { id_token: undefined };
  expect((await worker.fetch(apiOrigin)).status).toBe(200);
});

test('a store that fails is tried once in the pause, and no token is sent', async () => {
  const { worker, script, clock } = await stale();
  script.token = { id_token: undefined };
  worker.disk.failure = new ProblemError('storage-failed', detail`QuotaExceededError`);
  for (let requests = 0; requests < 20; requests += 1) await expectRefusal(worker, 'storage-failed');
  expect(await noted(worker)).toHaveLength(1);
  expect(renewals(worker)).toBe(0);
  worker.disk.failure = null;
  clock.nowMs += 10_000;
  expect((await worker.fetch(apiOrigin)).status).toBe(200);
});

test('a refused refresh token is not sent again and again while a window is open', async () => {
  const { worker, script } = await stale();
  script.answers = { '/token': () => Response.json({ error: 'invalid_grant' }, { status: 400 }) };
  await worker.begin({ type: 'use-another-account' });
  for (let requests = 0; requests < 30; requests += 1) await expectRefusal(worker, 'timed-out');
  expect(renewals(worker)).toBe(1);
});

const day = 24 * hour;

/** Opens the popup until another renewal has failed, and returns the board's session. */
async function failAt({ worker, clock }: Scene, nowMs: number): Promise<unknown> {
  clock.nowMs = nowMs;
  await worker.open();
  await worker.rest();
  // The first failure of a kind that may pass isn't told.
  clock.nowMs += 1_000;
  await worker.open();
  await worker.rest();
  return worker.session();
}

test.each<[string, () => Response]>([
  ['a server that fails', () => status(500)],
  ['a firewall', () => status(403)],
])(
  'a session whose renewals have failed for a day says since when, in spite of %s, and not after a success',
  async (_title, fail) => {
    const scene = await stale();
    const { clock, script, worker } = scene;
    const firstMs = clock.nowMs;
    script.answers = { '/token': fail };
    expect(await failAt(scene, firstMs)).not.toHaveProperty('problem.failingSinceMs');
    worker.restartWorker();
    expect(await failAt(scene, firstMs + day - hour)).not.toHaveProperty('problem.failingSinceMs');
    script.answers = { '/token': () => Promise.reject(new TypeError('Failed to fetch')) };
    expect(await failAt(scene, firstMs + day + hour)).toMatchObject({
      status: 'signed-in',
      problem: { failingSinceMs: firstMs },
    });
    delete script.answers;
    script.claims = { nonce: undefined };
    clock.nowMs += hour;
    await worker.open();
    await worker.expectSession({ status: 'signed-in', problem: null });
    script.answers = { '/token': fail };
    const again = await failAt(scene, clock.nowMs + hour);
    expect(again).toMatchObject({ problem: { code: expect.any(String) } });
    expect(again).not.toHaveProperty('problem.failingSinceMs');
  },
);

test('a device that was offline for two days says nothing of a lasting failure', async () => {
  const scene = await stale();
  const { clock, script, worker } = scene;
  worker.network.isOnline = false;
  script.answers = { '/token': () => Promise.reject(new TypeError('Failed to fetch')) };
  expect(await failAt(scene, clock.nowMs)).toMatchObject({ problem: { code: 'offline' } });
  expect(await failAt(scene, clock.nowMs + 2 * day)).toMatchObject({ problem: { code: 'offline' } });
  worker.network.isOnline = true;
  const after = await failAt(scene, clock.nowMs + hour);
  expect(after).toMatchObject({ problem: { code: 'provider-unreachable' } });
  expect(after).not.toHaveProperty('problem.failingSinceMs');
});
