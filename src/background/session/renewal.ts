// Keeps the access tokens usable: requests each when it is needed and missing or about to expire, once for all callers.

import { createQueue, type Queue } from '../../concurrency.ts';
import { toProviderOrigins } from '../../config/manifest.ts';
import type { Api } from '../../config/provider.ts';
import { isUnprovenRefusal, toApiKey, toOwnParameters } from '../../oidc/authorize.ts';
import { findRetryAfterMs, isUnsent } from '../../oidc/http.ts';
import { findOAuthError, isInteractionRequired, isLoginRequired, isTransient } from '../../oidc/problems.ts';
import { isStale, toApiToken } from '../../oidc/tokens.ts';
import { safe, detail, type Detail } from '../../session/detail.ts';
import { ProblemError, toProblem, type ProblemCode } from '../../session/problem.ts';
import type { ProviderAccess } from '../provider/provider.ts';
import { isPaused, shortWaitMs, type Failure, type Pause, isDue } from '../record/pause.ts';
import {
  findApi,
  isSameTokens,
  type StoredSession,
  type RecordEvent,
  type FormerToken,
  type Tried,
} from '../record/record.ts';
import {
  type UsableSession,
  viewFor,
  markRequest,
  redeemRefreshToken,
  markAttempt,
  type ReadSession,
  toSilentOptions,
} from './usable.ts';
import type { Records } from '../record/records.ts';
import type { SignIn } from '../provider/run-flow.ts';
import type { Revocations } from './revocations.ts';
import type { Journal } from '../journal.ts';
import type { Work } from '../work.ts';
import { obtainApiToken } from './api-token.ts';
import type { Ended, Renewed, PlainTokens } from '../part.ts';

export interface Renewal {
  /**
   * The session with a usable token: that of the sign-in, or with `api`, the one for that API. It is requested if there is none,
   * or if it is stale. Null if no one is signed in, or no longer. The session is updated by the result, good or bad.
   *
   * Throws {@link ProblemError} if there is no usable token: because the provider ended the session, and then it
   * has ended here too, or because the request failed this time, and then it stays as it is. In the pause
   * that follows, this throws the same code without a try.
   */
  getFresh(api: Api | null): Promise<UsableSession | null>;
  /**
   * The session with another token than that of `refused`, which the API rejected before it expired. It is
   * requested once for all callers. Throws as {@link getFresh} does.
   */
  replace(refused: StoredSession, api: Api | null): Promise<UsableSession | null>;
}

/** The requests of one session. A provider may replace the refresh token with each answer, so they take turns. */
interface Requests {
  readonly inTurn: Queue;
  /** Those under way, by the token that they are for, and the refused one that it replaces. */
  readonly byToken: Map<string, Promise<UsableSession | null>>;
}

interface RenewalParts {
  readonly readSession: ReadSession;
  readonly records: Records;
  readonly signIn: Pick<SignIn, 'silently'>;
  readonly revocations: Revocations;
  /** Missing in a build whose configuration has no plain OAuth 2. */
  readonly plainTokens?: PlainTokens | undefined;
  readonly journal: Pick<Journal, 'note'>;
  readonly work: Pick<Work, 'track'>;
  readonly nowMs: () => number;
  /** Resolves after so many milliseconds. */
  readonly wait: (durationMs: number) => Promise<void>;
}

