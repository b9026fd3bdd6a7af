// Each refresh token that was ever received is in use, queued for revocation, revoked, or replaced by the provider.

import { describe, expect, test } from 'vitest';
import type { Provider } from '../../src/config/provider.ts';
import { ProblemError } from '../../src/session/problem.ts';
import { journalOf } from '../support/journal-of.ts';
import { deferred } from '../support/deferred.ts';
import {
  adaIsSignedIn,
  expectSession,
  hour,
  open,
  openUntil,
  sent,
  signedIn,
  signOut,
  status,
} from '../support/fault-scene.ts';
import { readHeld } from '../support/held.ts';
import { rest } from '../support/rest.ts';
import { apiOrigin } from '../support/scripted-api.ts';
import { createSigningKey, provider as scripted, type Script } from '../support/scripted-provider.ts';
import { setUpWorker } from '../support/worker-setup.ts';

type Worker = ReturnType<typeof setUpWorker>;

const revoked = (worker: Worker) => sent(worker, 'token');

/** The refresh tokens on the disk: the session's, and those that wait for their revocation. */
async function storedTokens(worker: Worker) {
  const { session, debts } = await readHeld(worker);
  return { held: session?.refreshToken ?? null, queued: debts.map(({ token }) => token) };
}

const storedTries = async (worker: Worker) => (await readHeld(worker)).debts.map(({ tries }) => tries);

const signInAgain = async (worker: Worker) => {
  await worker.send({ type: 'use-another-account' });
  worker.approve(await worker.nextWindow());
  await worker.boardWhere(({ session }) => session.status !== 'signing-in');
};

describe('a sign-in that is refused after its tokens have come', () => {
  const stranger = createSigningKey('key-1');
  test.each<[string, () => Promise<Script> | Script, Partial<Provider>]>([
    ['a weaker authentication', () => ({ claims: { acr: 'weak' } }), { acrValues: 'strong' }],
    ['a wrong signature', async () => ({ signingKey: await stranger, publishedKeys: () => [] }), {}],
    ['another nonce', () => ({ claims: { nonce: 'another' } }), {}],
    ['another audience', () => ({ claims: { aud: 'another' } }), {}],
    ['an expired ID token', () => ({ claims: { exp: 1 } }), {}],
    ['a wrong time', () => ({ claims: { iat: 1 } }), {}],
    ['a person who is not allowed', () => ({}), { allowed: { groups: ['staff'] } }],
    ['an unknown token type', () => ({ token: { token_type: 'mac' } }), {}],
    ['no ID token', () => ({ token: { id_token: undefined } }), {}],
  ])('for %s has its refresh token revoked', async (_title, toScript, change) => {
    const worker = setUpWorker({ script: await toScript(), providers: [{ ...scripted, ...change }] });
    expect((await worker.signIn()).session.status).toBe('signed-out');
    await expect.poll(() => revoked(worker)).toEqual(['refresh-1']);
  });

  test('has its refresh token revoked later if the network fails', async () => {
    const script: Script = { claims: { nonce: 'another' }, answers: { '/revoke': () => status(503) } };
    const worker = setUpWorker({ script });
    await worker.signIn();
    await expect.poll(() => revoked(worker)).toHaveLength(1);
    delete script.answers;
    worker.restartWorker();
    await open(worker);
    await expect.poll(() => revoked(worker)).toEqual(['refresh-1', 'refresh-1']);
  });

  test('has its refresh token revoked at once if the vault cannot queue it', async () => {
    const script: Script = { claims: { nonce: 'another' } };
    const worker = setUpWorker({ script });
    await worker.send({ type: 'sign-in', providerId: 'scripted' });
    const window = await worker.nextWindow();
    worker.disk.failure = new ProblemError('storage-failed');
    worker.approve(window);
    await expect.poll(() => revoked(worker)).toEqual(['refresh-1']);
  });

  test('keeps its token out of the board, the journal and the console', async () => {
    const worker = setUpWorker({ script: { claims: { nonce: 'another' } } });
    await worker.signIn();
    await expect.poll(() => revoked(worker)).toHaveLength(1);
    await rest(worker);
    expect(JSON.stringify([...worker.local.items, ...worker.memory.items])).not.toContain('refresh-1');
  });

  test('leaves the session of the same account and its grant alone until that ends', async () => {
    const { worker, script } = await signedIn();
    script.token = { refresh_token: 'refused' };
    script.claims = { nonce: 'another' };
    await signInAgain(worker);
    await expectSession(worker, { status: 'signed-in', problem: { code: 'response-rejected' } });
    expect(await storedTokens(worker)).toEqual({ held: 'refresh-1', queued: ['refused'] });
    expect(revoked(worker)).toEqual([]);
    await signOut(worker);
    await expect.poll(() => revoked(worker).toSorted()).toEqual(['refresh-1', 'refused']);
  });
});

