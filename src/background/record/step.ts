// The step: the one function that changes the record. It is pure and total.

import {
  type FormerToken,
  type NewTokens,
  type RecordEvent,
  findApi,
  isSameTokens,
  splitTokens,
  withoutTokens,
  type ApiGrant,
  type Grant,
  type StoredSession,
  type WorkerRecord,
  type PendingRevocation,
  type RevocableToken,
} from './record.ts';
import { isStale, type TokenSet } from '../../oidc/tokens.ts';
import { problem, type Problem, type ProblemCode } from '../../session/problem.ts';

/** The next record. The same object if the event changes nothing. */
export function step(record: WorkerRecord, event: RecordEvent, nowMs: number): WorkerRecord {
  return markRevocable(conserve(record, apply(record, event, nowMs), nowMs), nowMs);
}

function apply(record: WorkerRecord, event: RecordEvent, nowMs: number): Change {
  const { session } = record;
  switch (event.type) {
    case 'granted':
      // The event comes again if it was uncertain whether it had been stored.
      if (session?.id === event.session.id) return { record };
      return {
        record: { ...record, session: event.session, codeSignIn: null, isSignedOutOnPurpose: false },
      };
    case 'renewed': {
      const brought = toRevocableToken({ ...event.cause, ...event.renewed });
      if (!isSameTokens(session, event.cause)) return { record, brought };
      const renewed = toRenewed(session, event.renewed, nowMs);
      const replaced = toRevocableToken(session);
      // An access token is replaced because it is about to end, or because an API has refused it. One pending revocation for each
      // renewal would push out those of refresh tokens.
      const former = replaced?.expiresAtMs === undefined ? event.former : 'used';
      return { record: { ...record, session: renewed }, brought, used: findUsed(session, former) };
    }
    case 'api-granted': {
      const { cause, api, tokens } = event;
      const brought = toRevocableToken({ ...cause, tokens });
      if (!isSameTokens(session, cause)) return { record, brought };
      const { own, token } = splitTokens(session.tokens, tokens);
      const pause = pauseAfterSuccess(findApi(session, api.key).pause, tokens, nowMs);
      const granted = {
        ...session,
        tokens: own,
        generation: session.generation + 1,
        renewalSentAtMs: null,
        apis: withApi(session, { ...api, token, pause }),
      };
      return { record: { ...record, session: granted }, brought, used: findUsed(session, 'used') };
    }
    case 'api-failed': {
      const { cause, key, failure } = event;
      if (!isSameTokens(session, cause)) return { record };
      const api = findApi(session, key);
      const { renewalSentAtMs } = failure.request === 'unanswered' ? session : cause;
      const apis = withApi(session, { ...api, pause: pauseAfter(api.pause, failure, nowMs) });
      return { record: withMembers(record, session, { renewalSentAtMs, apis }) };
    }
    case 'renewal-tried': {
      if (!isSameTokens(session, event.cause)) return { record };
      return { record: withMembers(record, session, event.tried) };
    }
    case 'renewal-failed': {
      const { cause, failure } = event;
      if (!isSameTokens(session, cause)) return { record };
      const { renewalSentAtMs } = failure.request === 'unanswered' ? session : cause;
      const pause = pauseAfter(session.pause, failure, nowMs);
      return { record: withMembers(record, session, { renewalSentAtMs, pause }) };
    }
    case 'user-info-asked':
      if (session?.id !== event.cause.id) return { record };
      return { record: withMembers(record, session, { userInfoDueMs: event.nextAtMs }) };
    case 'profile-completed':
      if (session?.id !== event.cause.id) return { record };
      return { record: withMembers(record, session, { profile: event.profile, userInfoDueMs: null }) };
    case 'ended':
      if (!isSameTokens(session, event.cause)) return { record };
      return { record: { ...record, session: null }, used: findUsed(session, event.former) };
    case 'signed-out': {
      const isSignedOutOnPurpose = record.isSignedOutOnPurpose || event.by === 'user';
      // A policy that ends the session may allow the sign-in.
      const codeSignIn = event.by === 'user' ? null : record.codeSignIn;
      const isDone =
        session === null &&
        codeSignIn === record.codeSignIn &&
        isSignedOutOnPurpose === record.isSignedOutOnPurpose;
      return { record: isDone ? record : { ...record, session: null, codeSignIn, isSignedOutOnPurpose } };
    }
    case 'code-shown':
      if (isSame(record.codeSignIn, event.codeSignIn)) return { record };
      return { record: { ...record, codeSignIn: event.codeSignIn } };
    case 'code-ended':
      return { record: record.codeSignIn === null ? record : { ...record, codeSignIn: null } };
    case 'token-left-over':
      return { record, brought: event.token };
    case 'revocation-sent':
      return { record: withTry(record, event.token, 1) };
    case 'revocation-answered':
      if (event.result === 'failed') return { record };
      if (event.result === 'unsent') return { record: withTry(record, event.token, -1) };
      return { record, used: event.token };
    case 'revocations-checked':
      return { record, givenUp: findGivenUp(record, nowMs) };
  }
}