export function createRenewal(parts: RenewalParts): Renewal {
  const { readSession, work, nowMs, wait } = parts;
  /** By session, so that the late request of another user delays no one. */
  const running = new Map<string, Requests>();

  /**
   * The session with a token that can be used now: one that the API has not refused, and that ends neither soon nor with a refresh
   * token that does. Null if one has to be requested. In a pause, throws {@link ProblemError} if there is none.
   */
  const findUsable = async (
    { session, access }: UsableSession,
    api: Api | null,
    refused: string | null,
  ): Promise<UsableSession | null> => {
    const view = viewFor(session, api);
    const isGood = view !== null && toApiToken(view.tokens) !== refused && !isStale(view.tokens, nowMs());
    const usable = isGood ? { session: view, access } : null;
    if (usable !== null && !(api === null && isRefreshTokenEnding(session, access, nowMs()))) return usable;
    const paused = pauseOf(session, api);
    if (!isPaused(paused, nowMs()) || (await isRemoved(paused.failure, access))) return null;
    if (usable !== null) return usable;
    throw new ProblemError(paused.failure, detail`renewal: the next try waits.`);
  };

  /** Requests a token, and updates the session by the result, unless there is a usable one, which this returns. */
  const update = async (
    found: UsableSession,
    api: Api | null,
    refused: string | null,
  ): Promise<UsableSession | null> => {
    const usable = await findUsable(found, api, refused);
    if (usable !== null) return usable;
    if (api === null) await renew(parts, found, toApiToken(found.session.tokens) === refused);
    else await renewApi(parts, found, api, (present, ownRefused) => update(present, null, ownRefused));
    return null;
  };

  /** How long to wait before the same request is sent once more, instead of failing; null if it fails. */
  const findWaitMs = async (api: Api | null, refused: string | null): Promise<number | null> => {
    const session = (await readSession())?.session;
    if (session === undefined) return null;
    const view = viewFor(session, api);
    // The caller uses the present token.
    if (refused === null && view !== null && nowMs() < view.tokens.expiresAtMs) return null;
    return shortWaitMs(pauseOf(session, api), nowMs());
  };

  /** Updates the session when its turn has come, and once more after a failure that may pass within a second. */
  const request = async (
    id: string,
    api: Api | null,
    refused: string | null,
    isRepeated = false,
  ): Promise<UsableSession | null> => {
    const found = await readSession();
    if (found === null) return null;
    // Another sign-in has come first.
    if (found.session.id !== id) return getUsable(api, null);
    try {
      const usable = await update(found, api, refused);
      if (usable !== null) return usable;
    } catch (error) {
      const waitMs = isRepeated ? null : await findWaitMs(api, refused);
      if (waitMs === null) throw error;
      await wait(waitMs);
      return request(id, api, refused, true);
    }
    const after = await readSession();
    const view = after && viewFor(after.session, api);
    // The session may be another one by now.
    return after && view ? { ...after, session: view } : request(id, api, refused);
  };

  /** Joins the request for this token that is under way, or starts one. */
  const requestOnce = ({ id }: StoredSession, api: Api | null, refused: string | null) => {
    const requests = running.get(id) ?? { inTurn: createQueue(), byToken: new Map() };
    running.set(id, requests);
    const { inTurn, byToken } = requests;
    const key = JSON.stringify([api && toApiKey(api), refused]);
    const end = () => {
      byToken.delete(key);
      if (byToken.size === 0) running.delete(id);
    };
    const found = byToken.get(key) ?? inTurn(() => request(id, api, refused)).finally(end);
    byToken.set(key, found);
    return found;
  };

  const getUsable = async (api: Api | null, refused: string | null): Promise<UsableSession | null> => {
    const found = await readSession();
    if (found === null) return null;
    return (await findUsable(found, api, refused)) ?? requestOnce(found.session, api, refused);
  };

  return {
    getFresh: (api) => work.track(getUsable(api, null)),
    replace: ({ tokens }, api) => work.track(getUsable(api, toApiToken(tokens))),
  };
}

/** The pause after the last request for a token. */
function pauseOf(session: StoredSession, api: Api | null): Pause | null {
  return (api === null ? session : findApi(session, toApiKey(api))).pause;
}

/** Why a session is over, and whether its refresh token still works. */
type End = Pick<Ended, 'problem' | 'former'> & { readonly session: StoredSession };

/** `kept` if nothing had to be done, or others have done it. */
type Result = 'renewed' | 'kept' | End;

/**
 * Obtains what a request is for, notes its end, and updates the session by it. Throws {@link ProblemError} if that does, or if it
 * ends the session.
 */
