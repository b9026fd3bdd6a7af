// The reducer for the record. Pure, and total: it accepts every event in every state.

import {
  type FormerToken,
  type NewTokens,
  type RecordEvent,
  findApi,
  isSameTokens,
  splitTokens,
  withoutTokens,
  type ApiGrant,
  type StoredSession,
  type WorkerRecord,
  type PendingRevocation,
} from './record.ts';
import type { RenewedClaims } from '../../oidc/tokens.ts';
import { isSameUser } from '../../session/view.ts';
import { pauseAfter, pauseAfterSuccess, type Failure } from './pause.ts';
import {
  conserve,
  findGivenUp,
  markRevocable,
  toRevocableToken,
  withPendingRevocations,
  type Change,
} from './revocable.ts';
import { problem } from '../../session/problem.ts';

/** The next record. The same object if the event changes nothing. */
export function step(record: WorkerRecord, event: RecordEvent, nowMs: number): WorkerRecord {
  return markRevocable(conserve(record, apply(record, event, nowMs), nowMs), nowMs);
}

function apply(record: WorkerRecord, event: RecordEvent, nowMs: number): Change {
  const { session } = record;
  switch (event.type) {
    case 'granted': {
      const granted = withFormerRefreshToken(session, event.session);
      return {
        record: { ...record, session: granted, codeSignIn: null, isSignedOutOnPurpose: false },
        brought: toRevocableToken(event.session),
      };
    }
    case 'grant-withdrawn': {
      if (session?.id === event.session.id) return { record: { ...record, ...event.before } };
      return { record, brought: toRevocableToken(event.session) };
    }
    case 'renewed': {
      const brought = toRevocableToken({ ...event.cause, ...event.renewed });
      if (!isSameTokens(session, event.cause)) return { record, brought };
      const renewed = toRenewed(session, event.renewed, event.former, nowMs);
      const replaced = toRevocableToken(session);
      // An access token is replaced because it is about to end, or because an API has refused it. One pending revocation for each
      // renewal would cost more than it saves.
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
        ...withClaims(session, event.news ?? {}, nowMs),
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
      const { cause, tried } = event;
      if (!isSameTokens(session, cause)) return { record };
      const { renewalSentAtMs = cause.renewalSentAtMs } = tried;
      const isSending = renewalSentAtMs !== cause.renewalSentAtMs;
      // Another worker is sending the refresh token.
      if (isSending && session.renewalSentAtMs !== cause.renewalSentAtMs) return { record };
      return { record: { ...record, session: { ...session, ...tried } } };
    }
    case 'renewal-failed': {
      const { cause, failure } = event;
      if (!isSameTokens(session, cause)) return { record };
      const { renewalSentAtMs } = failure.request === 'unanswered' ? session : cause;
      const pause = pauseAfter(session.pause, failure, nowMs);
      return { record: withMembers(record, session, { renewalSentAtMs, pause }) };
    }
    case 'token-refused':
      return { record: withRefusal(record, event, nowMs) };
    case 'user-info-asked':
      if (session?.id !== event.cause.id) return { record };
      return { record: withMembers(record, session, { userInfoDueMs: event.nextAtMs }) };
    case 'profile-completed':
      if (session?.id !== event.cause.id) return { record };
      return { record: withMembers(record, session, { profile: event.profile, userInfoDueMs: null }) };
    case 'ended':
      if (!isSameTokens(session, event.cause)) return { record };
      return { record: { ...record, session: null }, used: findUsed(session, event.former) };
    case 'signed-out':
      return { record: signOut(record, event) };
    case 'code-shown':
      if (isSame(record.codeSignIn, event.codeSignIn)) return { record };
      return { record: { ...record, codeSignIn: event.codeSignIn } };
    case 'code-ended':
      return { record: record.codeSignIn === null ? record : { ...record, codeSignIn: null } };
    case 'token-left-over':
      return { record, brought: event.token };
    case 'revocation-sent': {
      const { token } = event;
      const sent = (pending: PendingRevocation) => ({
        firstSentAtMs: pending.firstSentAtMs ?? nowMs,
        pause: pauseAfter(pending.pause, unanswered, nowMs),
      });
      return { record: withPending(record, (pending) => pending.token === token, sent) };
    }
    case 'revocation-answered':
      return withRevocationAnswer(record, event, nowMs);
    case 'revocations-checked':
      return { record, givenUp: findGivenUp(record, nowMs) };
  }
}

function withRefusal(
  record: WorkerRecord,
  { cause, origin }: Extract<RecordEvent, { type: 'token-refused' }>,
  nowMs: number,
): WorkerRecord {
  const { session } = record;
  if (session?.id !== cause.id) return record;
  const others = session.refusals.filter((one) => one.origin !== origin);
  const refusal = { origin, generation: cause.generation, atMs: nowMs };
  return withMembers(record, session, { refusals: [...others, refusal].slice(-maxApis) });
}

