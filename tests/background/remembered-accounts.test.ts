// The accounts that the popup offers once no one is signed in: which ones are kept, and how they are forgotten.

import { expect, test } from 'vitest';
import { refusal } from '../support/device-scene.ts';
import { FakeManagedStorage } from '../support/fake-browser.ts';
import type { Script } from '../support/scripted-provider.ts';
import { setUpWorker, type Worker, type WorkerSetup } from '../support/worker-setup.ts';

const policy = { version: 1, providers: [{ id: 'scripted' }] };

/** A worker, and a sign-in as the user with this subject. */
function setUp(setup: WorkerSetup = {}) {
  const script: Script = {};
  const worker = setUpWorker({ ...setup, script });
  const signInAs = async (sub: string) => {
    script.claims = {
      sub,
      name: `Name of ${sub}`,
      email: `${sub}@example.com`,
      picture: `https://a.example/${sub}`,
    };
    await worker.signIn();
    await worker.rest();
  };
  return { worker, script, signInAs };
}

const kept = (worker: Worker) => {
  const session = worker.session();
  return session && session.status !== 'signing-in' ? session.accounts.map(({ subject }) => subject) : null;
};

/** Lets the session expire: the refresh token is refused, and the user is not signed in at the provider. */
async function expire(worker: Worker, script: Script) {
  worker.silence.answer = () => Promise.reject(new Error('User interaction required.'));
  script.answers = { '/token': () => refusal('invalid_grant') };
  await worker.openAfter(60 * 60_000);
  await worker.expectSession({ status: 'signed-out', problem: { code: 'expired' } });
  delete script.answers;
}

test('a sign-out leaves what is shown of the account, and nothing else of the session', async () => {
  const { worker, signInAs } = setUp();
  await signInAs('ada');
  await worker.signOut();
  expect(worker.session()).toEqual({
    status: 'signed-out',
    problem: null,
    accounts: [
      {
        providerId: 'scripted',
        subject: 'ada',
        name: 'Name of ada',
        email: 'ada@example.com',
        picture: 'https://a.example/ada',
      },
    ],
    lastProviderId: 'scripted',
    providerSession: null,
  });
});

test('the last three accounts are kept, each of them once, also when one takes the place of another', async () => {
  const { worker, signInAs } = setUp();
  for (const sub of ['ada', 'grace', 'alan', 'barbara', 'alan']) await signInAs(sub);
  expect(kept(worker)).toEqual(['barbara', 'grace', 'ada']);
  await worker.signOut();
  expect(kept(worker)).toEqual(['alan', 'barbara', 'grace']);
  await worker.reopen();
  expect(kept(worker)).toEqual(['alan', 'barbara', 'grace']);
});

test('an account is forgotten at once, and comes back to its place if the user undoes that', async () => {
  const { worker, signInAs } = setUp();
  for (const sub of ['ada', 'grace', 'alan']) await signInAs(sub);
  await worker.signOut();
  const session = worker.session();
  const account = session?.status === 'signed-out' ? session.accounts[1] : undefined;
  expect(account?.subject).toBe('grace');
  await worker.send({ type: 'forget-account', account: account! });
  expect(kept(worker)).toEqual(['alan', 'ada']);
  expect(JSON.stringify(worker.readBoard())).not.toContain('grace');
  worker.restartWorker();
  await worker.send({ type: 'remember-account', account: account!, at: 1 });
  expect(kept(worker)).toEqual(['alan', 'grace', 'ada']);
});

test('whoever forgets the account of a session that has expired is not signed in without a click', async () => {
  const managed = new FakeManagedStorage();
  managed.policy = { ...policy, autoSignIn: 'popup' };
  const { worker, script, signInAs } = setUp({ managed });
  await signInAs('ada');
  await expire(worker, script);
  const session = worker.session();
  const [account] = session?.status === 'signed-out' ? session.accounts : [];
  await worker.send({ type: 'forget-account', account: account! });
  expect(worker.session()).toMatchObject({ status: 'signed-out', problem: null, accounts: [] });
  worker.silence.answer = worker.provider.approve;
  const before = worker.silence.urls.length;
  await worker.openAfter(60 * 60_000);
  await worker.rest();
  expect(worker.silence.urls.length).toBe(before);
});

test('a user who is signed in stays so when another account is forgotten', async () => {
  const { worker, signInAs } = setUp();
  for (const sub of ['ada', 'grace']) await signInAs(sub);
  const account = { providerId: 'scripted', subject: 'ada', name: null, email: null, picture: null };
  await worker.send({ type: 'forget-account', account });
  expect(worker.session()).toMatchObject({
    status: 'signed-in',
    profile: { subject: 'grace' },
    accounts: [],
  });
});

test.each(['a sign-out', 'the end of a session'])(
  'where accounts are not remembered, %s leaves none of them',
  async (end) => {
    const { worker, script, signInAs } = setUp({ rememberAccounts: false });
    const boards = worker.watchBoards();
    for (const sub of ['ada', 'grace']) await signInAs(sub);
    await (end === 'a sign-out' ? worker.signOut() : expire(worker, script));
    expect(boards.length).toBeGreaterThan(4);
    expect(boards.filter((board) => /accounts":\[\{/.test(JSON.stringify(board)))).toEqual([]);
    expect(JSON.stringify(worker.readBoard())).not.toMatch(/ada|grace/);
    // The provider alone is still known.
    expect(worker.session()).toMatchObject({ lastProviderId: 'scripted' });
  },
);

test('a policy removes the accounts that are kept', async () => {
  const managed = new FakeManagedStorage();
  managed.policy = policy;
  const { worker, signInAs } = setUp({ managed });
  for (const sub of ['ada', 'grace']) await signInAs(sub);
  await worker.signOut();
  expect(kept(worker)).toEqual(['grace', 'ada']);
  managed.change({ ...policy, rememberAccounts: false });
  await worker.boardWhere(({ session }) => session.status === 'signed-out' && session.accounts.length === 0);
  expect(JSON.stringify(worker.readBoard())).not.toMatch(/ada|grace/);
});

test('where accounts are not remembered, no one is signed in without a click after a session has expired', async () => {
  const { worker, script, signInAs } = setUp({ autoSignIn: 'popup', rememberAccounts: false });
  await signInAs('ada');
  await expire(worker, script);
  await worker.reopen();
  worker.silence.answer = worker.provider.approve;
  const before = worker.silence.urls.length;
  await worker.openAfter(60 * 60_000);
  await worker.rest();
  expect([worker.silence.urls.length, worker.session()?.status]).toEqual([before, 'signed-out']);
});