async function conclude(
  { records, journal, nowMs }: RenewalParts,
  about: Detail,
  obtain: () => Promise<Result>,
  toEvent: (failure: Failure) => RecordEvent,
): Promise<void> {
  const startedAtMs = nowMs();
  const note = (end: ProblemCode | 'done') =>
    journal.note(detail`${about}: ${safe(end)}, after ${nowMs() - startedAtMs} ms`);
  const result = await obtain().catch(async (error: unknown) => {
    const failure = toFailure(error);
    note(failure.problem.code);
    await records.dispatchOrHold(toEvent(failure));
    throw error;
  });
  if (result === 'kept') return;
  if (result === 'renewed') return note('done');
  const { session, former, problem } = result;
  note(problem.code);
  await records.dispatchOrHold({ type: 'ended', cause: session, former, problem: toProblem(problem) });
  throw problem;
}

/** Renews the token of the sign-in. Throws {@link ProblemError}. */
function renew(parts: RenewalParts, { session, access }: UsableSession, isRefused: boolean): Promise<void> {
  let cause = session;
  const obtain = async (): Promise<Result> => {
    const obtained = await obtainTokens(parts, session, access, isRefused);
    if (obtained === null) return 'kept';
    if (obtained.outcome === 'ended') return { ...obtained, session };
    // A sign-out or another sign-in may have come first, and it wins.
    const { renewed, former } = obtained;
    await parts.records.dispatchOrHold({ type: 'renewed', cause: session, renewed, former });
    const stored = (await parts.readSession())?.session ?? null;
    const isRenewed = isSameTokens(stored, { id: session.id, generation: session.generation + 1 });
    if (stored !== null && isRenewed && obtained.problem !== undefined) {
      cause = stored;
      throw obtained.problem;
    }
    if (stored === null || !isRenewed || former === 'works') return 'renewed';
    // Only now, so that the tokens are stored even if the worker dies.
    const problem = access.client.provider.userApi && (await parts.plainTokens?.judge(stored, access));
    return problem ? { problem, former: 'works', session: stored } : 'renewed';
  };
  return conclude(parts, detail`renewal`, obtain, (failure) => ({
    type: 'renewal-failed',
    cause,
    failure,
  }));
}

/** Requests the token of an API. `renewOwn` renews that of the sign-in if it is due, or `refused`. Throws {@link ProblemError}. */
function renewApi(
  parts: RenewalParts,
  usable: UsableSession,
  api: Api,
  renewOwn: (present: UsableSession, refused: string | null) => Promise<unknown>,
): Promise<void> {
  /** The session that the last request was for. */
  let present = usable;
  /** Renews the token of the sign-in. False if the session is over, or another one. */
  const isOwnRenewed = async (refused: string | null) => {
    await renewOwn(present, refused);
    const after = await parts.readSession();
    if (after?.session.id !== present.session.id) return false;
    present = after;
    return true;
  };
  const obtain = async (): Promise<Result> => {
    const { session, access } = usable;
    // To renew the token of the sign-in also replaces a refresh token that ends soon. With plain OAuth 2, nothing else finds out
    // whether the user may stay.
    const isOwnDue =
      access.client.provider.userApi !== null || isRefreshTokenEnding(session, access, parts.nowMs());
    if (isOwnDue && !(await isOwnRenewed(null))) return 'kept';
    let answer = await obtainApiToken(parts.revocations, parts.records, present, api);
    if (answer !== 'gone' && answer.outcome === 'refused' && answer.problem.code === 'expired') {
      const { authenticatedAtMs, tokens, renewalSentAtMs } = present.session;
      // The provider has answered.
      await markAttempt(parts.records, present.session, { renewalSentAtMs });
      // The refresh token may be at an end, and then another API would be refused too.
      if (!(await isOwnRenewed(toApiToken(tokens)))) return 'kept';
      // That of a silent sign-in is another one.
      if (present.session.authenticatedAtMs !== authenticatedAtMs)
        answer = await obtainApiToken(parts.revocations, parts.records, present, api);
    }
    if (answer === 'gone') return 'kept';
    if (answer.outcome === 'renewed') return 'renewed';
    const { outcome, problem } = answer;
    if (outcome === 'ended') return { problem, former: 'works', session: present.session };
    if (outcome === 'refresh-token-only') present = (await parts.readSession()) ?? present;
    // What the token is for was refused, or the provider can't say now.
    if (problem.code !== 'expired' && outcome !== 'rejected') throw problem;
    throw new ProblemError('denied', problem.detail, { cause: problem });
  };
  return conclude(parts, detail`api-token`, obtain, (failure) => ({
    type: 'api-failed',
    cause: present.session,
    key: toApiKey(api),
    failure,
  }));
}