/** No more are kept, because those of former settings are useless. */
const maxApis = 40;

function withApi({ apis }: StoredSession, api: ApiGrant): readonly ApiGrant[] {
  return [...apis.filter(({ key }) => key !== api.key), api].slice(-maxApis);
}

/** The record with these members of its session. The same record if it has them already. */
function withMembers(
  record: WorkerRecord,
  session: StoredSession,
  members: Partial<StoredSession>,
): WorkerRecord {
  const changed = { ...session, ...members };
  return isSame(changed, session) ? record : { ...record, session: changed };
}

function isSame<T>(one: T, other: T): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function findUsed(session: StoredSession, former: FormerToken): string | null {
  return former === 'used' ? (toRevocableToken(session)?.token ?? null) : null;
}

function toRenewed(
  session: StoredSession,
  { tokens, dpopKey, authenticatedAtMs, originalClaims }: NewTokens,
  nowMs: number,
): StoredSession {
  return {
    ...session,
    tokens,
    dpopKey,
    authenticatedAtMs,
    originalClaims,
    // Those that are bound to the key before are of no use with this one.
    apis: dpopKey === session.dpopKey ? session.apis : withoutTokens(session.apis),
    generation: session.generation + 1,
    renewalSentAtMs: null,
    pause: pauseAfterSuccess(session.pause, tokens, nowMs),
  };
}

/** The record with one more try of a revocation, or one less. One that has to wait is not tried. */
function withTry(record: WorkerRecord, token: string, difference: 1 | -1): WorkerRecord {
  const pendingRevocations = record.pendingRevocations.map((pending) => {
    const isMeant = pending.token === token && pending.revocableSinceMs !== null;
    const tries = Math.max(0, pending.tries + difference);
    return isMeant && tries !== pending.tries ? { ...pending, tries } : pending;
  });
  return withPendingRevocations(record, pendingRevocations);
}

/** Nothing is lost with these if they can't be stored. */
const forgettable: readonly RecordEvent['type'][] = [
  // Nothing is sent then.
  'renewal-tried',
  // It will be requested again.
  'user-info-asked',
  'profile-completed',
  'revocations-checked',
  // It is not shown then. The provider asks for a slower pace again.
  'code-shown',
];

/** The part of an event to keep in memory if it can't be stored; null if nothing is lost with it. */
export function toLeftOver(event: RecordEvent): RecordEvent | null {
  if (event.type !== 'granted') return forgettable.includes(event.type) ? null : event;
  // The user was told that the sign-in has failed.
  const token = toRevocableToken(event.session);
  return token && { type: 'token-left-over', token };
}

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
  const gone = [used, held?.token, ...givenUp.map(({ token }) => token)];
  return withPendingRevocations(
    record,
    [...record.pendingRevocations, ...vanished, ...loose].filter(({ token }) => !gone.includes(token)),
  );
}

// The tokens that must be revoked: when their turn comes, and when they are given up.

/**
 * A session that is renewed silently for years replaces many tokens of its own. They wait for the session's end, and only
 * the newest are kept; by then the others have long expired.
 */
const maxWaiting = 20;
/** A token that couldn't be revoked in this time is given up. */
const maxAgeMs = 24 * 60 * 60 * 1000;
const maxTries = 5;
/** An access token that ends this soon isn't worth a request. */
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

export function toPendingRevocation(token: RevocableToken, nowMs: number): PendingRevocation {
  return { ...token, queuedAtMs: nowMs, revocableSinceMs: null, tries: 0 };
}

/** Whether a token ends by itself so soon that it need not be revoked. */
function isOver({ expiresAtMs }: RevocableToken, nowMs: number): boolean {
  return nowMs >= (expiresAtMs ?? Infinity) - soonMs;
}

