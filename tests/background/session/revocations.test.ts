// A revocation: when it is sent, and what the record learns of it.

import { customFetch } from 'oauth4webapi';
import { expect, test } from 'vitest';
import type { ProviderAccess, TokenAccess } from '../../../src/background/provider/provider.ts';
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

/**
 * Revocations over a record whose pending ones `toPending` names, given the events so far. The provider's responses bring the refresh
 * tokens 'refresh-2', 'refresh-3' and so on.
 */
function setUp(
  toPending: (told: readonly RecordEvent[]) => readonly PendingRevocation[] = () => [],
  hasHeld = false,
) {
  const told: RecordEvent[] = [];
  const requests: string[] = [];
  const world = toWorld((url) => {
    requests.push(url);
    const tokens = { access_token: 'access', refresh_token: `refresh-${requests.length + 1}` };
    return Promise.resolve(Response.json(tokens));
  });
  const client = createProviderClient(world, provider);
  const metadata = () => Promise.resolve(toMetadata(issuer));
  const access = { client, metadata } as unknown as ProviderAccess;
  const done = deferred<void>();
  const toRecord = () => ({ ...emptyRecord, pendingRevocations: toPending(told) });
  const revocations = createRevocations({
    records: {
      hasHeld: () => hasHeld,
      read: () => Promise.resolve(toRecord()),
      dispatchOrHold: (event) => {
        told.push(event);
        return Promise.resolve(toRecord());
      },
      arrived: new Set(),
      subscribe: () => undefined,
    },
    knownProviders: () => [access],
    policy: { inForce: { managed: null } },
    journal: { note: () => undefined } as never,
    work: { runInBackground: (run: Promise<void>) => void run.then(done.resolve) } as never,
    whenIdle: () => Promise.resolve(),
    nowMs: () => 7,
  });
  return { told, requests, access, revocations, done: done.promise };
}

/** Looks at the pending revocations once. The record has `pending`, and `afterSent` once it was told that it is sent. */
async function revokePending(afterSent: PendingRevocation, hasHeld: boolean) {
  const isSent = (told: readonly RecordEvent[]) => told.some(({ type }) => type === 'revocation-sent');
  const { told, requests, revocations, done } = setUp(
    (events) => [isSent(events) ? afterSent : pending],
    hasHeld,
  );
  revocations.run();
  await done;
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

/** Sends a refresh token to the token endpoint. */
async function redeem({ client }: TokenAccess, token: string): Promise<void> {
  const body = new URLSearchParams({ refresh_token: token });
  const request = { method: 'POST', headers: {}, body, redirect: 'manual' } as const;
  await client.tokenOptions[customFetch](`${issuer}/token`, request);
}

const leftOver = (told: readonly RecordEvent[]) =>
  told.map((event) => (event.type === 'token-left-over' ? event.token.token : event.type));

test('of the tokens that nothing stores, only the last of a row is revoked: the provider may end its grant with any other', async () => {
  const { told, access, revocations } = setUp();
  await revocations.receive(access, async (own) => {
    await redeem(own, 'refresh-1');
    await redeem(own, 'refresh-2');
  });
  expect(leftOver(told)).toEqual(['refresh-3']);
});

test('a token that arrives when its work is over is revoked', async () => {
  const { told, access, revocations } = setUp();
  const own = await revocations.receive(access, (given) => Promise.resolve(given));
  expect(told).toEqual([]);
  await redeem(own, 'refresh-1');
  expect(leftOver(told)).toEqual(['refresh-2']);
});
