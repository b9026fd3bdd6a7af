// A renewal whose answer never arrives, or cannot be used.

import { describe, expect, test } from 'vitest';
import { deferred } from '../support/deferred.ts';
import {
  adaIsSignedIn,
  expectSession,
  expired,
  hour,
  open,
  openUntil,
  sent,
  signedIn,
  signOut,
  status,
} from '../support/fault-scene.ts';
import { readHeld, storeAsBeforeTheRecord } from '../support/held.ts';
import { rest } from '../support/rest.ts';
import { apiOrigin } from '../support/scripted-api.ts';
import {
  createSigningKey,
  issuer,
  provider as scripted,
  signIdToken,
  type Script,
} from '../support/scripted-provider.ts';

const invalidGrant = () => Response.json({ error: 'invalid_grant' }, { status: 400 });
const lost = {
  status: 'signed-out',
  problem: { code: 'expired', detail: 'renewal: the answer to an earlier renewal may have been lost' },
};
const revokedByProvider = { status: 'signed-out', problem: { code: 'expired', detail: null } };

type Worker = Awaited<ReturnType<typeof signedIn>>['worker'];

const renewalSentAtMs = async (worker: Worker) => (await readHeld(worker)).session?.renewalSentAtMs ?? null;
const storedRefreshToken = async (worker: Worker) => (await readHeld(worker)).session?.refreshToken;

describe('the end of a session', () => {
  test('names the lost answer if the worker died while the refresh token was on its way', async () => {
    const { worker, script, clock } = await signedIn();
    clock.nowMs += hour;
    script.answers = { '/token': () => Promise.race<Response>([]) };
    await open(worker);
    await expect.poll(() => sent(worker, 'refresh_token')).toHaveLength(1);
    worker.restartWorker();
    script.answers = { '/token': invalidGrant };
    await open(worker);
    await expectSession(worker, lost);
  });

  test('names the lost answer if the network failed while the refresh token was on its way', async () => {
    const { worker, script, clock } = await signedIn();
    clock.nowMs += hour;
    script.answers = { '/token': () => Promise.reject(new TypeError('Failed to fetch')) };
    await open(worker);
    await expectSession(worker, { problem: { code: 'provider-unreachable' } });
    script.answers = { '/token': invalidGrant };
    await openUntil({ worker, clock }, lost);
  });

  test.each<[string, (script: Script) => void, string | null]>([
    ['the refresh token was never sent before', () => undefined, null],
    [
      'each renewal before was answered',
      (script) => {
        script.answers = { '/token': Response.json({ error: 'invalid_scope' }, { status: 400 }) };
      },
      'provider-misconfigured',
    ],
  ])('names no lost answer if %s', async (_title, prepare, code) => {
    const { worker, script, clock } = await signedIn();
    clock.nowMs += hour;
    prepare(script);
    if (code !== null) {
      await open(worker);
      await expectSession(worker, { problem: { code } });
      await expect.poll(() => renewalSentAtMs(worker)).toBeNull();
    }
    script.answers = { '/token': invalidGrant };
    await openUntil({ worker, clock }, revokedByProvider);
  });

  test('names no lost answer after a renewal without a network, or after one that succeeded', async () => {
    const { worker, script, clock } = await signedIn();
    clock.nowMs += hour;
    worker.network.isOnline = false;
    await open(worker);
    await expectSession(worker, { problem: { code: 'offline' } });
    worker.network.isOnline = true;
    script.token = { id_token: undefined };
    await openUntil({ worker, clock }, adaIsSignedIn);
    clock.nowMs += hour;
    script.answers = { '/token': invalidGrant };
    await openUntil({ worker, clock }, revokedByProvider);
  });

  test('names no lost answer if the refresh token was not sent, because the provider had asked to be left alone', async () => {
    const { worker, script, clock } = await signedIn();
    clock.nowMs += hour;
    script.answers = { '/token': () => status(429, { 'retry-after': '60' }) };
    await worker.send({ type: 'use-another-account' });
    worker.approve(await worker.nextWindow());
    await expectSession(worker, { status: 'signed-in', problem: { code: 'provider-unreachable' } });
    await open(worker);
    await rest(worker);
    expect(sent(worker, 'refresh_token')).toEqual([]);
    clock.nowMs += hour;
    script.answers = { '/token': invalidGrant };
    await openUntil({ worker, clock }, revokedByProvider);
  });

  test('names no lost answer if the refusal was answered and only silent sign-in failed at first', async () => {
    const { worker, script, clock } = await signedIn();
    clock.nowMs += hour;
    script.answers = { '/token': invalidGrant };
    worker.silence.answer = () => Promise.reject(new Error('Authorization page load timed out.'));
    await open(worker);
    await expectSession(worker, { status: 'signed-in', problem: { code: 'timed-out' } });
    clock.nowMs += hour;
    worker.silence.answer = () => Promise.reject(new Error('User interaction required.'));
    await openUntil({ worker, clock }, revokedByProvider);
  });
});

