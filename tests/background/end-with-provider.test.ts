// A session that ends because the user has signed out at the provider, where that is configured.

import { expect, test } from 'vitest';
import { deferred } from '../support/deferred.ts';
import { adaIsSignedIn, expired, setUpWorker } from '../support/worker-setup.ts';
import { provider as scripted, type Script } from '../support/scripted-provider.ts';

const tenMinutes = 10 * 60_000;

/** Ada has signed in, and ten minutes have passed. */
async function setUpLater(
  settings: Partial<typeof scripted> = { endWithProvider: true },
  token: Script['token'] = {},
) {
  const script: Script = { claims: { sub: 'ada' }, token: { expires_in: 86_400, ...token } };
  const worker = setUpWorker({ script, providers: [{ ...scripted, ...settings }] });
  await worker.signIn();
  await worker.rest();
  worker.clock.nowMs += tenMinutes;
  return worker;
}

type Later = Awaited<ReturnType<typeof setUpLater>>;

const tries = ({ silence }: Later) => silence.urls.length;
const refuse = (worker: Later, error: string) => (url: string) => worker.provider.decline(url, error);

test('a user who has signed out at the provider is signed out here when the popup opens, without a window', async () => {
  const worker = await setUpLater();
  const { idToken } = (await worker.held()).session ?? {};
  worker.silence.answer = refuse(worker, 'login_required');
  await worker.open();
  await worker.expectSession(expired);
  expect(worker.windows).toHaveLength(1);
  const asked = new URL(worker.silence.urls[0] ?? '').searchParams;
  expect([asked.get('prompt'), asked.get('id_token_hint')]).toEqual(['none', idToken]);
  await expect.poll(worker.revoked).toEqual(['refresh-1']);
  expect((await worker.held()).isSignedOutOnPurpose).toBe(false);
});

test('a provider that could not be asked because a window was open is asked when the next page opens', async () => {
  const worker = await setUpLater();
  worker.silence.answer = refuse(worker, 'login_required');
  await worker.begin({ type: 'use-another-account' });
  await worker.open();
  await worker.rest();
  expect(tries(worker)).toBe(0);
  await worker.cancel();
  await worker.open();
  await worker.expectSession(expired);
});

test('a provider whose renewals fail is still asked', async () => {
  const worker = await setUpLater({ endWithProvider: true }, { expires_in: 60 });
  worker.script.answers = { '/token': () => new Response('', { status: 503 }) };
  worker.silence.answer = refuse(worker, 'login_required');
  await worker.open();
  await worker.expectSession(expired);
});

test.each<[string, (worker: Later) => Later['silence']['answer']]>([
  ['interaction_required', (worker) => refuse(worker, 'interaction_required')],
  ['an error that only begins like it', (worker) => refuse(worker, 'login_required_soon')],
  ['a page', () => () => Promise.reject(new Error('User interaction required.'))],
  [
    'login_required to another request',
    (worker) => (url) => {
      const answer = new URL(worker.provider.decline(url, 'login_required'));
      answer.searchParams.set('state', 'x'.repeat(43));
      return answer.href;
    },
  ],
  [
    'a code for another user',
    (worker) => {
      worker.script.claims = { sub: 'eve' };
      return worker.provider.approve;
    },
  ],
])('%s from the provider leaves the session as it is', async (_answer, toAnswer) => {
  const worker = await setUpLater();
  worker.silence.answer = toAnswer(worker);
  await worker.open();
  await expect.poll(() => tries(worker)).toBe(1);
  await worker.rest();
  expect(worker.session()).toMatchObject(adaIsSignedIn);
  expect(worker.count('/token')).toBe(1);
});

test('a provider is not asked unless that is configured', async () => {
  const worker = await setUpLater({});
  worker.silence.answer = refuse(worker, 'login_required');
  await worker.open();
  await worker.rest();
  expect(tries(worker)).toBe(0);
  expect(worker.session()?.status).toBe('signed-in');
});

