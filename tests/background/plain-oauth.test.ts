// Sessions at providers of plain OAuth 2, which have no ID tokens: one user API says who has signed in.

import { describe, expect, test } from 'vitest';
import { uncheckedLifetimeSeconds } from '../../src/parts/oauth.ts';
import { refusal, showingCode } from '../support/device-scene.ts';
import { hour, status, setUpWorker } from '../support/worker-setup.ts';
import { apiOrigin, payOrigin } from '../support/scripted-api.ts';
import {
  issuer,
  plainSettings,
  plainToken,
  plainUser,
  provider as scripted,
  type Answer,
  type Script,
} from '../support/scripted-provider.ts';

const plain = { ...scripted, ...plainSettings, apiOrigins: [apiOrigin] };

/** As at GitHub: the token never expires, and nothing replaces it. */
const unlimited = { ...plainToken, refresh_token: undefined, expires_in: undefined };
/** As at X or Spotify. */
const renewable = { ...plainToken, expires_in: 7200 };

const setUp = (token: Script['token'], change: Script = {}, settings: Partial<typeof plain> = {}) =>
  setUpWorker({
    script: { ...change, token: token ?? {} },
    providers: [{ ...plain, ...settings }],
  });

async function signedIn(...given: Parameters<typeof setUp>) {
  const scene = setUp(...given);
  expect((await scene.worker.signIn()).session.status).toBe('signed-in');
  return scene;
}

const member = { ...plainUser, company: '@acme' };
/** A member signs in, where only members may. */
const signedInAsMember = (token: Script['token']) =>
  signedIn(token, { answers: { '/user': member } }, { allowed: { company: ['@acme'] } });

const isSignedIn = { status: 'signed-in', profile: { subject: '1815' }, problem: null };
const hasExpired = { status: 'signed-out', problem: { code: 'expired' }, accounts: [{ subject: '1815' }] };

const notPermitted = { status: 'signed-out', problem: { code: 'not-permitted' } };