describe('a renewal that a sign-out overtook', () => {
  test('has its refresh token revoked at once if another person has signed in', async () => {
    const { worker, script, clock } = await signedIn();
    clock.nowMs += hour;
    const late = deferred<Response>();
    script.answers = {
      '/token': async () =>
        worker.provider.requests.at(-1)?.parameters.get('grant_type') === 'refresh_token'
          ? late.promise
          : Response.json(await worker.provider.tokenAnswer()),
    };
    await open(worker);
    await expect.poll(() => sent(worker, 'refresh_token')).toEqual(['refresh-1']);
    script.claims = { sub: 'grace' };
    script.token = { refresh_token: 'grace' };
    await signInAgain(worker);
    late.resolve(Response.json({ access_token: 'late', token_type: 'Bearer', refresh_token: 'late' }));
    await expect.poll(() => revoked(worker).toSorted()).toEqual(['late', 'refresh-1']);
    await expect.poll(() => storedTokens(worker)).toEqual({ held: 'grace', queued: [] });
  });
});

describe('renewed tokens that cannot be stored', () => {
  async function renewedWithoutStorage() {
    const scene = await signedIn(
      { claims: { picture: 'https://pictures.example/ada.png' } },
      { providers: [{ ...scripted, apiOrigins: [apiOrigin] }] },
    );
    const { worker, script, clock } = scene;
    clock.nowMs += hour;
    script.answers = {
      '/token': () => {
        worker.disk.failure = new ProblemError('storage-failed');
        return Response.json({
          access_token: 'access-2',
          token_type: 'Bearer',
          expires_in: 3600,
          refresh_token: 'refresh-2',
        });
      },
    };
    await open(worker);
    await expectSession(worker, { status: 'signed-in', problem: { code: 'storage-failed' } });
    return scene;
  }

  test('are used from memory, and neither asked for again nor revoked', async () => {
    const { worker } = await renewedWithoutStorage();
    expect((await worker.fetch(`${apiOrigin}/things`)).status).toBe(200);
    expect(worker.api.calls.at(-1)?.token).toBe('access-2');
    expect(sent(worker, 'refresh_token')).toEqual(['refresh-1']);
    expect(revoked(worker)).toEqual([]);
  });

  test('are stored once the storage works again', async () => {
    const { worker, script, clock } = await renewedWithoutStorage();
    worker.disk.failure = null;
    delete script.answers;
    script.claims = { nonce: undefined };
    clock.nowMs += hour;
    await openUntil({ worker, clock }, adaIsSignedIn);
    expect(sent(worker, 'refresh_token')).toEqual(['refresh-1', 'refresh-2']);
    await expect.poll(() => storedTokens(worker)).toMatchObject({ queued: [] });
  });

  test('are revoked if the person signs out', async () => {
    const { worker } = await renewedWithoutStorage();
    worker.disk.failure = null;
    await signOut(worker);
    await expect.poll(() => revoked(worker)).toEqual(['refresh-2']);
    await expect.poll(() => storedTokens(worker)).toEqual({ held: null, queued: [] });
  });

  test('delay an update', async () => {
    const { worker } = await renewedWithoutStorage();
    worker.offerUpdate();
    await rest(worker);
    expect(worker.shown.reloads).toBe(0);
  });
});

describe('a configuration that has changed', () => {
  test('with another client ends the session and revokes its token as the old client', async () => {
    const { worker } = await signedIn();
    worker.restartWorker({ clientId: 'another-client' });
    await open(worker);
    await expectSession(worker, { status: 'signed-out', problem: { code: 'expired' } });
    await expect.poll(() => revoked(worker)).toEqual(['refresh-1']);
    expect(worker.provider.requests.at(-1)?.parameters.get('client_id')).toBe('client');
    await expect.poll(() => storedTokens(worker)).toEqual({ held: null, queued: [] });
  });

  test('with another provider id ends the session and revokes its token', async () => {
    const { worker } = await signedIn();
    worker.restartWorker({ id: 'renamed' });
    await open(worker);
    await expectSession(worker, { status: 'signed-out', problem: { code: 'expired' } });
    await expect.poll(() => revoked(worker)).toEqual(['refresh-1']);
  });

  test('with another issuer ends the session and removes its token, because there is no one to ask', async () => {
    const { worker } = await signedIn();
    worker.restartWorker({ issuer: 'https://other.example' });
    await open(worker);
    await expectSession(worker, { status: 'signed-out', problem: { code: 'expired' } });
    await expect.poll(() => storedTokens(worker)).toEqual({ held: null, queued: [] });
    expect(revoked(worker)).toEqual([]);
  });

  test('brings no session back when the old client is configured again', async () => {
    const { worker } = await signedIn();
    worker.restartWorker({ clientId: 'another-client' });
    await open(worker);
    worker.restartWorker();
    await open(worker);
    await expectSession(worker, { status: 'signed-out' });
  });
});

