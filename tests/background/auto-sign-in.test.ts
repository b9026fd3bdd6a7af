// A policy or a build that signs people in without a click: silently, and never against their wish.

import { describe, expect, test } from 'vitest';
import { deferred } from '../support/deferred.ts';
import { FakeManagedStorage } from '../support/fake-browser.ts';
import { refusal } from '../support/device-scene.ts';
import type { Script } from '../support/scripted-provider.ts';
import { setUpWorker, type WorkerSetup } from '../support/worker-setup.ts';

const never = new Promise<never>(() => undefined);
const policy = { version: 1, providers: [{ id: 'scripted' }] };

/** A worker in a browser whose user is signed in at the provider. */
function setUpKnown(setup: WorkerSetup) {
  const worker = setUpWorker(setup);
  worker.silence.answer = worker.provider.approve;
  return worker;
}

/** The same, with a policy. */
function setUpAuto(autoSignIn: 'off' | 'popup' | 'startup', more: WorkerSetup = {}) {
  const managed = new FakeManagedStorage();
  managed.policy = { ...policy, autoSignIn };
  return { managed, ...setUpKnown({ managed, ...more }) };
}

type Auto = ReturnType<typeof setUpKnown>;

const signedIn = (worker: Auto) => worker.boardWhere(({ session }) => session.status === 'signed-in');
const tries = ({ silence }: Auto) => silence.urls.length;

/** A try is under way. The provider answers it with a code when `answer` resolves. */
async function trying() {
  const worker = setUpAuto('popup');
  const answer = deferred<null>();
  worker.silence.answer = (url) => answer.promise.then(() => worker.provider.approve(url));
  await worker.open();
  await expect.poll(() => tries(worker)).toBe(1);
  return { worker, answer };
}

test('a user who is not signed in at the provider is offered the button, and asked again no sooner than ten minutes later', async () => {
  const worker = setUpAuto('popup');
  worker.silence.answer = () => Promise.reject(new Error('User interaction required.'));
  await worker.open();
  await expect.poll(() => tries(worker)).toBe(1);
  await worker.open();
  worker.restartWorker();
  await worker.openAfter(10 * 60_000 - 1);
  await worker.rest();
  expect(worker.session()).toMatchObject({ status: 'signed-out', problem: null });
  expect(tries(worker)).toBe(1);
  await worker.openAfter(1);
  await expect.poll(() => tries(worker)).toBe(2);
  // A clock that is set back does not put off the next try.
  worker.clock.nowMs -= 60 * 60_000;
  await worker.open();
  await expect.poll(() => tries(worker)).toBe(3);
});

test('a user whose provider could not be reached is signed in when the next page opens', async () => {
  const worker = setUpAuto('popup');
  // Chromium says so of a page that hangs.
  worker.silence.answer = () => Promise.reject(new Error('Authorization page load timed out.'));
  await worker.open();
  // At once, and after each of three pauses.
  await expect.poll(() => tries(worker)).toBe(4);
  await worker.rest();
  worker.silence.answer = worker.provider.approve;
  await worker.open();
  await signedIn(worker);
});

test('another account than the last one is not signed in, and only a click changes the person', async () => {
  const script: Script = {};
  const worker = setUpAuto('popup', { script });
  await worker.open();
  await signedIn(worker);
  worker.silence.answer = () => Promise.reject(new Error('User interaction required.'));
  script.answers = { '/token': () => refusal('invalid_grant') };
  await worker.openAfter(60 * 60_000);
  await worker.expectSession({ status: 'signed-out', problem: { code: 'expired' } });
  delete script.answers;
  script.claims = { sub: 'eve' };
  script.token = { refresh_token: 'of-eve' };
  worker.silence.answer = worker.provider.approve;
  await worker.openAfter(60 * 60_000);
  await expect.poll(worker.revoked).toContain('of-eve');
  expect(worker.session()).toMatchObject({ status: 'signed-out', accounts: [{ subject: 'ada' }] });
  const before = tries(worker);
  await worker.openAfter(60 * 60_000);
  await worker.rest();
  expect(tries(worker)).toBe(before);
});

