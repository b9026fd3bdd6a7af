// A renewal whose answer never arrives, or cannot be used.

import { describe, expect, test } from 'vitest';
import { refusal } from '../support/device-scene.ts';
import {
  adaIsSignedIn,
  expired,
  hour,
  openUntil,
  signedIn,
  status,
  type Scene,
  type Worker,
} from '../support/worker-setup.ts';
import { apiOrigin } from '../support/scripted-api.ts';
import { issuer, provider as scripted, type Answer } from '../support/scripted-provider.ts';

const invalidGrant = () => refusal('invalid_grant');
const lost = {
  status: 'signed-out',
  problem: { code: 'expired', detail: 'renewal: the answer to an earlier renewal may have been lost' },
};
const revokedByProvider = { status: 'signed-out', problem: { code: 'expired', detail: null } };

const storedRefreshToken = async (worker: Worker) => (await worker.held()).session?.refreshToken;

const networkFails = () => Promise.reject(new TypeError('Failed to fetch'));

type Happens = (scene: Scene) => Promise<void>;

/** The events before the provider refuses the refresh token. */
const losses: Readonly<Record<string, Happens>> = {
  async 'the worker died while the refresh token was on its way'({ worker, script }) {
    script.answers = { '/token': () => Promise.race<Response>([]) };
    await worker.open();
    await expect.poll(() => worker.sent('refresh_token')).toHaveLength(1);
    worker.restartWorker();
  },
  'the network failed while the refresh token was on its way': (scene) =>
    fails(scene, networkFails, 'provider-unreachable'),
};

const noLosses: Readonly<Record<string, Happens>> = {
  'each renewal before was answered': (scene) =>
    fails(scene, () => refusal('temporarily_unavailable'), 'provider-unreachable'),
  async 'a renewal without a network, and one that succeeded, came before'(scene) {
    const { worker, script } = scene;
    worker.network.isOnline = false;
    await fails(scene, networkFails, 'offline');
    worker.network.isOnline = true;
    delete script.answers;
    script.token = { id_token: undefined };
    await openUntil(scene, adaIsSignedIn);
  },
  async 'the refresh token was not sent, because the provider had asked to be left alone'({
    worker,
    script,
  }) {
    script.answers = { '/token': () => status(429, { 'retry-after': '60' }) };
    await worker.agreeTo({ type: 'use-another-account' });
    await worker.expectSession({ status: 'signed-in', problem: { code: 'provider-unreachable' } });
    await worker.open();
    await worker.rest();
    expect(worker.sent('refresh_token')).toEqual([]);
  },
  async 'the refusal was answered and only silent sign-in failed at first'(scene) {
    const { silence } = scene.worker;
    silence.answer = () => Promise.reject(new Error('Authorization page load timed out.'));
    await fails(scene, invalidGrant, 'timed-out');
    silence.answer = () => Promise.reject(new Error('User interaction required.'));
  },
};

async function expectEnd(happens: Happens, end: object): Promise<void> {
  const scene = await signedIn();
  scene.clock.nowMs += hour;
  await happens(scene);
  scene.script.answers = { '/token': invalidGrant };
  scene.clock.nowMs += hour;
  await openUntil(scene, end);
}

test.each(Object.entries(losses))('the end of a session names the lost answer if %s', (_title, happens) =>
  expectEnd(happens, lost),
);

test.each(Object.entries(noLosses))('the end of a session names no lost answer if %s', (_title, happens) =>
  expectEnd(happens, revokedByProvider),
);

/** A renewal that gets this answer fails with `code`. */
async function fails({ worker, script }: Scene, answer: Answer, code: string): Promise<void> {
  script.answers = { '/token': answer };
  await worker.open();
  await worker.expectSession({ status: 'signed-in', problem: { code } });
}