test('the same person at two clients of one issuer has two accounts: one replaces the other, which is revoked', async () => {
  const worker = setUpWorker({
    providers: [scripted, { ...scripted, id: 'other', clientId: 'other-client' }],
  });
  await worker.signIn();
  worker.script.claims = { aud: 'other-client' };
  worker.script.token = { refresh_token: 'refresh-2' };
  expect((await worker.signIn('other')).session).toMatchObject({ profile: { providerId: 'other' } });
  await expect.poll(() => revoked(worker)).toEqual(['refresh-1']);
  expect(worker.provider.requests.at(-1)?.parameters.get('client_id')).toBe('client');
});

describe('the tries of a revocation', () => {
  /** How many tries the journal says have failed. */
  const failures = (worker: Worker) =>
    journalOf(worker.local).filter((line) => line === 'revocation: failed').length;

  const lookFiveTimes = async (worker: Worker) => {
    for (let looks = 1; looks <= 5; looks += 1) {
      // The first try was that of the sign-out.
      await expect.poll(async () => [failures(worker), await storedTries(worker)]).toEqual([looks, [0]]);
      worker.restartWorker();
      await open(worker);
    }
  };

  test.each<[string, (worker: Worker, script: Script) => void, (worker: Worker, script: Script) => void]>([
    [
      'without a network',
      ({ network }) => void (network.isOnline = false),
      ({ network }) => void (network.isOnline = true),
    ],
    [
      'with a network that leads nowhere',
      (_worker, script) => {
        script.answers = { '/revoke': () => Promise.reject(new TypeError('Failed to fetch')) };
      },
      (_worker, script) => void delete script.answers,
    ],
    [
      'without the permission for the host',
      (_worker, script) => {
        script.isForbidden = true;
        script.answers = { '/revoke': () => Promise.reject(new TypeError('Failed to fetch')) };
      },
      (_worker, script) => {
        script.isForbidden = false;
        delete script.answers;
      },
    ],
  ])('are not used up by looks at the popup %s', async (_title, cut, repair) => {
    const { worker, script } = await signedIn();
    cut(worker, script);
    await signOut(worker);
    await lookFiveTimes(worker);
    const before = revoked(worker).length;
    repair(worker, script);
    worker.restartWorker();
    await open(worker);
    await expect.poll(() => revoked(worker)).toHaveLength(before + 1);
    await expect.poll(() => storedTokens(worker)).toEqual({ held: null, queued: [] });
  });

  test('are counted for requests that kill the worker', async () => {
    const { worker, script } = await signedIn();
    script.answers = { '/revoke': () => Promise.race<Response>([]) };
    await signOut(worker);
    for (let tries = 1; tries <= 5; tries += 1) {
      await expect.poll(() => revoked(worker)).toHaveLength(tries);
      worker.restartWorker();
      await open(worker);
    }
    await expect.poll(() => storedTokens(worker)).toEqual({ held: null, queued: [] });
    expect(revoked(worker)).toHaveLength(5);
  });
});

test('every refresh token of a long life is used, revoked or replaced by the provider in the end', async () => {
  const { worker, script, clock } = await signedIn();
  const issued: string[] = ['refresh-1'];
  const replaced: string[] = [];
  let mode: 'well' | 'badly' = 'well';
  script.answers = {
    '/token': async () => {
      const { parameters } = worker.provider.requests.at(-1) ?? {};
      const isRenewal = parameters?.get('grant_type') === 'refresh_token';
      if (isRenewal) replaced.push(String(parameters.get('refresh_token')));
      const refresh_token = `refresh-${issued.length + 1}`;
      issued.push(refresh_token);
      const nonce = isRenewal ? undefined : script.claims?.['nonce'];
      script.claims = {
        ...script.claims,
        ...(isRenewal && { nonce }),
        ...(mode === 'badly' && { aud: 'x' }),
      };
      if (!isRenewal) delete script.claims['nonce'];
      if (mode === 'well') delete script.claims['aud'];
      return Response.json({ ...(await worker.provider.tokenAnswer()), refresh_token });
    },
  };
  worker.silence.answer = (url) => Promise.resolve(worker.provider.approve(url));
  const renew = async (count: number) => {
    clock.nowMs += hour;
    await open(worker);
    await expect.poll(() => issued).toHaveLength(count);
  };
  await renew(2);
  await signInAgain(worker);
  mode = 'badly';
  await signInAgain(worker);
  // The renewal is rejected, and so is the silent sign-in after it.
  await renew(6);
  mode = 'well';
  script.claims = { sub: 'grace' };
  await signInAgain(worker);
  await renew(8);
  await signOut(worker);
  await expect.poll(() => new Set([...revoked(worker), ...replaced])).toEqual(new Set(issued));
  await expect.poll(() => storedTokens(worker)).toEqual({ held: null, queued: [] });
  expect(issued).toHaveLength(8);
});
