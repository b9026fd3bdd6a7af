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
  firstSentAtMs: 2,
  pause: { untilMs: 7, lengthMs: 5, failure: 'provider-unreachable' },
};
const sent = { ...pending, pause: { ...pending.pause!, untilMs: 17, lengthMs: 10 } };

/** Looks at the pending revocations once. The record has `pending`, and `afterSent` once it was told that it is sent. */
async function revokePending(
  afterSent: PendingRevocation,
  nowMs: number,
  response = new Response(),
  hasHeld = false,
) {
  const told: RecordEvent[] = [];
  const requests: string[] = [];
  const world = toWorld((url) => {
    requests.push(url);
    return Promise.resolve(response);
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
    nowMs: () => nowMs,
  });
  revocations.run();
  await done.promise;
  return { told, requests };
}

const aboutToSend = { type: 'revocation-sent', token: 'refresh-1' };

test('a token is not sent if its account was signed in by another worker just before', async () => {
  const { told, requests } = await revokePending({ ...pending, revocableSinceMs: null }, 7);
  expect(told).toEqual([aboutToSend]);
  expect(requests).toEqual([]);
});

test('a token is not sent before its pause is over', async () => {
  expect(await revokePending(sent, 6)).toEqual({ told: [], requests: [] });
});

test.each([
  ['done', new Response(), 0],
  ['failed', new Response(null, { status: 503 }), 0],
  ['failed', new Response(null, { status: 503, headers: { 'retry-after': '120' } }), 120_000],
])(
  'an answer is told as %s with the token as it was before it was sent',
  async (result, response, retryAfterMs) => {
    const { told, requests } = await revokePending(sent, 7, response);
    const answered = { type: 'revocation-answered', pending, result, retryAfterMs };
    expect(told).toEqual([aboutToSend, answered]);
    expect(requests).toHaveLength(1);
  },
);

test('what is held in memory is stored first', async () => {
  const { told } = await revokePending(sent, 7, undefined, true);
  expect(told.slice(0, 2)).toEqual([{ type: 'revocations-checked' }, aboutToSend]);
});