/** The pending revocations that can be sent now, newest first, because those matter most. */
export function findRevocable({ pendingRevocations }: WorkerRecord): readonly PendingRevocation[] {
  return newestFirst(pendingRevocations.filter(({ revocableSinceMs }) => revocableSinceMs !== null));
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

/** Lets each pending revocation wait while the session may share its grant, and counts its time from the end of the wait. */
function markRevocable(record: WorkerRecord, nowMs: number): WorkerRecord {
  const { session, pendingRevocations } = record;
  const settled = pendingRevocations.map((pending) => {
    const revocableSinceMs = mayShareGrant(pending, session) ? null : (pending.revocableSinceMs ?? nowMs);
    return revocableSinceMs === pending.revocableSinceMs ? pending : { ...pending, revocableSinceMs };
  });
  return withPendingRevocations(record, settled);
}

/** The record with these pending revocations; the same record if it has them already. */
function withPendingRevocations(
  record: WorkerRecord,
  pendingRevocations: readonly PendingRevocation[],
): WorkerRecord {
  const isUnchanged =
    pendingRevocations.length === record.pendingRevocations.length &&
    pendingRevocations.every((pending, at) => pending === record.pendingRevocations[at]);
  return isUnchanged ? record : { ...record, pendingRevocations };
}

/** The pending revocations that are given up now. One that can be sent and still works is tried at least once. */
function findGivenUp({ pendingRevocations }: WorkerRecord, nowMs: number): readonly PendingRevocation[] {
  const waiting = newestFirst(pendingRevocations.filter(({ revocableSinceMs }) => revocableSinceMs === null));
  const tooMany = waiting.slice(maxWaiting);
  return pendingRevocations.filter((pending) => {
    if (isOver(pending, nowMs)) return true;
    const { revocableSinceMs, tries } = pending;
    if (revocableSinceMs === null) return tooMany.includes(pending);
    return tries > 0 && (tries >= maxTries || Math.abs(nowMs - revocableSinceMs) >= maxAgeMs);
  });
}

function newestFirst(pendingRevocations: readonly PendingRevocation[]): readonly PendingRevocation[] {
  return pendingRevocations.toReversed().toSorted((one, other) => other.queuedAtMs - one.queuedAtMs);
}

// The pause between two renewals of a session's tokens: how long it is, and when it is over.

/** Until it is over, the tokens of a session are not renewed. */
export interface Pause {
  /** Its end, in milliseconds since the epoch. */
  readonly untilMs: number;
  readonly lengthMs: number;
  /** Why there are no better tokens. */
  readonly failure: ProblemCode;
}

/** A renewal that has failed. */
export interface Failure {
  readonly problem: Problem;
  /** Whether the provider may have got a request, and whether it has answered with an OAuth error. */
  readonly request: 'unsent' | 'unanswered' | 'answered';
  /** How long the provider has asked to be left alone, in milliseconds; 0 if it has not. */
  readonly retryAfterMs: number;
}

/** The first pause, and the shortest. */
const firstMs = 10_000;
/** Pauses double up to this. They start over when no renewal has failed for as long. */
const longestMs = 5 * 60_000;
/** A longer `Retry-After` is shortened to this. */
const longestAskedMs = 60 * 60_000;

/**
 * Whether the time `dueMs` has come, which was `aheadMs` ahead when it was set. If it's further ahead now, the clock has been
 * set back since, and the time counts as passed. All times are in milliseconds.
 */
export function isDue(dueMs: number, aheadMs: number, nowMs: number): boolean {
  return nowMs >= dueMs || dueMs - nowMs > aheadMs;
}

/** Whether the pause goes on. */
export function isPaused(pause: Pause | null, nowMs: number): pause is Pause {
  return pause !== null && !isDue(pause.untilMs, pause.lengthMs, nowMs);
}

/** The pause after a failure. It stays the same if this very failure began it, because an event may be told twice. */
function pauseAfter(
  before: Pause | null,
  { problem: { code }, request, retryAfterMs }: Failure,
  nowMs: number,
): Pause {
  if (before?.failure === code && before.untilMs - before.lengthMs === nowMs) return before;
  const lastMs = before !== null && nowMs < before.untilMs + longestMs ? before.lengthMs : 0;
  // The provider has nothing to do with a device that is offline.
  const isSpared = request === 'unsent' || code === 'offline' || before?.failure === 'offline';
  const ownMs = Math.min(isSpared ? lastMs : 2 * lastMs, longestMs);
  const lengthMs = Math.min(Math.max(retryAfterMs || ownMs, firstMs), longestAskedMs);
  return { untilMs: nowMs + lengthMs, lengthMs, failure: code };
}

/** The pause after new tokens that end at once; null after others. It doesn't outlast tokens that are still of some use. */
function pauseAfterSuccess(before: Pause | null, tokens: TokenSet, nowMs: number): Pause | null {
  if (!isStale(tokens, nowMs)) return null;
  const isOfUse = tokens.expiresAtMs > nowMs + firstMs;
  const misconfigured = problem('provider-misconfigured');
  const failure: Failure = { problem: misconfigured, request: 'answered', retryAfterMs: 0 };
  return pauseAfter(isOfUse ? null : before, failure, nowMs);
}
