// The step: the one function that changes the record. It is pure and total.

import { conserve, type Change } from './conserve.ts';
import { findGivenUp, markRevocable, withPendingRevocations } from './pending-revocations.ts';
import type { FormerToken, NewTokens, RecordEvent } from './event.ts';
import { pauseAfter, pauseAfterSuccess } from './pause.ts';
import {
  findApi,
  isSameTokens,
  splitTokens,
  toRevocableToken,
  withoutTokens,
  type ApiGrant,
  type StoredSession,
  type WorkerRecord,
} from './record.ts';

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
      // An access token is replaced because it is about to end, or because an API has refused it. One pending revocation for each renewal
      // would push out those of refresh tokens.
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

/** The record with one more try of a revocation, or one less. a pending revocation that has to wait is not tried. */
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
