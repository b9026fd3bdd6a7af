// Keeps access tokens usable: requests one when it's needed and is missing or about to expire, once for all callers.

import { createQueue, type Queue } from '../../concurrency.ts';
import { toProviderOrigins } from '../../config/manifest.ts';
import type { Api } from '../../config/provider.ts';
import { toApiKey } from '../../oidc/authorize.ts';
import { findRetryAfterMs, isUnsent } from '../../oidc/http.ts';
import { findOAuthError } from '../../oidc/problems.ts';
import { isStale, toApiToken } from '../../oidc/tokens.ts';
import { safe, detail, type Detail } from '../../session/detail.ts';
import { ProblemError, toProblem, type Problem, type ProblemCode } from '../../session/problem.ts';
import type { ProviderAccess, TokenAccess } from '../provider/provider.ts';
import { isPaused, shortWaitMs, type Failure, type Pause } from '../record/pause.ts';
import { findApi, isSameTokens, type StoredSession, type RecordEvent } from '../record/record.ts';
import type { ReadSession, UsableSession } from './usable.ts';
import { withDetail, type Journal } from '../journal.ts';
import type { Work } from '../work.ts';
import type { Ended } from '../part.ts';
import {
  markAttempt,
  obtainApiToken,
  type NewTokensParts,
  isRefreshTokenEnding,
  obtainTokens,
} from './new-tokens.ts';

export type Renewal = ReturnType<typeof createRenewal>;

/** The requests of one session. A provider may replace the refresh token with each response, so they take turns. */
interface Requests {
  readonly inTurn: Queue;
  /** Those under way, by the token that they are for, and the refused one that it replaces. */
  readonly byToken: Map<string, Promise<UsableSession | null>>;
}

interface RenewalParts extends NewTokensParts {
  readonly readSession: ReadSession;
  readonly journal: Journal;
  readonly work: Pick<Work, 'track'>;
  /** Resolves after so many milliseconds. */
  readonly wait: (durationMs: number) => Promise<void>;
}

export function createRenewal(parts: RenewalParts) {
  const { readSession, work, nowMs, wait } = parts;
  /** By session, so that a slow request of one user doesn't delay the next. */
  const running = new Map<string, Requests>();

  /** How long to wait before sending the same request once more; null to fail at once. */
  const findWaitMs = async (api: Api | null, refused: string | null): Promise<number | null> => {
    const found = await readSession();
    if (found === null) return null;
    const usable = found.for(api);
    // The caller uses the present token.
    if (refused === null && usable !== null && nowMs() < usable.session.tokens.expiresAtMs) return null;
    return shortWaitMs(pauseOf(found, api), nowMs());
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
      const usable = await update(parts, found, api, refused);
      if (usable !== null) return usable;
    } catch (error) {
      const waitMs = isRepeated ? null : await findWaitMs(api, refused);
      if (waitMs === null) throw error;
      await wait(waitMs);
      return request(id, api, refused, true);
    }
    // A different session may be there by now.
    return (await readSession())?.for(api) ?? request(id, api, refused);
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
    return (await findUsable(found, api, refused, nowMs())) ?? requestOnce(found.session, api, refused);
  };

  return {
    /**
     * The session with a usable token: that of the sign-in, or with `api`, the one for that API. It is requested if there is none, or if
     * it is stale. Null if no one is signed in, or no longer. The session is updated by the result, good or bad.
     *
     * Throws {@link ProblemError} if there is no usable token: because the provider ended the session, and then it has ended here too, or
     * because the request failed this time, and then it stays as it is. In the pause that follows, this throws the same code without a
     * try.
     */
    getFresh: (api: Api | null) => work.track(getUsable(api, null)),
    /**
     * The session with another token than that of `refused`, which the API rejected before it expired. It is requested once for all
     * callers. Throws as `getFresh` does.
     */
    replace: ({ session }: UsableSession, api: Api | null) =>
      work.track(getUsable(api, toApiToken(session.tokens))),
  };
}

/** Requests a token, and updates the session by the result, unless there is a usable one, which this returns. */
async function update(
  parts: RenewalParts,
  found: UsableSession,
  api: Api | null,
  refused: string | null,
): Promise<UsableSession | null> {
  const usable = await findUsable(found, api, refused, parts.nowMs());
  if (usable !== null) return usable;
  if (api === null) await renew(parts, found, toApiToken(found.session.tokens) === refused);
  else await renewApi(parts, found, api);
  return null;
}

/**
 * The session with a token that can be used now: one that the API hasn't refused, and that neither expires soon nor depends on a
 * refresh token that does. Null if one has to be requested. In a pause, throws {@link ProblemError} if there is none.
 */