test('a lost answer and a person who is still signed in at the provider cost nothing', async () => {
  const { worker, script, clock } = await signedIn();
  clock.nowMs += hour;
  script.answers = { '/token': () => Promise.race<Response>([]) };
  await open(worker);
  await expect.poll(() => renewalSentAtMs(worker)).not.toBeNull();
  worker.restartWorker();
  script.answers = {
    '/token': async () =>
      worker.provider.requests.at(-1)?.parameters.get('grant_type') === 'refresh_token'
        ? invalidGrant()
        : Response.json(await worker.provider.tokenAnswer()),
  };
  worker.silence.answer = (url) => Promise.resolve(worker.provider.approve(url));
  await open(worker);
  await expect.poll(() => worker.silence.urls).toHaveLength(1);
  await expect.poll(() => renewalSentAtMs(worker)).toBeNull();
  await expectSession(worker, adaIsSignedIn);
});

describe('a renewed ID token', () => {
  test('that has expired is not kept, and the replaced refresh token is', async () => {
    const { worker, script, clock } = await signedIn();
    clock.nowMs += hour;
    script.claims = { nonce: undefined, exp: 1 };
    script.token = { refresh_token: 'refresh-2' };
    await open(worker);
    await expect.poll(() => storedRefreshToken(worker)).toBe('refresh-2');
    await expectSession(worker, adaIsSignedIn);
    expect(sent(worker, 'token')).toEqual([]);
    expect(worker.silence.urls).toEqual([]);
  });

  const stranger = createSigningKey('key-1');
  test.each<[string, Record<string, unknown>]>([
    ['another audience', { aud: 'another' }],
    ['another nonce', { nonce: 'another' }],
    ['another signature', {}],
  ])(
    'with %s has its refresh token revoked at the end of the session, and silent sign-in brings other tokens',
    async (title, change) => {
      const { worker, script, clock } = await signedIn();
      clock.nowMs += hour;
      const iat = Math.floor(clock.nowMs / 1000);
      const claims = { iss: issuer, sub: 'ada', aud: 'client', iat, exp: iat + 300, ...change };
      const id_token = await signIdToken(claims, title === 'another signature' ? await stranger : undefined);
      script.answers = {
        '/token': async () => {
          const isRenewal = worker.provider.requests.at(-1)?.parameters.get('grant_type') === 'refresh_token';
          const answer = await worker.provider.tokenAnswer();
          return Response.json(
            isRenewal
              ? { ...answer, id_token, refresh_token: 'dropped' }
              : { ...answer, refresh_token: 'silent' },
          );
        },
      };
      worker.silence.answer = (url) => Promise.resolve(worker.provider.approve(url));
      await open(worker);
      await expect.poll(() => storedRefreshToken(worker)).toBe('silent');
      await expectSession(worker, adaIsSignedIn);
      expect(worker.silence.urls).toHaveLength(1);
      // It may belong to the grant of the session.
      expect(sent(worker, 'token')).toEqual([]);
      await signOut(worker);
      await expect.poll(() => sent(worker, 'token').toSorted()).toEqual(['dropped', 'refresh-1', 'silent']);
    },
  );

  test('with another subject has its refresh token revoked at once, because the session cannot share its grant', async () => {
    const { worker, script, clock } = await signedIn();
    clock.nowMs += hour;
    script.claims = { nonce: undefined, sub: 'eve' };
    script.token = { refresh_token: 'dropped' };
    worker.silence.answer = () => Promise.reject(new Error('Authorization page could not be loaded.'));
    await open(worker);
    await expect.poll(() => sent(worker, 'token')).toEqual(['dropped']);
    await expectSession(worker, { status: 'signed-in', problem: { code: 'response-rejected' } });
  });

  test('with another auth_time is not kept, and the replaced refresh token is', async () => {
    const { worker, script, clock } = await signedIn({ claims: { auth_time: 7 } });
    clock.nowMs += hour;
    script.claims = { nonce: undefined, auth_time: 8 };
    script.token = { refresh_token: 'refresh-2' };
    await open(worker);
    await expect.poll(() => storedRefreshToken(worker)).toBe('refresh-2');
    await expectSession(worker, adaIsSignedIn);
    expect(worker.silence.urls).toEqual([]);
  });

  test('is compared with the ID token of the sign-in after a restart and an earlier renewal', async () => {
    const { worker, script, clock } = await signedIn({ claims: { auth_time: 7 } });
    script.claims = { nonce: undefined };
    script.token = { refresh_token: 'refresh-2' };
    clock.nowMs += hour;
    await open(worker);
    await expect.poll(() => storedRefreshToken(worker)).toBe('refresh-2');
    worker.restartWorker();
    script.claims = { nonce: 'another' };
    script.token = { refresh_token: 'dropped' };
    worker.silence.answer = () => Promise.reject(new Error('Authorization page could not be loaded.'));
    clock.nowMs += hour;
    await openUntil({ worker, clock }, { status: 'signed-in', problem: { code: 'response-rejected' } });
    expect(await storedRefreshToken(worker)).toBe('refresh-2');
  });

  test('is not compared with that of a sign-in by an older version, whose session goes on', async () => {
    const { worker, script, clock } = await signedIn();
    await rest(worker);
    await storeAsBeforeTheRecord(worker, ({ originalClaims: _o, ...older }) => older);
    worker.restartWorker();
    clock.nowMs += hour;
    script.claims = { nonce: 'another', azp: 'client' };
    script.token = { refresh_token: 'refresh-2' };
    await open(worker);
    await expect.poll(() => storedRefreshToken(worker)).toBe('refresh-2');
    await expectSession(worker, adaIsSignedIn);
    expect(worker.silence.urls).toEqual([]);
  });

  test('is compared with the ID token of the last silent sign-in', async () => {
    const { worker, script, clock } = await signedIn({
      claims: { auth_time: 7, azp: 'client' },
      token: { refresh_token: undefined },
    });
    script.claims = { auth_time: 8 };
    script.token = { refresh_token: 'silent' };
    worker.silence.answer = (url) => Promise.resolve(worker.provider.approve(url));
    clock.nowMs += hour;
    await open(worker);
    await expect.poll(() => storedRefreshToken(worker)).toBe('silent');
    // The nonce is the one of the silent sign-in.
    script.token = { refresh_token: 'refresh-2' };
    clock.nowMs += hour;
    await openUntil({ worker, clock }, adaIsSignedIn);
    await expect.poll(() => storedRefreshToken(worker)).toBe('refresh-2');
    expect(worker.silence.urls).toHaveLength(1);
    expect(sent(worker, 'token')).toEqual([]);
  });

  test('with another issuer ends the session as expired when the provider wants to see the person', async () => {
    const { worker, script, clock } = await signedIn();
    clock.nowMs += hour;
    script.claims = { nonce: undefined, iss: 'https://evil.example' };
    await open(worker);
    await expectSession(worker, expired);
    await expect.poll(() => sent(worker, 'token')).toEqual(['refresh-1']);
  });

  test('with another issuer is the problem shown when silent sign-in fails too', async () => {
    const { worker, script, clock } = await signedIn();
    clock.nowMs += hour;
    script.claims = { nonce: undefined, iss: 'https://evil.example' };
    worker.silence.answer = () => Promise.reject(new Error('Authorization page could not be loaded.'));
    await open(worker);
    await expectSession(worker, { status: 'signed-in', problem: { code: 'response-rejected' } });
  });
});