/** Answers of the user API that say nothing about the user. */
const unusable: readonly (readonly [string, Answer])[] = [
  ['cannot be reached', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['answers 503', status(503)],
  ['answers nonsense', {}],
];

test('a sign-in brings the profile of the user API, and UserInfo is not asked for what it lacks', async () => {
  const { worker, script } = setUp(renewable);
  script.answers = { '/user': { id: 1815 } };
  expect((await worker.signIn()).session).toMatchObject({
    status: 'signed-in',
    profile: { subject: '1815', name: null, email: null, emailVerified: false, picture: null },
  });
  await worker.rest();
  expect(worker.provider.paths()).toEqual(['/token', '/user']);
});

test('a sign-in whose user API fails leaves the session before it untouched, with which its token is revoked', async () => {
  const { worker, script } = await signedIn(unlimited);
  script.token = { ...unlimited, access_token: 'access-2' };
  script.answers = { '/user': status(503) };
  await worker.agreeTo({ type: 'use-another-account' });
  await worker.expectSession({ ...isSignedIn, problem: { code: 'provider-unreachable' } });
  await worker.rest();
  expect(worker.revoked()).toEqual([]);
  await worker.signOut();
  await expect.poll(() => worker.revoked().toSorted()).toEqual(['access-1', 'access-2']);
});

describe('a token without a lifetime and without a refresh token', () => {
  test('is used for an hour without a question, and then checked once at the user API', async () => {
    const { worker, clock } = await signedIn(unlimited);
    const asked = () => worker.count('/user');
    clock.nowMs += uncheckedLifetimeSeconds * 1000 - 60_000;
    await worker.fetch(`${apiOrigin}/a`);
    expect(asked()).toBe(1);
    clock.nowMs += 60_000;
    await worker.fetch(`${apiOrigin}/a`);
    await worker.fetch(`${apiOrigin}/a`);
    expect(asked()).toBe(2);
    expect(worker.api.calls.map(({ token }) => token)).toEqual(['access-1', 'access-1', 'access-1']);
    expect(worker.session()).toMatchObject(isSignedIn);
  });

  test('is checked also after the clock was set back by a year', async () => {
    const { worker, clock } = await signedIn(unlimited);
    clock.nowMs -= 365 * 24 * hour;
    await worker.fetch(`${apiOrigin}/a`);
    await worker.fetch(`${apiOrigin}/a`);
    expect(worker.count('/user')).toBe(2);
  });

  test.each(unusable)(
    'is used further while the user API %s, and not checked at each use',
    async (_title, answer) => {
      const { worker, script, clock } = await signedIn(unlimited);
      script.answers = { '/user': answer };
      clock.nowMs += 2 * hour;
      expect((await worker.fetch(`${apiOrigin}/a`)).status).toBe(200);
      expect((await worker.fetch(`${apiOrigin}/a`)).status).toBe(200);
      expect(worker.count('/user')).toBe(2);
      expect(worker.session()).toMatchObject(isSignedIn);
    },
  );

  test.each<[string, Answer, object, readonly string[]]>([
    ['the user API refuses it', status(401), hasExpired, []],
    ['it is of someone else by now', { ...member, id: 1816 }, hasExpired, ['access-1']],
    ['its user is no longer allowed', plainUser, notPermitted, ['access-1']],
  ])('ends the session if %s, and is revoked if it still works', async (_title, user, end, revoked) => {
    const { worker, script } = await signedInAsMember(unlimited);
    script.answers = { '/user': user };
    await worker.openAfter(2 * hour);
    await worker.expectSession(end);
    await worker.rest();
    expect([worker.silence.urls, worker.revoked()]).toEqual([[], revoked]);
  });

  test('that an API refuses ends the session only if the user API refuses it too', async () => {
    const { worker } = await signedIn(unlimited);
    worker.api.answer = () => status(401);
    expect((await worker.fetch(`${apiOrigin}/a`)).status).toBe(401);
    expect((await worker.fetch(`${apiOrigin}/a`)).status).toBe(401);
    // The second refusal of tokens that the provider has just confirmed is believed for a while.
    expect(worker.count('/user')).toBe(2);
    expect(worker.session()).toMatchObject(isSignedIn);

    const fresh = await signedIn(unlimited);
    fresh.script.answers = { '/user': status(401) };
    fresh.worker.api.answer = () => status(401);
    await expect(fresh.worker.fetch(`${apiOrigin}/a`)).rejects.toMatchObject({ name: 'FetchRefused' });
    await fresh.worker.expectSession(hasExpired);
  });
});

describe('a token with a refresh token', () => {
  test('is renewed, and the user API is not asked again where everyone may sign in', async () => {
    const { worker, script, clock } = await signedIn(renewable);
    script.token = { ...renewable, access_token: 'access-2', id_token: 'ignored' };
    clock.nowMs += 3 * hour;
    await worker.fetch(`${apiOrigin}/a`);
    expect(worker.api.calls.map(({ token }) => token)).toEqual(['access-2']);
    expect(worker.provider.paths()).toEqual(['/token', '/user', '/token']);
    expect(worker.session()).toMatchObject(isSignedIn);
  });

  describe('of a user who must be allowed', () => {
    async function stale() {
      const scene = await signedInAsMember(renewable);
      scene.script.token = { ...renewable, access_token: 'access-2', refresh_token: 'refresh-2' };
      scene.clock.nowMs += 3 * hour;
      return scene;
    }

    test.each<[string, object, object]>([
      ['is no longer', plainUser, notPermitted],
      ['is another user by now', { ...member, id: 1816 }, hasExpired],
    ])('ends the session at its renewal if the user %s, and all is revoked', async (_title, user, end) => {
      const { worker, script } = await stale();
      script.answers = { '/user': user };
      await worker.open();
      await worker.expectSession(end);
      await expect.poll(() => worker.revoked().toSorted()).toEqual(['refresh-2']);
      const asked = worker.provider.requests.filter(({ path }) => path === '/user');
      expect(asked.at(-1)?.headers.get('authorization')).toBe('Bearer access-2');
    });

    test('ends the session also if a feature only calls an API with a token of its own', async () => {
      const pay = { name: null, origins: [payOrigin], scope: 'pay', resource: null, audience: null };
      const settings = { allowed: { company: ['@acme'] }, apis: [pay] };
      const { worker, script, clock } = await signedIn(renewable, { answers: { '/user': member } }, settings);
      await worker.fetch(`${payOrigin}/a`);
      expect(worker.provider.paths()).toEqual(['/token', '/user', '/token']);
      clock.nowMs += 3 * hour;
      script.answers = { '/user': plainUser };
      await expect(worker.fetch(`${payOrigin}/a`)).rejects.toMatchObject({ reason: 'signed-out' });
      await worker.expectSession(notPermitted);
    });

    test('loses no renewed token if the worker dies while the user API is asked', async () => {
      const { worker, script, clock } = await stale();
      script.answers = { '/user': () => new Promise<Response>(() => undefined) };
      await worker.open();
      await expect.poll(() => worker.provider.paths()).toEqual(['/token', '/user', '/token', '/user']);
      worker.restartWorker();
      script.answers = { '/user': member };
      script.token = { ...renewable, access_token: 'access-3', refresh_token: 'refresh-3' };
      clock.nowMs += 3 * hour;
      await worker.fetch(`${apiOrigin}/a`);
      expect(worker.api.calls.map(({ token }) => token)).toEqual(['access-3']);
      expect(worker.sent('refresh_token').at(-1)).toBe('refresh-2');
    });

    test.each([...unusable, ['answers 401', status(401)] as const])(
      'is renewed while the user API %s, and checked the next time',
      async (_title, answer) => {
        const { worker, script } = await stale();
        script.answers = { '/user': answer };
        await worker.fetch(`${apiOrigin}/a`);
        expect(worker.api.calls.map(({ token }) => token)).toEqual(['access-2']);
        expect(worker.session()).toMatchObject(isSignedIn);
        script.answers = { '/user': plainUser };
        await worker.openAfter(3 * hour);
        await worker.expectSession(notPermitted);
      },
    );
  });

  test.each([
    ['ends', 'bad_refresh_token', hasExpired],
    ['keeps', 'incorrect_client_credentials', { status: 'signed-in' }],
  ])('%s the session at a %s with status 200, and nothing is tried silently', async (_what, error, end) => {
    const { worker, script } = await signedIn(renewable);
    script.answers = { '/token': { error } };
    await worker.openAfter(3 * hour);
    await expect.poll(() => worker.count('/token')).toBe(2);
    await worker.rest();
    await worker.expectSession(end);
    expect([worker.silence.urls, worker.revoked(), worker.count('/token')]).toEqual([[], [], 2]);
  });
});

describe('a sign-in with a code, in the shape of GitHub,', () => {
  const metadata = { ...plainSettings.metadata, device_authorization_endpoint: `${issuer}/device` };
  const pending = () => refusal('authorization_pending', 200);
  const show = (answers: Record<string, Answer> = {}) =>
    showingCode(pending, {
      providers: [{ ...plain, metadata, deviceFlow: 'only' }],
      script: { token: unlimited, answers },
    });

  test('has the access token revoked if the user API fails', async () => {
    const { worker, pass, agree } = await show({ '/user': status(503) });
    agree();
    await pass(5);
    await worker.expectSession({ status: 'signed-out', problem: { code: 'provider-unreachable' } });
    await expect.poll(worker.revoked).toEqual(['access-1']);
  });
});

test('a popup that opens fetches neither metadata nor keys of a provider that has none', async () => {
  const { worker } = setUp(renewable);
  await worker.open();
  await worker.rest();
  expect(worker.provider.paths()).toEqual([]);
});

test('the page of a failed sign-in is diagnosed without prompt=none and without a nonce', async () => {
  const { worker } = setUp(renewable);
  (await worker.begin()).fail('Authorization page could not be loaded.');
  await expect.poll(() => worker.count('/authorize')).toBeGreaterThan(0);
  const probe = worker.provider.requests.find(({ path }) => path === '/authorize');
  const { searchParams } = new URL(probe?.url ?? '');
  expect([searchParams.get('prompt'), searchParams.get('nonce')]).toEqual([null, null]);
});

test.each([
  ['read:user,repo', null],
  ['read:user', 'denied'],
])('a feature that asks for a scope gets it if the answer names %s', async (scope, problem) => {
  const { worker, script } = await signedIn(unlimited);
  script.token = { ...unlimited, access_token: 'access-2', scope };
  const window = await worker.begin({ type: 'request-scope', scope: 'repo' });
  worker.approve(window);
  await worker.expectSession({ status: 'signed-in' });
  expect(new URL(window.url).searchParams.get('scope')).toBe('read:user repo');
  expect(worker.session()).toMatchObject({ problem: problem && { code: problem } });
});

test('a scope that was asked for one user is not granted by another, also if the session of the first has ended meanwhile', async () => {
  const { worker, script, clock } = await signedIn(renewable);
  const window = await worker.begin({ type: 'request-scope', scope: 'notes.read' });
  clock.nowMs += 3 * hour;
  script.answers = { '/token': status(400) };
  await expect(worker.fetch(apiOrigin)).rejects.toMatchObject({ reason: 'signed-out' });
  script.answers = { '/user': { ...plainUser, id: 1906 } };
  await worker.expectSession({ before: { status: 'signed-out', accounts: [{ subject: '1815' }] } });
  worker.approve(window);
  await worker.expectSession({ status: 'signed-out', problem: { code: 'denied' } });
});

test('the token of another user who answers a request for a scope is revoked at once', async () => {
  const { worker, script } = await signedIn(renewable);
  script.token = { ...renewable, refresh_token: 'refresh-2' };
  script.answers = { '/user': { ...plainUser, id: 1906 } };
  worker.approve(await worker.begin({ type: 'request-scope', scope: 'notes.read' }));
  await worker.expectSession({ ...isSignedIn, problem: { code: 'denied' } });
  await expect.poll(() => worker.revoked()).toEqual(['refresh-2']);
});
