// The administrator's policy in a running worker: which providers are offered and when, and what ends when it changes.

import { beforeEach, describe, expect, test, vi } from 'vitest';
import { maxLateMs, maxWaitMs } from '../../src/parts/policy.ts';
import type { Board } from '../../src/bridge/session/board.ts';
import type { Command } from '../../src/session/commands.ts';
import type { FeatureWorkerProps } from '../../src/feature/feature-props.ts';
import {
  journalOf,
  discovery,
  status,
  policyOrigin,
  setUpWorker,
  type WorkerSetup,
} from '../support/worker-setup.ts';
import { deferred } from '../support/deferred.ts';
import { FakeManagedStorage } from '../support/fake-browser.ts';
import { listRemains } from '../support/held.ts';
import { apiOrigin, payOrigin } from '../support/scripted-api.ts';
import { provider as scripted, toMetadata } from '../support/scripted-provider.ts';

const other = { ...scripted, id: 'other', name: 'Other', clientId: 'other-client' };

const onlyScripted = { version: 1, providers: [{ id: 'scripted' }], locked: true, managedBy: 'Acme IT' };
const onlyOther = { version: 1, providers: [{ id: 'other' }], locked: true };
const misspelled = { version: 1, providers: [{ id: 'other', clientSecret: 'hunter2' }], locked: true };
/** The rest of a remembered policy. */
const remembered = { version: 1, former: [], isMissed: false, problem: null };
const refusal = 'providers[0].clientSecret: refused: everyone who installs the extension could read it';

function setUpManaged(policy: Record<string, unknown> = {}, more: WorkerSetup = {}) {
  const managed = new FakeManagedStorage(more.manner);
  managed.policy = policy;
  return { managed, ...setUpWorker({ providers: [scripted, other], managed, ...more }) };
}

/** Firefox has its policies before it starts an extension. */
const inChromium: WorkerSetup = { manner: 'chromium' };

type Managed = ReturnType<typeof setUpManaged>;

const idsOf = (board: Board | null) => board?.providers.map(({ id }) => id);

/** Lets time pass when the worker has done all that it can do now. */
async function pass(worker: Managed, ms: number): Promise<void> {
  await worker.rest();
  await vi.advanceTimersByTimeAsync(ms);
  await worker.rest();
}

/** Opens a page, which the worker lets wait for the policy, and lets time pass. */
async function openAndPass(worker: Managed, ms: number): Promise<void> {
  const opened = worker.open();
  await pass(worker, ms);
  await opened;
}

function notesOf({ area }: Managed) {
  return journalOf(area).filter((line) => line.startsWith('policy'));
}

