// Revokes the tokens that no session uses. The user doesn't wait for it.

import { safe, detail } from '../../session/detail.ts';
import { singleFlight, withTimeout } from '../../concurrency.ts';
import { isIssuerOf } from '../../config/issuer.ts';
import { revokeToken } from '../../oidc/end.ts';
import type { Arrival } from '../../oidc/answer.ts';
import { findRetryAfterMs, isUnsent, toTokenClient, type ProviderClient } from '../../oidc/http.ts';
import type { Metadata } from '../../oidc/discover.ts';
import { findRefusal } from '../../oidc/problems.ts';
import { ProblemError } from '../../session/problem.ts';
import type { ProviderAccess, TokenAccess } from '../provider/provider.ts';
import type { PendingRevocation, RevocableToken, RevocationResult, WorkerRecord } from '../record/record.ts';
import { findGivenUp, findRevocable } from '../record/revocable.ts';
import type { Records } from '../record/records.ts';
import type { Journal } from '../journal.ts';
import type { Work } from '../work.ts';
import type { Settings } from '../part.ts';

interface RevocationsParts {
  readonly knownProviders: () => readonly ProviderAccess[];
  readonly policy: Settings<'managed'>;
  readonly journal: Journal;
  readonly work: Pick<Work, 'runInBackground'>;
  readonly whenIdle: () => Promise<void>;
  readonly records: Pick<Records, 'arrived' | 'dispatchOrHold' | 'hasHeld' | 'read' | 'subscribe'>;
  readonly nowMs: () => number;
}

interface Arrived extends Arrival {
  readonly atMs: number;
}

/** How long a sign-in waits for a revocation. */
const maxWaitMs = 10_000;

export type Revocations = ReturnType<typeof createRevocations>;

export function createRevocations(parts: RevocationsParts) {
  const { records, work } = parts;
  let isWanted = false;
  let underWay: Promise<unknown> = Promise.resolve();
  /** The sign-ins that are running, with their clients. */
  const signIns = new Map<Promise<unknown>, ProviderClient>();
  /** Whether a token waits for the end of one. */
  let isAwaited = false;

  const isHeldBack = ({ issuer, clientId }: RevocableToken) => {
    const isHeld = [...signIns.values()].some(
      ({ provider }) => isIssuerOf(provider, issuer) && (clientId === null || clientId === provider.clientId),
    );
    isAwaited ||= isHeld;
    return isHeld;
  };

  const runAll = singleFlight(async () => {
    const tried = new Set<string>();
    await parts.whenIdle();
    do {
      isWanted = isAwaited = false;
      let record = records.hasHeld() ? null : await records.read();
      // The event stores the events that are held in memory too.
      if (record === null || findGivenUp(record, parts.nowMs()).length > 0)
        record = await records.dispatchOrHold({ type: 'revocations-checked' });
      for (;;) {
        const pending = findRevocable(record, parts.nowMs()).find(
          (one) => !tried.has(one.token) && !isHeldBack(one),
        );
        if (pending === undefined) break;
        tried.add(pending.token);
        const revoked = revoke(parts, pending, () => isHeldBack(pending));
        underWay = revoked;
        record = (await revoked) ?? record;
      }
    } while (isWanted);
  });

  const run = () => {
    isWanted = true;
    // The next run tries again what is still due.
    work.runInBackground(runAll());
  };

  records.subscribe(({ pendingRevocations }, before) => {
    const isNew = ({ token, revocableSinceMs }: PendingRevocation) =>
      revocableSinceMs !== null &&
      !before.pendingRevocations.some((old) => old.token === token && old.revocableSinceMs !== null);
    if (pendingRevocations.some(isNew)) run();
  });

  return {
    /** Tries each token that is due once, in the background. The next call tries the failed ones again. */
    run,

    /**
     * Runs `use`, which may request tokens with the access that it gets, and settles as it does. The tokens that come and that it
     * doesn't bring to the record are queued for revocation at its end.
     */
    async receive<T>(access: ProviderAccess, use: (own: TokenAccess) => Promise<T>): Promise<T> {
      const { client } = access;
      const arrived = new Map<unknown, Arrived>();
      let user: string | null = null;
      const leaveOver = (arrival: Arrived) =>
        records.dispatchOrHold({ type: 'token-left-over', token: toRevocable(client, arrival, user) });
      const own = toTokenClient(client, (arrival) => {
        const one = { ...arrival, atMs: parts.nowMs() };
        arrived.delete(arrival.replaces);
        if (records.arrived.has(arrived)) arrived.set(arrival.token, one);
        else void leaveOver(one);
      });
      records.arrived.add(arrived);
      try {
        return await use({ ...access, client: own, identify: (subject) => void (user = subject) });
      } finally {
        records.arrived.delete(arrived);
        for (const arrival of arrived.values()) await leaveOver(arrival);
      }
    },

    /** Sends no token of this client until `signIn` has settled, and settles as it does: its tokens may belong to the same grant. */
    async holdBack<T>({ client }: ProviderAccess, signIn: Promise<T>): Promise<T> {
      signIns.set(signIn, client);
      try {
        return await signIn;
      } finally {
        signIns.delete(signIn);
        if (isAwaited) run();
      }
    },

    /**
     * Resolves when no request is under way, and after 10 s in any case. A provider may revoke the whole grant with one of its
     * tokens, so nothing may be granted before. Never rejects.
     */
    settled: (): Promise<unknown> => withTimeout(underWay, maxWaitMs, () => undefined),
  };
}

