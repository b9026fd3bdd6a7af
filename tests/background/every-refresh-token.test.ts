// Each refresh token that was ever received is in use, queued for revocation, revoked, or replaced by the provider.

import { describe, expect, test } from 'vitest';
import { ProblemError } from '../../src/session/problem.ts';
import { journalOf } from '../support/journal-of.ts';
import { hour, signedIn } from '../support/fault-scene.ts';
import type { Worker } from '../support/worker-setup.ts';

/** The refresh tokens on the disk: the session's, and those that wait for their revocation. */
async function storedTokens(worker: Worker) {
  const { session, debts } = await worker.held();
  return { held: session?.refreshToken ?? null, queued: debts.map(({ token }) => token) };
}

test('renewed tokens that cannot be stored delay an update', async () => {
  const { worker, script } = await signedIn({ claims: { picture: 'https://pictures.example/ada.png' } });
  script.answers = {
    '/token': () => {
      worker.disk.failure = new ProblemError('storage-failed');
      return Response.json({ access_token: 'access-2', token_type: 'Bearer', refresh_token: 'refresh-2' });
    },
  };
  await worker.openAfter(hour);
  await worker.expectSession({ status: 'signed-in', problem: { code: 'storage-failed' } });
  worker.offerUpdate();
  await worker.rest();
  expect(worker.shown.reloads).toBe(0);
});

describe('a configuration that has changed', () => {
  test('with another client ends the session and revokes its token as the old client', async () => {
    const { worker } = await signedIn();
    await worker.reopen({ clientId: 'another-client' });
    await worker.expectSession({ status: 'signed-out', problem: { code: 'expired' } });
    await expect.poll(worker.revoked).toEqual(['refresh-1']);
    expect(worker.provider.requests.at(-1)?.parameters.get('client_id')).toBe('client');
    await expect.poll(() => storedTokens(worker)).toEqual({ held: null, queued: [] });
    await worker.reopen();
    await worker.expectSession({ status: 'signed-out' });
  });

  test('with another issuer ends the session and removes its token, because there is no one to ask', async () => {
    const { worker } = await signedIn();
    await worker.reopen({ issuer: 'https://other.example' });
    await worker.expectSession({ status: 'signed-out', problem: { code: 'expired' } });
    await expect.poll(() => storedTokens(worker)).toEqual({ held: null, queued: [] });
    expect(worker.revoked()).toEqual([]);
  });
});

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
])('the tries of a revocation are not used up by looks at the popup %s', async (_title, cut) => {
  const { worker } = await signedIn();
  cut(true, worker);
  await worker.signOut();
  for (let looks = 1; looks <= 5; looks += 1) {
    // The first try was that of the sign-out.
    const tries = async () => (await worker.held()).debts.map((debt) => debt.tries);
    await expect.poll(async () => [failures(worker), await tries()]).toEqual([looks, [0]]);
    await worker.reopen();
  }
  const before = worker.revoked().length;
  cut(false, worker);
  await worker.reopen();
  await expect.poll(worker.revoked).toHaveLength(before + 1);
  await expect.poll(() => storedTokens(worker)).toEqual({ held: null, queued: [] });
});
