// The step: the one function that changes the record. It is pure and total.

import type { Problem } from '../../session/problem.ts';
import type { Profile } from '../../session/session.ts';
import { conserve, type Change } from './conserve.ts';
import { findGivenUp, settleDebts, withDebts } from './debts.ts';
import { pauseAfter, pauseAfterSuccess, type Failure } from './pause.ts';
import {
  isSameTokens,
  toLastingToken,
  type CodeSignIn,
  type LastingToken,
  type SignedIn,
  type WorkerRecord,
} from './record.ts';

/** New tokens of a session. */
export type NewTokens = Pick<SignedIn, 'tokens' | 'dpopKey' | 'authenticatedAtMs' | 'originalClaims'>;

/** The session and the set of tokens that an event is about. If it is no longer the present one, the event changes nothing. */
type Cause = Pick<SignedIn, 'id' | 'generation' | 'profile' | 'issuer' | 'clientId'>;

/** Whether a refresh token still works: the provider may have replaced or refused it. */
export type FormerToken = 'works' | 'used';

/** A renewal that is about to be tried. */
export type Tried = Partial<Pick<SignedIn, 'renewalSentAtMs' | 'silentTriedAtMs'>>;

/**
 * The outcome of a request to revoke a token: `done`, `refused` and `unsupported` are the provider's final answers, and
 * `nobody-to-ask` says that the configuration has no provider for it. After `failed` the request may have reached the
 * provider, and after `unsent` it has not.
 */
export type RevocationResult = 'done' | 'refused' | 'unsupported' | 'nobody-to-ask' | 'failed' | 'unsent';

export type RecordEvent =
  /** A sign-in has brought a session. */
  | { readonly type: 'granted'; readonly session: SignedIn }
  /** A renewal has brought tokens. `former` says whether the refresh token before them still works. */
  | {
      readonly type: 'renewed';
      readonly cause: Cause;
      readonly renewed: NewTokens;
      readonly former: FormerToken;
    }
  /** The tokens are about to be renewed. */
  | { readonly type: 'renewal-tried'; readonly cause: Cause; readonly tried: Tried }
  /** The tokens could not be renewed. `cause` is as it was before. */
  | {
      readonly type: 'renewal-failed';
      readonly cause: Cause & Pick<SignedIn, 'renewalSentAtMs'>;
      readonly failure: Failure;
    }
  /** UserInfo is about to be asked for the rest of the profile. */
  | { readonly type: 'user-info-asked'; readonly cause: Cause; readonly nextAtMs: number }
  /** More is known about the person of a session, whose tokens may have been renewed meanwhile. */
  | { readonly type: 'person-completed'; readonly cause: Cause; readonly profile: Profile }
  /** The session is over. `former` says whether its refresh token still works. */
  | {
      readonly type: 'ended';
      readonly cause: Cause;
      readonly former: FormerToken;
      /** Why; the record does not keep it. */
      readonly problem: Problem;
    }
  /** The person has signed out, or the session is not to be kept where it is stored. */
  | { readonly type: 'signed-out'; readonly by: 'person' | 'configuration' }
  /** A sign-in shows a code. */
  | { readonly type: 'code-shown'; readonly codeSignIn: CodeSignIn }
  /** No sign-in shows a code any longer. */
  | { readonly type: 'code-ended' }
  /** A token has come that no session uses. */
  | { readonly type: 'token-left-over'; readonly token: LastingToken }
  /** A debt is about to be sent. */
  | { readonly type: 'revocation-sent'; readonly token: string }
  | { readonly type: 'revocation-answered'; readonly token: string; readonly result: RevocationResult }
  /** The worker looks for debts to send. It gives up those that have taken too long. */
  | { readonly type: 'looked' };

/** The next record. The same object if the event changes nothing. */
export function step(record: WorkerRecord, event: RecordEvent, nowMs: number): WorkerRecord {
  return settleDebts(conserve(record, apply(record, event, nowMs), nowMs), nowMs);
}

