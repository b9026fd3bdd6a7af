// Each refresh token that was ever received is in use, queued for revocation, revoked, or replaced by the provider.

import { describe, expect, test } from 'vitest';
import type { Provider } from '../../src/config/provider.ts';
import { ProblemError } from '../../src/session/problem.ts';
import { journalOf } from '../support/journal-of.ts';
import { expectSession, hour, open, sent, signedIn, signOut } from '../support/fault-scene.ts';
import { readHeld } from '../support/held.ts';
import { rest } from '../support/rest.ts';
import { apiOrigin } from '../support/scripted-api.ts';
import { provider as scripted, type Script } from '../support/scripted-provider.ts';
import { setUpWorker } from '../support/worker-setup.ts';

type Worker = ReturnType<typeof setUpWorker>;

const revoked = (worker: Worker) => sent(worker, 'token');

/** The refresh tokens on the disk: the session's, and those that wait for their revocation. */
async function storedTokens(worker: Worker) {
  const { session, debts } = await readHeld(worker);
  return { held: session?.refreshToken ?? null, queued: debts.map(({ token }) => token) };
}

const storedTries = async (worker: Worker) => (await readHeld(worker)).debts.map(({ tries }) => tries);

test.each<[string, Script, Partial<Provider>]>([
  ['another nonce', { claims: { nonce: 'another' } }, {}],
  ['a person who is not allowed', {}, { allowed: { groups: ['staff'] } }],
])('a sign-in that is refused for %s has its refresh token revoked', async (_title, script, change) => {
  const worker = setUpWorker({ script, providers: [{ ...scripted, ...change }] });
  expect((await worker.signIn()).session.status).toBe('signed-out');
  await expect.poll(() => revoked(worker)).toEqual(['refresh-1']);
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
    worker.restartWorker();
    await open(worker);
    await expectSession(worker, { status: 'signed-out' });
  });

  test('with another issuer ends the session and removes its token, because there is no one to ask', async () => {
    const { worker } = await signedIn();
    worker.restartWorker({ issuer: 'https://other.example' });
    await open(worker);
    await expectSession(worker, { status: 'signed-out', problem: { code: 'expired' } });
    await expect.poll(() => storedTokens(worker)).toEqual({ held: null, queued: [] });
    expect(revoked(worker)).toEqual([]);
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
  ])('are not used up by looks at the popup %s', async (_title, cut) => {
    const { worker } = await signedIn();
    cut(true, worker);
    await signOut(worker);
    for (let looks = 1; looks <= 5; looks += 1) {
      // The first try was that of the sign-out.
      await expect.poll(async () => [failures(worker), await storedTries(worker)]).toEqual([looks, [0]]);
      worker.restartWorker();
      await open(worker);
    }
    const before = revoked(worker).length;
    cut(false, worker);
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
