import { expect, test } from 'vitest';
import { signedOut } from '../../src/session/view.ts';
import { deferred } from '../support/deferred.ts';
import { refusal } from '../support/device-scene.ts';
import { signedIn, status, journalOf, type Worker } from '../support/worker-setup.ts';

test('an access token without a refresh token is revoked after a sign-out, as one', async () => {
  const token = { refresh_token: undefined, access_token: 'access-alone', expires_in: 24 * 3600 };
  const { worker } = await signedIn({ token });
  await worker.signOut();
  await expect.poll(worker.revoked).toEqual(['access-alone']);
  expect(worker.sent('token_type_hint')).toEqual(['access_token']);
  await expect.poll(async () => (await worker.held()).pendingRevocations).toEqual([]);
});

const leadsNowhere = { '/revoke': () => Promise.reject(new TypeError('Failed to fetch')) };

test.each<[string, (isCut: boolean, worker: Worker) => void]>([
  ['without a network', (isCut, { network }) => void (network.isOnline = !isCut)],
  [
    'with a network that leads nowhere',
    (isCut, { script }) => void (script.answers = isCut ? leadsNowhere : {}),
  ],
  [
    'without the permission for the host',
    (isCut, { script }) =>
      void Object.assign(script, { isForbidden: isCut, answers: isCut ? leadsNowhere : {} }),
  ],
])('a sign-out %s forgets the user at once, and its revocation is tried later', async (_title, cut) => {
  const { worker } = await signedIn();
  cut(true, worker);
  expect(await worker.signOut()).toEqual({ ok: true });
  expect(worker.session()).toMatchObject({
    ...signedOut,
    accounts: [{ subject: 'ada' }],
    lastProviderId: 'scripted',
  });
  for (let looks = 1; looks <= 5; looks += 1) {
    // The first try was that of the sign-out.
    const failures = () => journalOf(worker.local).filter((line) => line === 'revocation: failed').length;
    const sent = async () => (await worker.held()).pendingRevocations.map((pending) => pending.firstSentAtMs);
    await expect.poll(async () => [failures(), await sent()]).toEqual([looks, [null]]);
    await worker.reopen();
  }
  const before = worker.revoked().length;
  cut(false, worker);
  await worker.reopen();
  await expect.poll(worker.revoked).toHaveLength(before + 1);
  await expect.poll(worker.held).toMatchObject({ session: null, pendingRevocations: [] });
});

test('a second sign-out while the first is stored, and a third one after it, change nothing', async () => {
  const { worker } = await signedIn();
  await Promise.all([worker.signOut(), worker.signOut()]);
  await worker.signOut();
  await expect.poll(worker.revoked).toEqual(['refresh-1']);
  expect(worker.session()).toMatchObject({
    ...signedOut,
    accounts: [{ subject: 'ada' }],
    lastProviderId: 'scripted',
  });
});

test('a revocation that the provider asked to postpone is not counted as tried', async () => {
  const { worker, script } = await signedIn({
    answers: { '/revoke': status(503, { 'retry-after': '120' }) },
  });
  await worker.signOut();
  for (let look = 0; look < 6; look += 1) {
    await worker.rest();
    await worker.open();
  }
  expect(worker.revoked()).toHaveLength(1);
  delete script.answers;
  await worker.openAfter(3 * 60_000);
  await expect.poll(worker.revoked).toHaveLength(2);
});

test.each([
  ['that the provider cannot do for the moment is tried again', 'temporarily_unavailable', 2],
  ['that the provider rejects is not tried again', 'unsupported_token_type', 1],
])('a revocation %s', async (_title, error, times) => {
  const { worker, script } = await signedIn({ answers: { '/revoke': () => refusal(error) } });
  await worker.signOut();
  await worker.rest();
  delete script.answers;
  await worker.openAfter(1_000);
  await worker.rest();
  expect(worker.revoked()).toHaveLength(times);
  expect((await worker.held()).pendingRevocations).toEqual([]);
});

test('a revocation waits while a user signs in at its client', async () => {
  const { worker } = await signedIn();
  worker.network.isOnline = false;
  await worker.signOut();
  await worker.rest();
  worker.network.isOnline = true;
  await worker.beginShown();
  await worker.open();
  await worker.rest();
  expect(worker.revoked()).toEqual([]);
  await worker.cancel();
  await expect.poll(worker.revoked).toEqual(['refresh-1']);
});

test('a sign-in asks for tokens when the revocation under way is over', async () => {
  const late = deferred<Response>();
  const { worker } = await signedIn({ answers: { '/revoke': () => late.promise } });
  await worker.signOut();
  await expect.poll(worker.revoked).toHaveLength(1);
  worker.approve(await worker.begin());
  await worker.rest();
  expect(worker.count('/token')).toBe(1);
  late.resolve(new Response());
  await worker.expectSession({ status: 'signed-in' });
  expect(worker.count('/token')).toBe(2);
});

test('a sign-out beats a renewal in flight, whose tokens are revoked', async () => {
  const { worker, script } = await signedIn();
  const late = deferred<Response>();
  script.answers = { '/token': () => late.promise };
  await worker.openAfter(600_000);
  await expect.poll(() => worker.count('/token')).toBe(2);
  await worker.signOut();
  late.resolve(Response.json({ access_token: 'access-2', token_type: 'Bearer', refresh_token: 'refresh-2' }));
  await expect.poll(() => worker.revoked().toSorted()).toEqual(['refresh-1', 'refresh-2']);
  expect(worker.session()).toMatchObject({ status: 'signed-out', problem: null });
  await worker.reopen();
  expect(worker.session()?.status).toBe('signed-out');
});

test('UserInfo is not asked about a user who signs out just before', async () => {
  const answers = { '/userinfo': () => status(503) };
  const { worker } = await signedIn({ token: { expires_in: 3600 }, answers });
  await expect.poll(() => worker.count('/userinfo')).toBe(1);
  await worker.rest();
  const written = deferred<void>();
  worker.disk.gate = () => written.promise;
  await worker.openAfter(600_000);
  const signsOut = worker.signOut();
  await worker.rest();
  written.resolve();
  await signsOut;
  await worker.rest();
  expect(worker.count('/userinfo')).toBe(1);
});