function toFailure(error: unknown): Failure {
  const problem = toProblem(error);
  // A store fails before anything is sent; if it fails later, the new tokens are held in memory.
  const request =
    isUnsent(error) || problem.code === 'storage-failed'
      ? 'unsent'
      : findOAuthError(error) === null
        ? 'unanswered'
        : 'answered';
  return { problem, request, retryAfterMs: findRetryAfterMs(error) };
}

/** Whether a failure was due to something on this device that has been fixed since. */
async function isRemoved(failure: ProblemCode, { client }: ProviderAccess): Promise<boolean> {
  const { provider, world } = client;
  if (failure === 'offline') return world.isOnline();
  if (failure !== 'host-permission-missing') return false;
  const mayReach = await Promise.all(toProviderOrigins(provider).map(world.mayReach));
  return mayReach.every(Boolean);
}

// The ways to new tokens: the refresh token, then silent sign-in; and silent sign-in ahead of time for refresh tokens
// with a fixed lifetime. Plain OAuth 2 has no silent sign-in: there an access token without a refresh token is checked.

/** Share of the refresh token's lifetime before silent sign-in is tried. */
const silentRenewalShare = 0.75;
/** The pause between two attempts ahead of time. */
const aheadPauseMs = 10 * 60_000;

/** Whether the refresh token expires soon, however often it is used, and silent sign-in is to be tried. */
function isRefreshTokenEnding(
  { authenticatedAtMs, silentTriedAtMs }: StoredSession,
  { client: { provider } }: ProviderAccess,
  nowMs: number,
): boolean {
  const { refreshTokenSeconds } = provider;
  if (refreshTokenSeconds === null) return false;
  const goodForMs = refreshTokenSeconds * 1000 * silentRenewalShare;
  return (
    isDue(authenticatedAtMs + goodForMs, goodForMs, nowMs) &&
    (silentTriedAtMs === null || isDue(silentTriedAtMs + aheadPauseMs, aheadPauseMs, nowMs))
  );
}

/**
 * Tries each way in turn; null if the present tokens are still good, or the record holds others or none. `isRefused` says that an
 * API rejected them before they expired. Throws {@link ProblemError} if no way worked this time, which leaves the session as it is.
 */
async function obtainTokens(
  parts: RenewalParts,
  session: StoredSession,
  access: ProviderAccess,
  isRefused: boolean,
): Promise<Renewed | Ended | null> {
  const ahead = isRefreshTokenEnding(session, access, parts.nowMs())
    ? await renewEarly(parts, session, access)
    : null;
  if (ahead !== null) return ahead;
  const { tokens } = session;
  if (!isRefused && !isStale(tokens, parts.nowMs())) return null;
  if (tokens.refreshToken === null) {
    const oauth = access.client.provider.userApi && parts.plainTokens;
    return oauth?.check(session, access) ?? signInSilently(parts, session, access, 'works');
  }
  const { dpopKey, authenticatedAtMs, originalClaims } = session;
  const parameters = toOwnParameters(access.client.provider, { own: session.additionalScope });
  const noteSent = () => markRequest(parts.records, session, access);
  const answer = await redeemRefreshToken(parts.revocations, session, access, parameters, noteSent);
  if (answer === 'gone') return null;
  switch (answer.outcome) {
    case 'renewed': {
      const renewed = { tokens: answer.tokens, dpopKey, authenticatedAtMs, originalClaims };
      return { outcome: 'renewed', renewed, former: 'used' };
    }
    case 'refresh-token-only': {
      const renewed = { tokens: answer.tokens, dpopKey, authenticatedAtMs, originalClaims };
      return { outcome: 'renewed', renewed, former: 'used', problem: answer.problem };
    }
    case 'ended':
      return { outcome: 'ended', problem: answer.problem, former: 'works' };
    case 'refused':
      return signInSilently(parts, session, access, 'used');
    case 'rejected':
      return signInSilently(parts, session, access, 'works').catch(() => {
        // The provider's wrong answer is the real reason, and says more.
        throw answer.problem;
      });
  }
}