function apply(record: WorkerRecord, event: RecordEvent, nowMs: number): Change {
  const { session } = record;
  switch (event.type) {
    case 'granted':
      // It is told again if it was not known whether it had been stored.
      if (session?.id === event.session.id) return { record };
      return {
        record: { ...record, session: event.session, codeSignIn: null, isSignedOutOnPurpose: false },
      };
    case 'renewed': {
      const brought = toLastingToken({ ...event.cause, ...event.renewed });
      if (session === null || !isSameTokens(session, event.cause)) return { record, brought };
      const renewed = toRenewed(session, event.renewed, nowMs);
      const replaced = toLastingToken(session);
      // An access token is replaced because it is about to end, or because an API has refused it. One debt for each renewal
      // would push out those of refresh tokens.
      const former = replaced?.expiresAtMs === undefined ? event.former : 'used';
      return { record: { ...record, session: renewed }, brought, used: findUsed(session, former) };
    }
    case 'renewal-tried': {
      if (session === null || !isSameTokens(session, event.cause)) return { record };
      return { record: withMembers(record, session, event.tried) };
    }
    case 'renewal-failed': {
      const { cause, failure } = event;
      if (session === null || !isSameTokens(session, cause)) return { record };
      const { renewalSentAtMs } = failure.request === 'unanswered' ? session : cause;
      const pause = pauseAfter(session.pause, failure, nowMs);
      return { record: withMembers(record, session, { renewalSentAtMs, pause }) };
    }
    case 'user-info-asked':
      if (session?.id !== event.cause.id) return { record };
      return { record: withMembers(record, session, { userInfoDueMs: event.nextAtMs }) };
    case 'person-completed':
      if (session?.id !== event.cause.id) return { record };
      return { record: withMembers(record, session, { profile: event.profile, userInfoDueMs: null }) };
    case 'ended':
      if (session === null || !isSameTokens(session, event.cause)) return { record };
      return { record: { ...record, session: null }, used: findUsed(session, event.former) };
    case 'signed-out': {
      const isSignedOutOnPurpose = record.isSignedOutOnPurpose || event.by === 'person';
      // A policy that ends the session may allow the sign-in.
      const codeSignIn = event.by === 'person' ? null : record.codeSignIn;
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
    case 'looked':
      return { record, givenUp: findGivenUp(record, nowMs) };
  }
}

/** The record with these members of its session. The same record if it has them already. */
function withMembers(record: WorkerRecord, session: SignedIn, members: Partial<SignedIn>): WorkerRecord {
  const changed = { ...session, ...members };
  return isSame(changed, session) ? record : { ...record, session: changed };
}

function isSame<T>(one: T, other: T): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function findUsed(session: SignedIn, former: FormerToken): string | null {
  return former === 'used' ? (toLastingToken(session)?.token ?? null) : null;
}

function toRenewed(
  session: SignedIn,
  { tokens, dpopKey, authenticatedAtMs, originalClaims }: NewTokens,
  nowMs: number,
): SignedIn {
  return {
    ...session,
    tokens,
    dpopKey,
    authenticatedAtMs,
    originalClaims,
    generation: session.generation + 1,
    renewalSentAtMs: null,
    pause: pauseAfterSuccess(session.pause, tokens, nowMs),
  };
}

/** The record with one more try of a revocation, or one less. A debt that has to wait is not tried. */
function withTry(record: WorkerRecord, token: string, difference: 1 | -1): WorkerRecord {
  const debts = record.debts.map((debt) => {
    const isMeant = debt.token === token && debt.payableSinceMs !== null;
    const tries = Math.max(0, debt.tries + difference);
    return isMeant && tries !== debt.tries ? { ...debt, tries } : debt;
  });
  return withDebts(record, debts);
}

/** The part of an event to keep in memory if it can't be stored; null if nothing is lost with it. */
export function toLeftOver(event: RecordEvent): RecordEvent | null {
  switch (event.type) {
    case 'granted': {
      // The person was told that the sign-in has failed.
      const token = toLastingToken(event.session);
      return token === null ? null : { type: 'token-left-over', token };
    }
    // Nothing is sent then.
    case 'renewal-tried':
    // It is asked for again.
    case 'user-info-asked':
    case 'person-completed':
    case 'looked':
    // The sign-in goes on without it, and ends if the worker dies.
    case 'code-shown':
      return null;
    default:
      return event;
  }
}