describe('a renewed ID token', () => {
  test('of another party has its refresh token revoked at the end of the session, and silent sign-in brings other tokens', async () => {
    const { worker, script, clock } = await signedIn();
    clock.nowMs += hour;
    script.answers = {
      '/token': async () => {
        const isRenewal = worker.sent('grant_type').at(-1) === 'refresh_token';
        script.claims = isRenewal ? { azp: 'another' } : {};
        const refresh_token = isRenewal ? 'dropped' : 'silent';
        return Response.json({ ...(await worker.provider.tokenAnswer()), refresh_token });
      },
    };
    worker.silence.answer = worker.provider.approve;
    await worker.open();
    await expect.poll(() => storedRefreshToken(worker)).toBe('silent');
    await worker.expectSession(adaIsSignedIn);
    expect(worker.silence.urls).toHaveLength(1);
    // It may belong to the grant of the session.
    expect(worker.revoked()).toEqual([]);
    await worker.signOut();
    await expect.poll(() => worker.revoked().toSorted()).toEqual(['dropped', 'refresh-1', 'silent']);
  });

  test('of another user ends the session, and the refresh tokens of both are revoked', async () => {
    const { worker, script, clock } = await signedIn();
    clock.nowMs += hour;
    script.claims = { sub: 'eve', nonce: undefined };
    script.token = { refresh_token: 'refresh-eve' };
    await worker.open();
    // The tokens are not used, and the provider wants to see the user.
    await worker.expectSession(expired);
    await expect.poll(() => worker.revoked().toSorted()).toEqual(['refresh-1', 'refresh-eve']);
    await worker.reopen();
    await worker.expectSession({ status: 'signed-out' });
  });

  test('is compared with that of the sign-in after a restart and an earlier renewal, and left out', async () => {
    const { worker, script, clock } = await signedIn({ claims: { auth_time: 7 } });
    script.claims = { nonce: undefined };
    script.token = { refresh_token: 'refresh-2' };
    await worker.openAfter(hour);
    await expect.poll(() => storedRefreshToken(worker)).toBe('refresh-2');
    const { idToken } = (await worker.held()).session!;
    worker.restartWorker();
    script.claims = { nonce: 'another' };
    script.token = { refresh_token: 'refresh-3' };
    clock.nowMs += hour;
    await openUntil({ worker }, adaIsSignedIn);
    await expect.poll(() => storedRefreshToken(worker)).toBe('refresh-3');
    expect((await worker.held()).session?.idToken).toBe(idToken);
  });

  test('is compared with the ID token of the last silent sign-in', async () => {
    const { worker, script, clock } = await signedIn({
      claims: { auth_time: 7, azp: 'client' },
      token: { refresh_token: undefined },
    });
    script.claims = { auth_time: 8 };
    script.token = { refresh_token: 'silent' };
    worker.silence.answer = worker.provider.approve;
    await worker.openAfter(hour);
    await expect.poll(() => storedRefreshToken(worker)).toBe('silent');
    // The nonce is the one of the silent sign-in.
    script.token = { refresh_token: 'refresh-2' };
    clock.nowMs += hour;
    await openUntil({ worker }, adaIsSignedIn);
    await expect.poll(() => storedRefreshToken(worker)).toBe('refresh-2');
    expect(worker.silence.urls).toHaveLength(1);
    expect(worker.revoked()).toEqual([]);
  });
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
  expect(worker.sent('refresh_token')).toHaveLength(2);
  clock.nowMs += 5 * 60_000;
  await worker.fetch(apiOrigin);
  expect(worker.sent('refresh_token')).toHaveLength(3);
});

test("Ada's renewal that is still on its way when Grace is signed in does not delay Grace's first request", async () => {
  const { worker, script, clock } = await signedIn();
  clock.nowMs += hour;
  script.answers = {
    '/token': async () =>
      worker.provider.requests.at(-1)?.parameters.get('refresh_token') === 'refresh-1'
        ? Promise.race<Response>([])
        : Response.json(await worker.provider.tokenAnswer()),
  };
  await worker.open();
  await expect.poll(() => worker.sent('refresh_token')).toEqual(['refresh-1']);
  script.claims = { sub: 'grace' };
  script.token = { refresh_token: 'grace', access_token: 'access-grace' };
  await worker.agreeTo({ type: 'use-another-account' });
  await worker.expectSession({ status: 'signed-in', profile: { subject: 'grace' } });
  expect((await worker.fetch(apiOrigin)).status).toBe(200);
  clock.nowMs += hour;
  script.claims = { sub: 'grace', nonce: undefined };
  expect((await worker.fetch(apiOrigin)).status).toBe(200);
  expect(worker.api.calls.map(({ token }) => token)).toEqual(['access-grace', 'access-grace']);
  expect(worker.sent('refresh_token')).toEqual(['refresh-1', 'grace']);
});