/**
 * Signs the user in silently for new tokens; null if the record holds others or none. Ends the session if the provider wants to
 * see the user. Throws {@link ProblemError} for any other failure.
 */
async function signInSilently(
  { records, signIn, revocations, nowMs }: RenewalParts,
  session: StoredSession,
  access: ProviderAccess,
  former: FormerToken,
): Promise<Renewed | Ended | null> {
  // Stored before it is sent, so that it isn't repeated ahead of time at each start if the worker dies before the answer. A
  // refresh token that was sent just now was answered.
  const { renewalSentAtMs } = session;
  const tried: Tried = { silentTriedAtMs: nowMs(), renewalSentAtMs };
  if ((await markAttempt(records, session, tried)) === 'gone') return null;
  try {
    const { tokens, issuer, profile, dpopKey, originalClaims } = await signIn.silently(
      access,
      toSilentOptions(session, access),
    );
    if (issuer === session.issuer && profile.subject === session.profile.subject) {
      const renewed = { tokens, dpopKey, authenticatedAtMs: nowMs(), originalClaims };
      return { outcome: 'renewed', renewed, former };
    }
    await revocations.discard({ ...session, issuer, profile, tokens });
    return { outcome: 'ended', problem: new ProblemError('expired'), former };
  } catch (error) {
    const problem = findEnd(session, former, error);
    if (problem === null) throw error;
    return { outcome: 'ended', problem, former };
  }
}

/**
 * New tokens before the refresh token expires; null if the present ones stay, because silent sign-in failed. Ends the session only
 * if the user is no longer allowed, or signed out at the provider with `endWithProvider` set.
 */
async function renewEarly(
  parts: RenewalParts,
  session: StoredSession,
  access: ProviderAccess,
): Promise<Renewed | Ended | null> {
  // The present tokens are used as long as they last.
  const result = await signInSilently(parts, session, access, 'works').catch(() => null);
  return result?.outcome === 'ended' && !endsEarly(access, result.problem) ? null : result;
}

/** Whether this ends the session although its tokens are still good. */
function endsEarly({ client: { provider } }: ProviderAccess, { code, cause }: ProblemError): boolean {
  return code === 'not-permitted' || (provider.endWithProvider && isLoginRequired(cause));
}

/**
 * The problem to end the session with after a failed silent sign-in; null if it stays. Only the provider's own word ends it: a
 * refusal, or a page that asks. A network, a browser that closes, or one odd answer says nothing about the session.
 */
function findEnd(session: StoredSession, former: FormerToken, error: unknown): ProblemError | null {
  if (error instanceof ProblemError && error.code === 'not-permitted') return error;
  const isWithoutToken = former === 'used' || session.tokens.refreshToken === null;
  const isOver =
    isInteractionRequired(error) ||
    // The browser says so: the provider showed a page.
    (error instanceof ProblemError && error.code === 'expired') ||
    (isWithoutToken && (findOAuthError(error) !== null || isUnprovenRefusal(error)) && !isTransient(error));
  if (!isOver) return null;
  // Distinguishes a session that the provider ended from one that was lost on the way: the provider may have replaced the refresh
  // token in an answer that never arrived.
  const isLost = former === 'used' && session.renewalSentAtMs !== null;
  const reason = isLost ? detail`renewal: the answer to an earlier renewal may have been lost` : null;
  return new ProblemError('expired', reason, { cause: error });
}