async function findUsable(
  found: UsableSession,
  api: Api | null,
  refused: string | null,
  nowMs: number,
): Promise<UsableSession | null> {
  const usable = found.for(api);
  const tokens = usable?.session.tokens;
  const isGood = tokens !== undefined && toApiToken(tokens) !== refused && !isStale(tokens, nowMs);
  if (isGood && !(api === null && isRefreshTokenEnding(found, nowMs))) return usable;
  const paused = pauseOf(found, api);
  if (!isPaused(paused, nowMs) || (await isRemoved(paused.failure, found.access))) return null;
  if (isGood) return usable;
  throw new ProblemError(paused.failure, detail`renewal: the next try waits.`);
}

/** The pause after the last request for a token. */
function pauseOf({ session }: UsableSession, api: Api | null): Pause | null {
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
  const note = (problem: Problem | null) => {
    const step = detail`${about}: ${safe(problem?.code ?? 'done')}, after ${nowMs() - startedAtMs} ms`;
    journal.note(withDetail(step, problem));
  };
  const result = await obtain().catch(async (error: unknown) => {
    const failure = toFailure(error);
    note(failure.problem);
    await records.dispatchOrHold(toEvent(failure));
    throw error;
  });
  if (result === 'kept') return;
  if (result === 'renewed') return note(null);
  const { session, former, problem } = result;
  const ended = toProblem(problem);
  note(ended);
  await records.dispatchOrHold({ type: 'ended', cause: session, former, problem: ended });
  throw problem;
}

/** Renews the token of the sign-in. Throws {@link ProblemError}. */
function renew(parts: RenewalParts, usable: UsableSession, isRefused: boolean): Promise<void> {
  const { session } = usable;
  let cause = session;
  const obtain = async (own: UsableSession<TokenAccess>): Promise<Result> => {
    const obtained = await obtainTokens(parts, own, isRefused);
    if (obtained === null) return 'kept';
    if (obtained.outcome === 'ended') return { ...obtained, session };
    // A sign-out or another sign-in may have come first, and it wins.
    const { renewed, former } = obtained;
    const event = { type: 'renewed', cause: session, renewed, former } as const;
    const { session: stored } = await parts.records.dispatchOrHold(event);
    if (!isSameTokens(stored, { id: session.id, generation: session.generation + 1 })) return 'renewed';
    if (obtained.problem !== undefined) {
      cause = stored;
      throw obtained.problem;
    }
    if (former === 'works') return 'renewed';
    // Only now, so that the tokens are stored even if the worker dies.
    const after = usable.access.client.provider.userApi && (await parts.readSession());
    const isOwn = after !== null && isSameTokens(after.session, stored);
    const problem = isOwn ? await parts.plainTokens?.judge(after) : null;
    return problem ? { problem, former: 'works', session: stored } : 'renewed';
  };
  return conclude(
    parts,
    detail`renewal`,
    () => usable.receive(parts.revocations, obtain),
    (failure) => ({ type: 'renewal-failed', cause, failure }),
  );
}

/** Requests the token of an API, and first that of the sign-in if it is due. Throws {@link ProblemError}. */
function renewApi(parts: RenewalParts, usable: UsableSession, api: Api): Promise<void> {
  /** The session that the last request was for. */
  let present = usable;
  /** Renews the token of the sign-in if it is due, or `refused`. False if the session is over or was replaced. */
  const isOwnRenewed = async (refused: string | null) => {
    await update(parts, present, null, refused);
    const after = await parts.readSession();
    if (after?.session.id !== present.session.id) return false;
    present = after;
    return true;
  };
  const obtain = async (): Promise<Result> => {
    // Renewing the token of the sign-in also replaces a refresh token that expires soon. With plain OAuth 2, nothing else finds out
    // whether the user may stay.
    const isOwnDue =
      usable.access.client.provider.userApi !== null || isRefreshTokenEnding(usable, parts.nowMs());
    if (isOwnDue && !(await isOwnRenewed(null))) return 'kept';
    let answer = await obtainApiToken(parts, present, api);
    if (answer !== 'gone' && answer.outcome === 'refused' && answer.problem.code === 'expired') {
      const { authenticatedAtMs, tokens, renewalSentAtMs } = present.session;
      // The provider has responded.
      await markAttempt(parts.records, present.session, { renewalSentAtMs });
      // The refresh token may have expired, and then any other API would be refused as well.
      if (!(await isOwnRenewed(toApiToken(tokens)))) return 'kept';
      // A silent sign-in brings a different one.
      if (present.session.authenticatedAtMs !== authenticatedAtMs)
        answer = await obtainApiToken(parts, present, api);
    }
    if (answer === 'gone') return 'kept';
    if (answer.outcome === 'renewed') return 'renewed';
    const { outcome, problem } = answer;
    if (outcome === 'ended') return { problem, former: 'works', session: present.session };
    if (outcome === 'refresh-token-only') present = (await parts.readSession()) ?? present;
    // The provider refuses the scope or the API, or can't say now.
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
  // If the storage fails, nothing was sent: after a response, new tokens are held in memory instead.
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