test('the provider is asked once for two pages, and no sooner than ten minutes later again', async () => {
  const worker = await setUpLater();
  worker.silence.answer = worker.provider.approve;
  worker.clock.nowMs -= 1;
  await worker.open();
  await worker.rest();
  expect(tries(worker)).toBe(0);
  worker.clock.nowMs += 1;
  await Promise.all([worker.open(), worker.open()]);
  await worker.rest();
  worker.clock.nowMs += tenMinutes - 1;
  await worker.reopen();
  await worker.rest();
  expect(tries(worker)).toBe(1);
  worker.clock.nowMs += 1;
  worker.silence.answer = refuse(worker, 'login_required');
  await worker.open();
  await worker.expectSession({ status: 'signed-out' });
});

test('the provider is asked no more often after the clock was set back by a day', async () => {
  const worker = await setUpLater();
  worker.silence.answer = refuse(worker, 'interaction_required');
  worker.clock.nowMs -= 86_400_000;
  for (let pages = 0; pages < 3; pages += 1) {
    await worker.openAfter(1_000);
    await worker.rest();
  }
  expect(tries(worker)).toBe(1);
});

test('a worker that dies during a try leaves the session, and the next try to a time ten minutes later', async () => {
  const worker = await setUpLater();
  worker.silence.answer = () => new Promise<never>(() => undefined);
  await worker.open();
  await expect.poll(() => tries(worker)).toBe(1);
  worker.restartWorker();
  worker.silence.answer = refuse(worker, 'login_required');
  await worker.open();
  await worker.rest();
  expect(worker.session()).toMatchObject({ status: 'signed-in', problem: null });
  await worker.openAfter(tenMinutes);
  await worker.expectSession({ status: 'signed-out' });
});

/** A try whose answer, `login_required`, comes when `answer` is called. */
async function setUpSlow(token: Script['token'] = {}) {
  const worker = await setUpLater({ endWithProvider: true }, token);
  const asked = deferred<null>();
  worker.silence.answer = (url) => asked.promise.then(() => worker.provider.decline(url, 'login_required'));
  await worker.open();
  await expect.poll(() => tries(worker)).toBe(1);
  return { ...worker, answer: () => asked.resolve(null) };
}

test('a sign-in that comes first stays', async () => {
  const worker = await setUpSlow();
  await worker.agreeTo({ type: 'use-another-account' });
  worker.answer();
  await worker.rest();
  expect(worker.session()).toMatchObject({ status: 'signed-in', problem: null });
});

test('a renewal by the refresh token meanwhile does not keep the session', async () => {
  const worker = await setUpSlow();
  await worker.openAfter(86_400_000);
  await expect.poll(() => worker.count('/token')).toBe(2);
  await worker.rest();
  worker.answer();
  await worker.expectSession({ status: 'signed-out' });
  await expect.poll(async () => (await worker.held()).session).toBeNull();
});

test('a silent renewal meanwhile keeps the session, because it is the newer answer', async () => {
  const worker = await setUpSlow({ refresh_token: undefined });
  worker.silence.answer = worker.provider.approve;
  await worker.openAfter(86_400_000);
  await expect.poll(() => worker.count('/token')).toBe(2);
  await worker.rest();
  worker.answer();
  await worker.rest();
  expect(worker.session()).toMatchObject({ status: 'signed-in', problem: null });
});

// A provider may have refused the ID token as a hint, so it's asked once more without it.
test.each([
  ['login_required', 'signed-out', 2],
  ['interaction_required', 'signed-in', 1],
])('%s to a silent sign-in ahead of time leaves the user %s', async (error, status, count) => {
  const worker = await setUpLater({ endWithProvider: true, refreshTokenSeconds: 600 });
  worker.silence.answer = refuse(worker, error);
  await worker.open();
  await expect.poll(() => tries(worker)).toBe(count);
  await worker.rest();
  expect(worker.session()?.status).toBe(status);
  expect(tries(worker)).toBe(count);
});