describe('a worker that starts for the first time', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  test('offers what the policy says, and names the organization', async () => {
    const worker = setUpManaged(onlyScripted);
    await worker.open();
    expect(worker.readBoard()).toMatchObject({
      managed: true,
      managedBy: 'Acme IT',
      providers: [{ id: 'scripted' }],
    });
    await expect.poll(() => notesOf(worker)).toEqual(['policy: applied']);
  });

  test('never offers what a policy excludes that comes 4 s late', async () => {
    const worker = setUpManaged({}, inChromium);
    const written = worker.watchBoards();
    const opened = worker.open();
    await pass(worker, 4_000);
    expect(worker.readBoard()).toBeNull();
    worker.managed.change(onlyOther);
    await opened;
    expect(written.length).toBeGreaterThan(0);
    for (const board of written) expect(idsOf(board)).toEqual(['other']);
  });

  test('offers the providers of the build if no policy has come in its time, and does not wait again', async () => {
    const worker = setUpManaged();
    await openAndPass(worker, maxWaitMs);
    expect(worker.readBoard()).toMatchObject({
      managed: false,
      providers: [{ id: 'scripted' }, { id: 'other' }],
    });
    worker.area.items.delete('board');
    await worker.reopen();
    expect(idsOf(worker.readBoard())).toEqual(['scripted', 'other']);
  });

  test('offers nothing while the browser does not answer, and follows its policy when it does', async () => {
    const worker = setUpManaged(onlyOther);
    const loaded = deferred<void>();
    worker.managed.loaded = loaded.promise;
    await openAndPass(worker, maxWaitMs);
    expect(idsOf(worker.readBoard())).toEqual([]);
    loaded.resolve();
    await pass(worker, maxLateMs);
    expect(idsOf(worker.readBoard())).toEqual(['other']);
  });

  test('takes a browser that never answers for one without a policy, after 30 s, and remembers that', async () => {
    const worker = setUpManaged();
    worker.managed.loaded = new Promise(() => undefined);
    await openAndPass(worker, maxWaitMs);
    await pass(worker, maxLateMs - maxWaitMs);
    expect(idsOf(worker.readBoard())).toEqual(['scripted', 'other']);
    expect(worker.local.items.get('policy')).toMatchObject({ policy: null });
  });

  test('offers nothing in a copy that an administrator has installed, until its policy comes 12 s late', async () => {
    const worker = setUpManaged({}, inChromium);
    worker.managed.installType = 'admin';
    const written = worker.watchBoards();
    await openAndPass(worker, maxWaitMs);
    await pass(worker, 7_000);
    for (const board of written) expect(idsOf(board)).toEqual([]);
    worker.managed.change(onlyOther);
    await pass(worker, 0);
    expect(idsOf(worker.readBoard())).toEqual(['other']);
  });

  test('keeps the first session where a policy that comes 12 s late wants it', async () => {
    const worker = setUpManaged({}, inChromium);
    worker.managed.installType = 'admin';
    await openAndPass(worker, maxWaitMs);
    await pass(worker, 7_000);
    worker.managed.change({ ...onlyScripted, persistence: 'browser' });
    await pass(worker, 0);
    expect(worker.local.items.has('board')).toBe(false);
    worker.approve(await worker.begin());
    await pass(worker, 0);
    await worker.reopen();
    expect(worker.readBoard(worker.memory)?.session.status).toBe('signed-in');
    expect((await listRemains(worker)).keyPlaces).toEqual(['browser']);
  });

  test('does not end a session while a policy is to be expected', async () => {
    const worker = setUpManaged({}, inChromium);
    worker.managed.installType = 'development';
    await worker.signIn();
    worker.managed.installType = 'admin';
    worker.local.items.delete('policy');
    worker.restartWorker();
    await openAndPass(worker, maxWaitMs);
    expect(worker.readBoard()).toMatchObject({ providers: [], session: { status: 'signed-in' } });
    await expect(worker.fetch(apiOrigin)).rejects.toMatchObject({ reason: 'renewal-failed' });
    worker.managed.change(onlyScripted);
    await pass(worker, 0);
    const session = { status: 'signed-in', problem: null };
    expect(worker.readBoard()).toMatchObject({ managed: true, session });
  });

  test.each<[string, Partial<FakeManagedStorage>]>([
    ['in a copy under development', { installType: 'development' }],
    [
      'where the browser says that there is none',
      { failure: new Error('Managed storage manifest not found') },
    ],
  ])('does not wait for a policy %s', async (_where, change) => {
    const managed = Object.assign(new FakeManagedStorage(), change);
    const worker = setUpManaged({}, { managed });
    await worker.open();
    expect(idsOf(worker.readBoard())).toEqual(['scripted', 'other']);
  });

  test('offers nothing while its first policy is wrong, and says where the mistake is', async () => {
    const worker = setUpManaged(misspelled);
    await worker.open();
    const detail = expect.stringContaining(`policy: ${refusal}`) as string;
    const session = { problem: { code: 'provider-misconfigured', detail } };
    expect(worker.readBoard()).toMatchObject({ managed: true, providers: [], session });
    expect(worker.readBoard()?.policyProblem).toContain(refusal);
    expect(worker.warnings.join()).toContain(refusal);
    await expect.poll(() => notesOf(worker)).toEqual(['policy: refused']);
    worker.managed.change(onlyOther);
    await worker.reopen();
    const board = await worker.boardWhere(({ policyProblem }) => policyProblem === undefined);
    expect(idsOf(board)).toEqual(['other']);
    expect(board.session).toMatchObject({ status: 'signed-out', problem: null });
  });
});

