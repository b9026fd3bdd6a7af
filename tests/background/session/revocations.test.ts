// A revocation, when the record changes before it is sent.

import { expect, test, vi } from 'vitest';
import type { ProviderAccess } from '../../../src/background/provider/provider.ts';
import {
  emptyRecord,
  type PendingRevocation,
  type RecordEvent,
} from '../../../src/background/record/record.ts';
import { createRevocations } from '../../../src/background/session/revocations.ts';
import { deferred } from '../../support/deferred.ts';
import { provider } from '../../support/scripted-provider.ts';

test('a token is not sent if its account was signed in by another worker just before', async () => {
  const { id: providerId, issuer, clientId } = provider;
  const pending: PendingRevocation = {
    providerId,
    issuer,
    clientId,
    subject: 'ada',
    token: 'refresh-1',
    queuedAtMs: 1,
    revocableSinceMs: 1,
    tries: 0,
  };
  const metadata = vi.fn(() => Promise.reject(new Error('asked')));
  const client = { provider, world: { isOnline: () => true } };
  const told: RecordEvent['type'][] = [];
  const done = deferred<void>();
  const revocations = createRevocations({
    records: {
      dispatchOrHold: ({ type }) => {
        told.push(type);
        const waits = { ...pending, revocableSinceMs: null };
        return Promise.resolve({
          ...emptyRecord,
          pendingRevocations: [told.includes('revocation-sent') ? waits : pending],
        });
      },
      subscribe: () => undefined,
    },
    knownProviders: () => [{ client, metadata } as unknown as ProviderAccess],
    inForce: () => ({ managed: null }) as never,
    journal: { note: () => undefined } as never,
    work: { runInBackground: (run: Promise<void>) => void run.then(done.resolve) } as never,
    whenIdle: () => Promise.resolve(),
  });
  revocations.run();
  await done.promise;
  expect(told).toEqual(['revocations-checked', 'revocation-sent', 'revocations-checked']);
  expect(metadata).not.toHaveBeenCalled();
});
