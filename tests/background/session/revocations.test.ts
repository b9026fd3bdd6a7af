// A revocation: when it is sent, and what the record learns of it.

import { expect, test } from 'vitest';
import type { ProviderAccess } from '../../../src/background/provider/provider.ts';
import {
  emptyRecord,
  type PendingRevocation,
  type RecordEvent,
} from '../../../src/background/record/record.ts';
import { createRevocations } from '../../../src/background/session/revocations.ts';
import { createProviderClient } from '../../../src/oidc/http.ts';
import { deferred } from '../../support/deferred.ts';
import { provider, toMetadata, toWorld } from '../../support/scripted-provider.ts';

const { id: providerId, issuer, clientId } = provider;
const pending: PendingRevocation = {
  providerId,
  issuer,
  clientId,
  subject: 'ada',
  token: 'refresh-1',
  queuedAtMs: 1,
  revocableSinceMs: 1,
  firstSentAtMs: null,
  pause: null,
};

/** Looks at the pending revocations once. The record has `pending`, and `afterSent` once it was told that it is sent. */
async function revokePending(afterSent: PendingRevocation, hasHeld: boolean) {
  const told: RecordEvent[] = [];
  const requests: string[] = [];
  const world = toWorld((url) => {
    requests.push(url);
    return Promise.resolve(new Response());
  });
  const client = createProviderClient(world, provider);
  const metadata = () => Promise.resolve(toMetadata(issuer));
  const done = deferred<void>();
  const revocations = createRevocations({
    records: {
      hasHeld: () => hasHeld,
      read: () => Promise.resolve({ ...emptyRecord, pendingRevocations: [pending] }),
      dispatchOrHold: (event) => {
        told.push(event);
        const isSent = told.some(({ type }) => type === 'revocation-sent');
        return Promise.resolve({ ...emptyRecord, pendingRevocations: [isSent ? afterSent : pending] });
      },
      arrived: new Set(),
      subscribe: () => undefined,
    },
    knownProviders: () => [{ client, metadata } as unknown as ProviderAccess],
    policy: { inForce: { managed: null } },
    journal: { note: () => undefined } as never,
    work: { runInBackground: (run: Promise<void>) => void run.then(done.resolve) } as never,
    whenIdle: () => Promise.resolve(),
    nowMs: () => 7,
  });
  revocations.run();
  await done.promise;
  return { told, requests };
}

const aboutToSend = { type: 'revocation-sent', token: 'refresh-1' };

test('a token is not sent if its account was signed in by another worker just before', async () => {
  const { told, requests } = await revokePending({ ...pending, revocableSinceMs: null }, false);
  expect(told).toEqual([aboutToSend]);
  expect(requests).toEqual([]);
});

test('what is held in memory is stored first', async () => {
  const { told } = await revokePending(pending, true);
  expect(told.slice(0, 2)).toEqual([{ type: 'revocations-checked' }, aboutToSend]);
});