describe('a worker that remembers a policy', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  test('keeps it in a copy under development too, of which the browser knows nothing for some seconds', async () => {
    const worker = setUpManaged(onlyOther, inChromium);
    await worker.open();
    await expect.poll(() => notesOf(worker)).toHaveLength(1);
    worker.managed.installType = 'development';
    worker.managed.policy = {};
    worker.restartBrowser();
    const written = worker.watchBoards();
    await worker.open();
    await pass(worker, maxWaitMs - 1);
    worker.managed.change(onlyOther);
    await pass(worker, 1);
    for (const board of [...written, worker.readBoard()]) expect(idsOf(board)).toEqual(['other']);
    expect(notesOf(worker)).toEqual(['policy: applied']);
  });

  test.each([
    ['is good', onlyOther, ['other'], ['policy: applied', 'policy: none']],
    ['an update has made wrong', misspelled, [], ['policy: applied', 'policy: refused']],
  ])(
    'gives up one that %s when two workers in turn have found none for longer than one takes to arrive',
    async (_what, policy, offered, notes) => {
      const worker = setUpManaged(onlyOther, inChromium);
      await worker.open();
      await expect.poll(() => notesOf(worker)).toHaveLength(1);
      worker.local.items.set('policy', { ...remembered, policy });
      worker.managed.policy = {};
      worker.restartBrowser();
      await openAndPass(worker, maxWaitMs);
      expect(idsOf(worker.readBoard())).toEqual(offered);
      worker.restartWorker();
      await openAndPass(worker, maxWaitMs);
      expect(worker.readBoard()?.managed).toBe(false);
      expect(idsOf(worker.readBoard())).toEqual(['scripted', 'other']);
      await expect.poll(() => notesOf(worker)).toEqual(notes);
    },
  );

  test.each([
    ['has come', onlyOther],
    ['a wrong one has come', misspelled],
  ])('keeps it if it was missed once and %s again since', async (_what, found) => {
    const worker = setUpManaged(onlyOther, inChromium);
    await worker.open();
    for (const policy of [{}, found, {}]) {
      worker.managed.policy = policy;
      await worker.reopen();
      await pass(worker, maxWaitMs);
    }
    expect(idsOf(worker.readBoard())).toEqual(['other']);
  });

  test.each([
    ['the last good one', onlyScripted, ['scripted']],
    ['what is built in', {}, ['scripted', 'other']],
  ])('keeps %s when a wrong one comes, and says where the mistake is', async (_what, policy, offered) => {
    const worker = setUpManaged(policy, inChromium);
    await openAndPass(worker, maxWaitMs);
    worker.approve(await worker.begin());
    await worker.boardWhere(({ session }) => session.status === 'signed-in');
    worker.managed.change(misspelled);
    const board = await worker.boardWhere(({ policyProblem }) => policyProblem !== undefined);
    expect(board).toMatchObject({ session: { status: 'signed-in' } });
    expect(idsOf(board)).toEqual(offered);
    await worker.rest();
    const written = worker.watchBoards();
    worker.managed.policy = {};
    await worker.reopen();
    await pass(worker, 1_000);
    worker.managed.change(misspelled);
    await pass(worker, 0);
    expect(written).toEqual([]);
    expect(worker.readBoard()?.policyProblem).toContain(refusal);
    // An administrator looks at the console of the worker that is running.
    expect(worker.warnings).toHaveLength(2);
    worker.managed.policy = policy;
    for (let workers = 0; workers < 2; workers += 1) {
      await worker.reopen();
      await pass(worker, maxWaitMs);
    }
    expect(worker.readBoard()?.policyProblem).toBeUndefined();
    expect(idsOf(worker.readBoard())).toEqual(offered);
  });

  // The second is later than a worker waits for it.
  test.each([
    [4_000, 'device'],
    [12_000, 'device'],
    [12_000, 'browser'],
  ] as const)(
    'waits for a better one if an update has made it wrong, and ends no session meanwhile: %i ms, %s',
    async (afterMs, persistence) => {
      const policy = { ...onlyScripted, persistence };
      const worker = setUpManaged(policy, inChromium);
      const area = persistence === 'device' ? worker.local : worker.memory;
      worker.approve(await worker.begin());
      await worker.boardWhere(({ session }) => session.status === 'signed-in', area);
      worker.local.items.set('policy', { ...remembered, policy: misspelled });
      worker.managed.policy = {};
      worker.restartWorker();
      const opened = worker.open();
      await pass(worker, afterMs);
      worker.managed.change(policy);
      await opened;
      await pass(worker, 0);
      expect(worker.readBoard(area)).toMatchObject({ session: { status: 'signed-in', problem: null } });
      expect(idsOf(worker.readBoard(area))).toEqual(['scripted']);
      expect(worker.provider.paths()).not.toContain('/revoke');
    },
  );

  test('writes the board that was left again if a better one, which comes as it starts, wants it in another place', async () => {
    const worker = setUpManaged(onlyScripted, inChromium);
    await worker.open();
    worker.local.items.set('policy', { ...remembered, policy: misspelled });
    worker.managed.policy = {};
    worker.restartWorker();
    const opened = worker.open();
    await pass(worker, maxWaitMs - 1);
    const mayAnswer = deferred<void>();
    const { get } = worker.memory;
    worker.memory.get = async (keys) => {
      await mayAnswer.promise;
      return get.call(worker.memory, keys);
    };
    await pass(worker, 1);
    worker.managed.change({ ...onlyScripted, persistence: 'browser' });
    await worker.rest();
    mayAnswer.resolve();
    await opened;
    await worker.rest();
    expect(idsOf(worker.readBoard(worker.memory))).toEqual(['scripted']);
    expect(worker.local.items.has('board')).toBe(false);
  });

  test('revokes the token of a user who signs out while a better one is awaited', async () => {
    const own = { version: 1, providers: [{ ...scripted, id: 'tenant' }] };
    const elsewhere = { ...other, issuer: policyOrigin };
    const worker = setUpManaged(own, { ...inChromium, providers: [elsewhere] });
    worker.approve(await worker.begin({ type: 'sign-in', providerId: 'tenant' }));
    await worker.boardWhere(({ session }) => session.status === 'signed-in');
    worker.local.items.set('policy', { ...remembered, policy: misspelled });
    worker.managed.policy = {};
    worker.restartWorker();
    await openAndPass(worker, maxWaitMs);
    expect(await worker.signOut()).toEqual({ ok: true });
    await pass(worker, 1);
    worker.managed.change(own);
    await pass(worker, 0);
    await openAndPass(worker, 0);
    await expect.poll(worker.revoked).toEqual(['refresh-1']);
  });
});