test('an account that is not permitted is tried again only under another policy or when the browser starts', async () => {
  const worker = setUpAuto('startup');
  const excluding = (sub: string) => ({
    ...policy,
    providers: [{ id: 'scripted', allowed: { sub: [sub] } }],
    autoSignIn: 'startup',
    managedBy: sub,
  });
  const change = async (sub: string) => {
    worker.managed.change(excluding(sub));
    await worker.boardWhere(({ managedBy }) => managedBy === sub);
  };
  worker.managed.policy = excluding('grace');
  const openLater = async () => {
    worker.clock.nowMs += 60 * 60_000;
    await worker.reopen();
    await worker.rest();
  };
  await expect.poll(worker.revoked).toEqual(['refresh-1']);
  // Until the answer is stored, another worker would send it once more.
  await worker.rest();
  await openLater();
  await openLater();
  expect([tries(worker), worker.revoked()]).toEqual([1, ['refresh-1']]);
  await change('eve');
  await openLater();
  expect(tries(worker)).toBe(2);
  worker.restartBrowser();
  await expect.poll(() => tries(worker)).toBe(3);
  await worker.rest();
  await change('ada');
  await worker.open();
  await signedIn(worker);
});

test('a user who has signed out is not signed in again, even after a restart, before they click', async () => {
  const worker = setUpAuto('startup');
  await signedIn(worker);
  await worker.signOut();
  worker.restartBrowser();
  await worker.open();
  await worker.rest();
  expect(worker.session()?.status).toBe('signed-out');
  expect(tries(worker)).toBe(1);
  await worker.signIn();
  expect((await worker.held()).isSignedOutOnPurpose).toBe(false);
});

test('a sign-out that is not in the record counts, until the user signs in', async () => {
  const worker = setUpAuto('popup');
  worker.local.items.set('signed-out-on-purpose', true);
  await worker.open();
  await worker.rest();
  expect(tries(worker)).toBe(0);
  expect((await worker.held()).isSignedOutOnPurpose).toBe(true);
  expect(worker.local.items.has('signed-out-on-purpose')).toBe(false);
  await worker.signIn();
  expect((await worker.held()).isSignedOutOnPurpose).toBe(false);
});

test.each<[string, object]>([
  [
    'changes the provider',
    { providers: [{ id: 'scripted', clientId: 'another-client' }], autoSignIn: 'popup' },
  ],
  ['turns it off', { autoSignIn: 'off' }],
])('a policy that %s meanwhile wins, and the tokens are revoked', async (_what, change) => {
  const { worker, answer } = await trying();
  worker.managed.change({ ...policy, ...change, managedBy: 'Acme IT' });
  await worker.boardWhere(({ managedBy }) => managedBy === 'Acme IT');
  answer.resolve(null);
  await expect.poll(worker.revoked).toEqual(['refresh-1']);
  await worker.rest();
  expect(worker.session()).toMatchObject({ status: 'signed-out', problem: null });
  expect((await worker.held()).session).toBeNull();
});

test('a click that comes first wins, and tokens that no one asked for are revoked', async () => {
  const { worker, answer } = await trying();
  const window = await worker.begin();
  answer.resolve(null);
  await expect.poll(async () => (await worker.held()).pendingRevocations).toHaveLength(1);
  expect(worker.session()?.status).toBe('signing-in');
  window.close();
  await expect.poll(worker.revoked).toEqual(['refresh-1']);
});

describe('without a policy', () => {
  test('the build signs the user in when the popup opens, without a window and once for two pages', async () => {
    const worker = setUpKnown({ autoSignIn: 'popup' });
    await worker.rest();
    expect(tries(worker)).toBe(0);
    await Promise.all([worker.open(), worker.open()]);
    await signedIn(worker);
    expect(tries(worker)).toBe(1);
    expect(worker.windows).toEqual([]);
  });

  test('a worker that dies during a try leaves the button, and the next try to a time ten minutes later', async () => {
    const worker = setUpKnown({ autoSignIn: 'popup' });
    const { answer } = worker.silence;
    worker.silence.answer = () => never;
    await worker.open();
    await expect.poll(() => tries(worker)).toBe(1);
    worker.restartWorker();
    worker.silence.answer = answer;
    await worker.open();
    await worker.rest();
    expect(worker.session()).toMatchObject({ status: 'signed-out', problem: null });
    expect(tries(worker)).toBe(1);
    await worker.openAfter(10 * 60_000);
    await signedIn(worker);
  });
});

test.each([
  ['popup', 'off', 0],
  ['off', 'popup', 1],
] as const)('a build with "%s" follows a policy with "%s"', async (built, managed, expected) => {
  const worker = setUpAuto(managed, { autoSignIn: built });
  await worker.open();
  await worker.rest();
  expect(tries(worker)).toBe(expected);
});
