import { expect, test } from 'vitest';
import { signedOut } from '../../src/session/session.ts';
import { type Script } from '../support/scripted-provider.ts';
import { status } from '../support/fault-scene.ts';
import { setUpWorker } from '../support/worker-setup.ts';
import { deferred } from '../support/deferred.ts';

const revocations = (worker: ReturnType<typeof setUpWorker>) => worker.revoked();

test('a sign-out forgets the person at once and revokes the refresh token afterwards', async () => {
  const worker = setUpWorker();
  await worker.signIn();
  expect(await worker.signOut()).toEqual({ ok: true });
  expect(worker.session()).toEqual(signedOut);
  await expect.poll(() => revocations(worker)).toEqual(['refresh-1']);
});

test('an access token without a refresh token is revoked after a sign-out, as one', async () => {
  const token = { refresh_token: undefined, access_token: 'access-alone', expires_in: 24 * 3600 };
  const worker = setUpWorker({ script: { token } });
  await worker.signIn();
  await worker.signOut();
  await expect.poll(() => revocations(worker)).toEqual(['access-alone']);
  expect(worker.provider.requests.at(-1)?.parameters.get('token_type_hint')).toBe('access_token');
  await expect.poll(async () => (await worker.held()).debts).toEqual([]);
});

test('a sign-out without a network revokes the token later', async () => {
  const worker = setUpWorker();
  await worker.signIn();
  worker.network.isOnline = false;
  await worker.signOut();
  expect(worker.session()?.status).toBe('signed-out');

  worker.network.isOnline = true;
  await worker.reopen();
  await expect.poll(() => revocations(worker)).toEqual(['refresh-1']);
});

test('a revocation that the provider asked to postpone is not counted as tried', async () => {
  const script: Script = { answers: { '/revoke': status(503, { 'retry-after': '120' }) } };
  const worker = setUpWorker({ script });
  await worker.signIn();
  await worker.signOut();
  await expect.poll(() => revocations(worker)).toHaveLength(1);
  await worker.rest();
  for (let look = 0; look < 6; look += 1) {
    await worker.open();
    await worker.rest();
  }
  expect(revocations(worker)).toHaveLength(1);
  delete script.answers;
  await worker.openAfter(3 * 60_000);
  await expect.poll(() => revocations(worker)).toHaveLength(2);
});

test('a revocation that the provider cannot do for the moment is tried again', async () => {
  const refusal = Response.json({ error: 'temporarily_unavailable' }, { status: 400 });
  const script: Script = { answers: { '/revoke': () => refusal.clone() } };
  const worker = setUpWorker({ script });
  await worker.signIn();
  await worker.signOut();
  await expect.poll(() => revocations(worker)).toHaveLength(1);
  await worker.rest();
  delete script.answers;
  await worker.open();
  await expect.poll(() => revocations(worker)).toEqual(['refresh-1', 'refresh-1']);
  await expect.poll(async () => (await worker.held()).debts).toEqual([]);
});

test('a revocation waits while a person signs in at its client', async () => {
  const worker = setUpWorker();
  await worker.signIn();
  worker.network.isOnline = false;
  await worker.signOut();
  await worker.rest();
  worker.network.isOnline = true;
  (await worker.begin()).appear();
  await worker.open();
  await worker.rest();
  expect(revocations(worker)).toEqual([]);
  await worker.send({ type: 'cancel' });
  await expect.poll(() => revocations(worker)).toEqual(['refresh-1']);
});

test('a sign-in asks for tokens when the revocation under way is over', async () => {
  const late = deferred<Response>();
  const worker = setUpWorker({ script: { answers: { '/revoke': () => late.promise } } });
  const asked = () => worker.provider.paths().filter((path) => path === '/token');
  await worker.signIn();
  await worker.signOut();
  await expect.poll(() => revocations(worker)).toHaveLength(1);
  worker.approve(await worker.begin());
  await worker.rest();
  expect(asked()).toHaveLength(1);
  late.resolve(new Response());
  await worker.expectSession({ status: 'signed-in' });
  expect(asked()).toHaveLength(2);
});

test('a revocation that the provider rejects is not tried again', async () => {
  const refusal = Response.json({ error: 'unsupported_token_type' }, { status: 400 });
  const script: Script = { answers: { '/revoke': refusal } };
  const worker = setUpWorker({ script });
  await worker.signIn();
  await worker.signOut();
  await expect.poll(() => revocations(worker)).toHaveLength(1);
  delete script.answers;
  await worker.signIn();
  await worker.signOut();
  await expect.poll(() => revocations(worker)).toHaveLength(2);
});

test('a sign-out beats a renewal in flight, whose tokens are revoked', async () => {
  const worker = setUpWorker();
  const { script } = worker;
  await worker.signIn();
  worker.clock.nowMs += 600_000;
  const late = deferred<Response>();
  script.answers = { '/token': () => late.promise };
  await worker.open();
  await expect.poll(() => worker.count('/token')).toBe(2);
  await worker.signOut();
  late.resolve(Response.json({ access_token: 'access-2', token_type: 'Bearer', refresh_token: 'refresh-2' }));
  await expect.poll(() => revocations(worker).toSorted()).toEqual(['refresh-1', 'refresh-2']);
  expect(worker.session()).toMatchObject({ status: 'signed-out', problem: null });
  await worker.reopen();
  expect(worker.session()?.status).toBe('signed-out');
});