test('a policy that decides how long the session lasts takes effect with the next worker, which ends the session that was kept on the device', async () => {
  const worker = setUpManaged(onlyScripted);
  await worker.signIn();
  worker.managed.change({ ...onlyScripted, persistence: 'browser' });
  await expect.poll(() => notesOf(worker)).toHaveLength(2);
  expect(worker.session()?.status).toBe('signed-in');
  await worker.reopen();
  await worker.rest();
  expect(worker.memory.items.has('journal')).toBe(true);
  expect(worker.local.items.has('board')).toBe(false);
  expect(worker.readBoard(worker.memory)?.session.status).toBe('signed-out');
  await expect.poll(worker.revoked).toEqual(['refresh-1']);
});

describe('a policy that changes', () => {
  async function signedIn(more: WorkerSetup = {}) {
    const worker = setUpManaged(onlyScripted, more);
    const board = await worker.signIn();
    expect(board.session.status).toBe('signed-in');
    return worker;
  }
  const ended = (worker: Managed, problem: object) => worker.expectSession({ status: 'signed-out', problem });
  const revoked = async (worker: Managed) => {
    await expect.poll(worker.revoked).toEqual(['refresh-1']);
  };
  const allowing = (hd: string) => ({
    ...onlyScripted,
    providers: [{ id: 'scripted', allowed: { hd: [hd] } }],
  });
  const notAllowed = 'policy of Acme IT: ID token: "hd" is none of those allowed';
  const anotherClient = { ...onlyScripted, providers: [{ id: 'scripted', clientId: 'another-client' }] };

  test.each([
    ['provider', { ...onlyOther, managedBy: 'Acme IT' }],
    ['client', anotherClient],
    ['issuer', { ...onlyScripted, providers: [{ id: 'scripted', issuer: `${policyOrigin}/tenant` }] }],
  ])('ends a session whose %s it has taken away, says why, and revokes its token', async (_what, policy) => {
    const worker = await signedIn();
    worker.managed.change(policy);
    const detail = 'policy of Acme IT: the provider is not offered';
    await ended(worker, { code: 'not-permitted', detail });
    await revoked(worker);
  });

  test('sends no token to an API that it has taken away while the request waited for a renewal', async () => {
    const worker = await signedIn({ providers: [{ ...scripted, apiOrigins: [apiOrigin] }] });
    const answer = deferred<Response>();
    worker.clock.nowMs += 60 * 60_000;
    worker.script.answers = { '/token': () => answer.promise };
    const requested = worker.fetch(apiOrigin);
    await expect.poll(() => worker.count('/token')).toBe(2);
    worker.managed.change({ ...onlyScripted, providers: [{ id: 'scripted', apiOrigins: [] }] });
    await worker.rest();
    answer.resolve(Response.json({ access_token: 'access-2', token_type: 'Bearer' }));
    await expect(requested).rejects.toMatchObject({ reason: 'origin-not-allowed' });
    expect(worker.api.calls).toEqual([]);
  });

  test('sends no token to the hosts of another issuer, at whatever moment it comes', async () => {
    const pay = { name: null, origins: [payOrigin], scope: 'pay', resource: null, audience: null };
    const settings = { ...scripted, apiOrigins: [apiOrigin], apis: [pay] };
    const replaced = { ...onlyScripted, providers: [{ id: 'scripted', issuer: policyOrigin }] };
    const fetchAt = async (moment: number, origin: string) => {
      const features: FeatureWorkerProps[] = [];
      const startFeature = (feature: FeatureWorkerProps) => void features.push(feature);
      const worker = await signedIn({ providers: [settings], startFeature });
      worker.clock.nowMs += 60 * 60_000;
      worker.script.answers = { [discovery]: toMetadata(policyOrigin) };
      void features[0]?.fetch(origin).catch(() => undefined);
      for (let passed = 0; passed < moment; passed += 1) await Promise.resolve();
      worker.managed.change(replaced);
      await worker.rest();
      const there = worker.provider.requests.filter(({ url }) => url.startsWith(policyOrigin));
      expect(there.map(({ parameters }) => parameters.get('refresh_token'))).not.toContain('refresh-1');
    };
    for (let moment = 0; moment < 10; moment += 1)
      for (const origin of [apiOrigin, payOrigin]) await fetchAt(moment, origin);
  });

  test('leaves a session that is still allowed as it is', async () => {
    const worker = await signedIn();
    await worker.rest();
    const written = worker.watchBoards();
    worker.managed.change({ ...onlyScripted, locked: false, managedBy: 'Acme' });
    await worker.boardWhere(({ managedBy }) => managedBy === 'Acme');
    // Firefox reports a change after it's stored.
    await worker.rest();
    expect(written.map((board) => board?.session.status)).toEqual(['signed-in']);
    expect(worker.revoked()).toEqual([]);
  });

  test('ends at once the session of a user who is no longer allowed, as the ID token tells', async () => {
    const worker = await signedIn({ script: { claims: { hd: 'acme.test' } } });
    worker.managed.change(allowing('acme.test'));
    await expect.poll(() => notesOf(worker)).toHaveLength(2);
    expect(worker.session()?.status).toBe('signed-in');
    worker.managed.change(allowing('acme.example'));
    await ended(worker, { code: 'not-permitted', detail: notAllowed });
  });

  test.each([
    ['that it alone excludes', {}, notAllowed],
    [
      'that the build excludes too',
      { allowed: { hd: ['acme.test', 'acme.example'] } },
      'ID token: "hd" is none of those allowed',
    ],
  ])('is named where it excludes someone who signs in, %s', async (_title, built, detail) => {
    const worker = setUpManaged(allowing('acme.test'), {
      providers: [{ ...scripted, ...built }],
      script: { claims: { hd: 'elsewhere.test' } },
    });
    await worker.signIn();
    await worker.expectSession({ problem: { code: 'not-permitted', detail } });
  });

  test('ends a session as soon as a renewal that began before brings claims that it excludes, and is named', async () => {
    const worker = await signedIn({ script: { claims: { hd: 'acme.test' } } });
    const answer = deferred<null>();
    worker.script.claims = { hd: 'acme.example', nonce: undefined };
    worker.script.token = { refresh_token: 'refresh-2' };
    worker.script.answers = {
      '/token': async () => {
        await answer.promise;
        return Response.json(await worker.provider.tokenAnswer());
      },
    };
    await worker.openAfter(60 * 60_000);
    await expect.poll(() => worker.count('/token')).toBe(2);
    worker.managed.change(allowing('acme.test'));
    await expect.poll(() => notesOf(worker)).toHaveLength(2);
    expect(worker.session()?.status).toBe('signed-in');
    answer.resolve(null);
    await ended(worker, { code: 'not-permitted', detail: notAllowed });
    await expect.poll(worker.held).toMatchObject({ session: null, pendingRevocations: [] });
    expect(worker.revoked()).toEqual(['refresh-2']);
  });

  test('ends a session also if the board cannot show the end of the sign-in that is running over it', async () => {
    const worker = await signedIn();
    await worker.beginShown({ type: 'use-another-account' });
    await worker.rest();
    worker.area.failure = new Error('full');
    worker.managed.change(onlyOther);
    await expect.poll(worker.held).toMatchObject({ session: null });
    worker.area.failure = null;
    await worker.open();
    await ended(worker, { code: 'not-permitted' });
  });

  test.each([
    ['excludes', onlyOther, 'not-permitted'],
    ['has changed', anotherClient, 'interrupted'],
  ])('ends a sign-in whose provider it %s, and closes its window', async (_what, policy, code) => {
    const worker = setUpManaged(onlyScripted);
    const window = await worker.beginShown();
    worker.managed.change(policy);
    await ended(worker, { code });
    await expect.poll(() => window.isOpen).toBe(false);
  });

  test('leaves a sign-in with a provider that it still offers', async () => {
    const worker = setUpManaged(onlyScripted);
    const window = await worker.beginShown();
    worker.managed.change({ ...onlyScripted, locked: false });
    await worker.boardWhere((board) => idsOf(board)?.length === 2);
    worker.approve(window);
    expect((await worker.untilSettled()).status).toBe('signed-in');
  });

  test('ends a session that its worker did not live to end, with the same reason', async () => {
    const worker = await signedIn();
    worker.managed.policy = onlyOther;
    worker.local.items.set('policy', { ...remembered, policy: onlyOther });
    await worker.reopen();
    expect(worker.session()).toMatchObject({ problem: { code: 'not-permitted' } });
    await revoked(worker);
  });

  test('ends a session with the same reason if the worker that starts cannot write the board at first', async () => {
    const worker = await signedIn();
    worker.local.failure = new Error('QuotaExceeded');
    worker.restartWorker();
    worker.managed.change(onlyOther);
    expect(await worker.open()).toMatchObject({ ok: false });
    worker.local.failure = null;
    await worker.open();
    await ended(worker, { code: 'not-permitted' });
    expect(idsOf(worker.readBoard())).toEqual(['other']);
  });

  test('is remembered when it has gone, so that the next worker can revoke what its provider has issued', async () => {
    const tenant = { ...scripted, id: 'tenant' };
    const elsewhere = { ...other, issuer: policyOrigin };
    const worker = setUpManaged({ version: 1, providers: [tenant] }, { providers: [elsewhere] });
    await worker.signIn('tenant');
    worker.script.answers = { '/revoke': status(503) };
    worker.managed.change({ version: 1, providers: [] });
    await revoked(worker);
    await worker.rest();
    delete worker.script.answers;
    worker.clock.nowMs += 1_000;
    await worker.reopen();
    await expect.poll(worker.revoked).toEqual(['refresh-1', 'refresh-1']);
  });

  test('that goes away ends the session of a client that only it had', async () => {
    const worker = setUpManaged({ version: 1, providers: [{ id: 'scripted', clientId: 'tenant' }] });
    worker.script.claims = { aud: 'tenant' };
    await worker.signIn();
    worker.managed.change({});
    await ended(worker, { code: 'expired' });
    expect(worker.readBoard()?.managed).toBe(false);
    await revoked(worker);
  });
});

test.each<Command>([
  { type: 'request-scope', scope: 'notes.read' },
  { type: 'step-up', acrValues: 'mfa', maxAgeSeconds: null, api: apiOrigin },
  { type: 'use-another-account' },
])('a $type while a policy is awaited is refused because of that', async (command) => {
  const worker = setUpManaged(onlyScripted, inChromium);
  await worker.signIn();
  worker.local.items.set('policy', { ...remembered, policy: misspelled });
  worker.managed.policy = misspelled;
  await worker.reopen();
  expect(worker.session()?.status).toBe('signed-in');
  expect(await worker.send(command)).toMatchObject({
    problem: { code: 'not-permitted', detail: 'policy: the provider is not offered' },
  });
});
