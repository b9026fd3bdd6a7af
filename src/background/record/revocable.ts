// The tokens that the worker must not lose: those that a session holds, and those that must be revoked.

import { isPaused } from './pause.ts';
import type {
  Grant,
  PendingRevocation,
  RecordEvent,
  RevocableToken,
  StoredSession,
  WorkerRecord,
} from './record.ts';

// This is the one place that makes sure that no token is lost. Whatever an event does, each token that was held before, or that
// the event has brought, is afterwards held by the session, used up at the provider, a pending revocation, or one that is given
// up. An access token that is about to expire may be none of these.

/** The effect of an event, before the tokens that it released are accounted for. */
export interface Change {
  readonly record: WorkerRecord;
  /** A token that has come with the event. */
  readonly brought?: RevocableToken | null;
  /** A token that the provider has replaced, refused or revoked. */
  readonly used?: string | null;
  /** Pending revocations that are given up. */
  readonly givenUp?: readonly PendingRevocation[];
}

/** The record after a change, with a pending revocation for each token that would be lost. The same record if none would. */
export function conserve(
  before: WorkerRecord,
  { record, brought = null, used = null, givenUp = [] }: Change,
  nowMs: number,
): WorkerRecord {
  const isPending = ({ token }: RevocableToken) =>
    record.pendingRevocations.some((pending) => pending.token === token);
  const vanished = before.pendingRevocations.filter((pending) => !isPending(pending));
  const former = before.session && toRevocableToken(before.session);
  const loose = [former, brought]
    .filter((one) => one !== null)
    .filter((one) => !isOver(one, nowMs) && !isPending(one))
    .map((one) => toPendingRevocation(one, nowMs));
  const held = record.session && toRevocableToken(record.session);
  // Revoking the token that the session holds would end the session.
  const gone = [used, held?.token, ...givenUp.map(toText)];
  return withPendingRevocations(
    record,
    [...record.pendingRevocations, ...vanished, ...loose].filter(({ token }) => !gone.includes(token)),
  );
}

// The tokens that must be revoked: when their turn comes, and when they are given up.

/**
 * A session that lasts for years replaces refresh tokens now and then. They wait for its end, and are given up after this time:
 * nearly every provider has expired them by then.
 */
const longestWaitMs = 365 * 24 * 60 * 60 * 1000;
/** A token that couldn't be revoked in this time after the first try is given up. */
const maxAgeMs = 24 * 60 * 60 * 1000;
/** An access token that expires this soon isn't worth a request. */
const soonMs = 5 * 60 * 1000;

/**
 * The token of a session that has to be revoked at its end: its refresh token, or else its access token, which with plain
 * OAuth 2 may never expire. Null if there is none.
 */
export function toRevocableToken({ profile, issuer, clientId, tokens }: Grant): RevocableToken | null {
  const { providerId, subject } = profile;
  if (tokens.type === 'id_token') return null;
  const { refreshToken, accessToken, idToken, expiresAtMs } = tokens;
  const token = refreshToken ?? accessToken;
  // With plain OAuth 2 the time may be that of the next check.
  const hasEnd = refreshToken === null && idToken !== null;
  return { providerId, issuer, clientId, subject, token, ...(hasEnd && { expiresAtMs }) };
}

/**
 * The tokens that come to the record with an event. From then on the record makes sure that they're revoked, whether it can be
 * stored or not.
 */
export function findBrought(event: RecordEvent): readonly unknown[] {
  switch (event.type) {
    case 'granted': {
      const { tokens, apis } = event.session;
      return [...Object.values(tokens), ...apis.map(({ token }) => token?.accessToken)];
    }
    case 'renewed':
      return Object.values(event.renewed.tokens);
    case 'api-granted':
      return Object.values(event.tokens);
    case 'token-left-over':
      return [event.token.token];
    default:
      return [];
  }
}