function signOut(
  record: WorkerRecord,
  { by, session: meant }: Extract<RecordEvent, { type: 'signed-out' }>,
): WorkerRecord {
  const { session } = record;
  // Another worker has begun a session since.
  if (session !== null && meant !== undefined && meant !== session.id) return record;
  const isSignedOutOnPurpose = record.isSignedOutOnPurpose || by === 'user';
  // A policy that ends the session may allow the sign-in.
  const codeSignIn = by === 'user' ? null : record.codeSignIn;
  const isDone =
    session === null &&
    codeSignIn === record.codeSignIn &&
    isSignedOutOnPurpose === record.isSignedOutOnPurpose;
  return isDone ? record : { ...record, session: null, codeSignIn, isSignedOutOnPurpose };
}

/** No more are kept: those of former settings are useless. */
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
  { tokens, dpopKey, authenticatedAtMs, originalClaims, ...news }: NewTokens,
  former: FormerToken,
  nowMs: number,
): StoredSession {
  const renewed = {
    ...withClaims(session, news, nowMs),
    tokens,
    dpopKey,
    authenticatedAtMs,
    originalClaims,
    // Those that are bound to the former key can't be used with this one.
    apis: dpopKey === session.dpopKey ? session.apis : withoutTokens(session.apis),
    generation: session.generation + 1,
    renewalSentAtMs: null,
    pause: pauseAfterSuccess(session.pause, tokens, nowMs),
  };
  return former === 'works' ? withFormerRefreshToken(session, renewed) : renewed;
}

/** The session with the claims that came with new tokens. UserInfo that has failed keeps its pause. */
function withClaims(session: StoredSession, news: RenewedClaims, nowMs: number): StoredSession {
  return {
    ...session,
    profile: { ...session.profile, ...(news.claims && { claims: news.claims }) },
    userInfoDueMs: session.userInfoDueMs ?? (news.isUserInfoDue === true ? nowMs : null),
  };
}

/**
 * The session with the refresh token before it, if its own tokens came without one: many providers issue a refresh token only when
 * the user agrees for the first time, and the former one goes on working. What it renews is checked against the claims that it came
 * with. A token that is bound to another key would need that key as well as the session's own, so it isn't kept.
 */
function withFormerRefreshToken(former: StoredSession | null, session: StoredSession): StoredSession {
  const { tokens } = session;
  if (former === null || tokens.type === 'id_token' || tokens.refreshToken !== null) return session;
  const isSameGrant =
    former.tokens.refreshToken !== null &&
    former.issuer === session.issuer &&
    former.clientId === session.clientId &&
    isSameUser(former.profile, session.profile) &&
    former.dpopKey === session.dpopKey;
  if (!isSameGrant) return session;
  const { originalClaims, grantedScope } = former;
  const { refreshToken } = former.tokens;
  return { ...session, tokens: { ...tokens, refreshToken }, originalClaims, grantedScope };
}

/** A request that was sent, as long as no response has come. */
const unanswered: Failure = {
  problem: problem('provider-unreachable'),
  request: 'unanswered',
  retryAfterMs: 0,
};

function withRevocationAnswer(
  record: WorkerRecord,
  { pending, result, retryAfterMs }: Extract<RecordEvent, { type: 'revocation-answered' }>,
  nowMs: number,
): Change {
  const { token, issuer, firstSentAtMs, pause } = pending;
  // As if it had not been tried.
  if (result === 'unsent')
    return {
      record: withPending(
        record,
        (one) => one.token === token,
        () => ({ firstSentAtMs, pause }),
      ),
    };
  if (result !== 'failed') return { record, used: token };
  if (retryAfterMs === 0) return { record };
  const asked = pauseAfter(null, { ...unanswered, retryAfterMs }, nowMs);
  return {
    record: withPending(
      record,
      (one) => one.issuer === issuer,
      () => ({ pause: asked }),
    ),
  };
}

/** The record with these members in the pending revocations that are meant, as far as they can be sent. */
function withPending(
  record: WorkerRecord,
  isMeant: (pending: PendingRevocation) => boolean,
  toMembers: (pending: PendingRevocation) => Partial<PendingRevocation>,
): WorkerRecord {
  const pendingRevocations = record.pendingRevocations.map((pending) =>
    pending.revocableSinceMs !== null && isMeant(pending) ? { ...pending, ...toMembers(pending) } : pending,
  );
  return withPendingRevocations(record, pendingRevocations);
}