test.each<[string, () => Response | Promise<Response>]>([
  ['cannot be reached', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['are gone', () => status(404)],
  ['are not a key set', () => Response.json({ keys: 'x' })],
])('a replaced refresh token is kept while the keys of the provider %s', async (_title, answer) => {
  const { worker, script, clock } = await signedIn();
  clock.nowMs += hour;
  script.signingKey = await createSigningKey('key-2');
  script.claims = { nonce: undefined };
  script.token = { refresh_token: 'refresh-2' };
  script.answers = { '/keys': answer };
  await open(worker);
  await expect.poll(() => storedRefreshToken(worker)).toBe('refresh-2');
  await expectSession(worker, adaIsSignedIn);
});

test('two APIs that refuse every token in turns cause one renewal each, and another one after five minutes', async () => {
  const { worker, script, clock } = await signedIn(
    {},
    { providers: [{ ...scripted, apiOrigins: [apiOrigin, issuer] }] },
  );
  worker.api.answer = () => status(401);
  script.answers = { '/api': status(401) };
  script.token = { id_token: undefined, expires_in: 86_400 };
  for (let times = 0; times < 10; times += 1) {
    expect((await worker.fetch(apiOrigin)).status).toBe(401);
    expect((await worker.fetch(`${issuer}/api`)).status).toBe(401);
  }
  expect(sent(worker, 'refresh_token')).toHaveLength(2);
  clock.nowMs += 5 * 60_000;
  await worker.fetch(apiOrigin);
  expect(sent(worker, 'refresh_token')).toHaveLength(3);
});

describe("Ada's renewal that is still on its way when Grace is signed in", () => {
  async function late() {
    const scene = await signedIn({}, { providers: [{ ...scripted, apiOrigins: [apiOrigin] }] });
    const { worker, script, clock } = scene;
    clock.nowMs += hour;
    const answer = deferred<Response>();
    script.answers = {
      '/token': async () =>
        worker.provider.requests.at(-1)?.parameters.get('refresh_token') === 'refresh-1'
          ? answer.promise
          : Response.json(await worker.provider.tokenAnswer()),
    };
    await open(worker);
    await expect.poll(() => sent(worker, 'refresh_token')).toEqual(['refresh-1']);
    script.claims = { sub: 'grace' };
    script.token = { refresh_token: 'grace', access_token: 'access-grace' };
    await worker.send({ type: 'use-another-account' });
    worker.approve(await worker.nextWindow());
    await expectSession(worker, { status: 'signed-in', profile: { subject: 'grace' } });
    return { ...scene, answer };
  }

  test("does not delay Grace's first request", async () => {
    const { worker, clock, script } = await late();
    expect((await worker.fetch(apiOrigin)).status).toBe(200);
    clock.nowMs += hour;
    script.claims = { sub: 'grace', nonce: undefined };
    expect((await worker.fetch(apiOrigin)).status).toBe(200);
    expect(worker.api.calls.map(({ token }) => token)).toEqual(['access-grace', 'access-grace']);
    expect(sent(worker, 'refresh_token')).toEqual(['refresh-1', 'grace']);
  });

  test.each<[string, () => Response]>([
    ['fails', () => status(503)],
    ['is refused', invalidGrant],
  ])("does not change Grace's session when it %s", async (_title, fail) => {
    const { worker, answer } = await late();
    answer.resolve(fail());
    await expect.poll(() => JSON.stringify(worker.local.items.get('journal'))).toContain(' renewal: ');
    worker.restartWorker();
    await open(worker);
    await expectSession(worker, { status: 'signed-in', profile: { subject: 'grace' }, problem: null });
  });
});