/** Whether a power cut may undo this change: no token, and no choice of the user, is lost with it. */
export function mayBeUndone(before: WorkerRecord, next: WorkerRecord): boolean {
  const known = findTokens(before);
  return (
    findTokens(next).every((token) => known.includes(token)) &&
    before.session?.id === next.session?.id &&
    before.isSignedOutOnPurpose === next.isSignedOutOnPurpose
  );
}

/** All tokens of the record that must be revoked sooner or later. */
function findTokens({ session, pendingRevocations }: WorkerRecord): readonly string[] {
  const held = session && toRevocableToken(session);
  return [...(held === null ? [] : [held]), ...pendingRevocations].map(toText);
}

const toText = ({ token }: RevocableToken) => token;

export function toPendingRevocation(token: RevocableToken, nowMs: number): PendingRevocation {
  return { ...token, queuedAtMs: nowMs, revocableSinceMs: null, firstSentAtMs: null, pause: null };
}

/** Whether a token expires so soon that it needn't be revoked. */
function isOver({ expiresAtMs }: RevocableToken, nowMs: number): boolean {
  return nowMs >= (expiresAtMs ?? Infinity) - soonMs;
}

/** The pending revocations that can be sent now, newest first, because those matter most. */
export function findRevocable(
  { pendingRevocations }: WorkerRecord,
  nowMs: number,
): readonly PendingRevocation[] {
  return pendingRevocations
    .filter(({ revocableSinceMs, pause }) => revocableSinceMs !== null && !isPaused(pause, nowMs))
    .toReversed()
    .toSorted((one, other) => other.queuedAtMs - one.queuedAtMs);
}

/**
 * Whether a token and a session may belong to one grant, so that revoking the token could end the session: they have the
 * same issuer, client and user. Unknown values may be the same.
 */
function mayShareGrant(
  { issuer, clientId, subject }: RevocableToken,
  session: Pick<StoredSession, 'issuer' | 'clientId' | 'profile'> | null,
): boolean {
  const fits = (known: string | null, own: string) => known === null || known === own;
  return (
    issuer === session?.issuer && fits(clientId, session.clientId) && fits(subject, session.profile.subject)
  );
}

/** Lets each pending revocation wait while the session may share its grant. Its attempts start over when the wait is over. */
export function markRevocable(record: WorkerRecord, nowMs: number): WorkerRecord {
  const { session, pendingRevocations } = record;
  const settled = pendingRevocations.map((pending) => {
    const isWaiting = mayShareGrant(pending, session);
    if (isWaiting === (pending.revocableSinceMs === null)) return pending;
    return isWaiting
      ? { ...pending, revocableSinceMs: null, firstSentAtMs: null, pause: null }
      : { ...pending, revocableSinceMs: nowMs };
  });
  return withPendingRevocations(record, settled);
}

/** The record with these pending revocations; the same record if it has them already. */
export function withPendingRevocations(
  record: WorkerRecord,
  pendingRevocations: readonly PendingRevocation[],
): WorkerRecord {
  const isUnchanged =
    pendingRevocations.length === record.pendingRevocations.length &&
    pendingRevocations.every((pending, at) => pending === record.pendingRevocations[at]);
  return isUnchanged ? record : { ...record, pendingRevocations };
}

/** The pending revocations that are given up now. One that can be sent and hasn't expired is tried at least once. */
export function findGivenUp(
  { pendingRevocations }: WorkerRecord,
  nowMs: number,
): readonly PendingRevocation[] {
  const isLongAgo = (sinceMs: number | null, lengthMs: number) =>
    sinceMs !== null && Math.abs(nowMs - sinceMs) >= lengthMs;
  return pendingRevocations.filter(
    (pending) =>
      isOver(pending, nowMs) ||
      (pending.revocableSinceMs === null
        ? isLongAgo(pending.queuedAtMs, longestWaitMs)
        : isLongAgo(pending.firstSentAtMs, maxAgeMs)),
  );
}