/** A hundred years. */
const maxSeconds = 3_155_760_000;

/** The token of a response. An issuer that isn't the provider's is ignored. `user` is the one that is known without an ID token. */
function toRevocable(
  { provider }: ProviderClient,
  { token, readOwner, lifetimeSeconds, atMs }: Arrived,
  user: string | null,
): RevocableToken {
  const { id: providerId, clientId } = provider;
  const { issuer: named, subject } = readOwner();
  const issuer = named !== null && isIssuerOf(provider, named) ? named : provider.issuer;
  // JSON can't hold the longest times.
  const end = lifetimeSeconds !== null && {
    expiresAtMs: atMs + Math.min(lifetimeSeconds, maxSeconds) * 1000,
  };
  return { providerId, issuer, clientId, subject: subject ?? user, token, ...end };
}

/** Tries a revocation once, unless it's held back by then. Resolves with the record after its response. Never rejects. */
async function revoke(
  { records, knownProviders, policy, journal }: RevocationsParts,
  pending: PendingRevocation,
  isHeldBack: () => boolean,
): Promise<WorkerRecord | null> {
  const { token } = pending;
  const answer = (result: RevocationResult, retryAfterMs = 0) =>
    records.dispatchOrHold({ type: 'revocation-answered', pending, result, retryAfterMs });
  const access = findAccess(knownProviders(), pending);
  if (access === null) {
    // The policy that is awaited may have its provider.
    return policy.inForce.managed === 'awaited' ? null : answer('not-configured');
  }
  const metadata = access.client.world.isOnline() ? await access.metadata().catch(() => null) : null;
  if (metadata === null) {
    journal.note(detail`revocation: failed`);
    return null;
  }
  // Stored before it is sent, so that a request that kills the worker isn't repeated without a pause. The user may be signed in again.
  const record = await records.dispatchOrHold({ type: 'revocation-sent', token });
  const isDue = record.pendingRevocations.some((due) => due.token === token && due.revocableSinceMs !== null);
  if (!isDue) return record;
  // If the storage hangs for longer than a sign-in waits, the same grant may have new tokens by now.
  if (isHeldBack()) return answer('unsent');
  const { result, retryAfterMs } = await sendRevocation(access.client, metadata, pending);
  journal.note(detail`revocation: ${safe(result === 'unsent' ? 'failed' : result)}`);
  return answer(result, retryAfterMs);
}

/**
 * The provider to ask: the one with the token's issuer, client and id; or, if the configuration has changed since, with its issuer
 * and client, or else its issuer and id. Any other provider of that issuer has a different client, and may have its own endpoints.
 * Null if there is no longer one to ask.
 */
function findAccess(
  providers: readonly ProviderAccess[],
  { providerId, issuer, clientId }: RevocableToken,
): ProviderAccess | null {
  const same = providers.filter(({ client }) => isIssuerOf(client.provider, issuer));
  const isNamesake = ({ client }: ProviderAccess) => client.provider.id === providerId;
  const own = same.filter(({ client }) => clientId === null || client.provider.clientId === clientId);
  return own.find(isNamesake) ?? (clientId === null ? null : own[0]) ?? same.find(isNamesake) ?? null;
}

/** Asks the provider to revoke a token. Never rejects. */
async function sendRevocation(
  client: ProviderClient,
  metadata: Metadata,
  { token, clientId, expiresAtMs }: RevocableToken,
): Promise<{ readonly result: RevocationResult; readonly retryAfterMs: number }> {
  try {
    const hint = expiresAtMs === undefined ? 'refresh_token' : 'access_token';
    const result = await revokeToken(client, metadata, token, clientId ?? client.provider.clientId, hint);
    return { result: result === 'revoked' ? 'done' : result, retryAfterMs: 0 };
  } catch (error) {
    const isRefused = ![null, 'passing'].includes(findRefusal(error));
    return {
      result: isRefused ? 'refused' : hasReached(error) ? 'failed' : 'unsent',
      retryAfterMs: findRetryAfterMs(error),
    };
  }
}

/** Whether a request that failed may have reached the provider: not if the network or the browser refused to send it. */
function hasReached(error: unknown): boolean {
  if (!(error instanceof ProblemError)) return true;
  if (error.code === 'offline' || error.code === 'host-permission-missing') return false;
  if (isUnsent(error)) return false;
  return !(error.code === 'provider-unreachable' && error.cause instanceof TypeError);
}
