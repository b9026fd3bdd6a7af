// A revocation beside another worker's sign-in. The others are in revocation-pause.test.ts and sign-out.test.ts.

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
test('a token is not sent if its account was signed in by another worker just before', async () => {
  const told: RecordEvent['type'][] = [];
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
      dispatchOrHold: ({ type }) => {
        told.push(type);
        const held = type === 'revocation-sent' ? { ...pending, revocableSinceMs: null } : pending;
        return Promise.resolve({ ...emptyRecord, pendingRevocations: [held] });
      },
      arrived: new Set(),
      subscribe: () => undefined,
    },
    knownProviders: () => [{ client, metadata } as unknown as ProviderAccess],
    policy: { inForce: { managed: null } },
    journal: { note: () => undefined },
    work: { runInBackground: (run: Promise<void>) => void run.then(done.resolve) },
    whenIdle: () => Promise.resolve(),
    nowMs: () => 7,
  });
  revocations.run();
  await done.promise;
  expect(told).toEqual(['revocations-checked', 'revocation-sent']);
  expect(requests).toEqual([]);
});
