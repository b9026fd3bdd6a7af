// Keeps the access tokens usable: requests each when it is needed and missing or about to expire, once for all callers.

import { createQueue, type Queue } from '../../concurrency/queue.ts';
import { toProviderOrigins } from '../../config/origins.ts';
import type { Api } from '../../config/provider.ts';
import { toApiKey } from '../../oidc/access.ts';
import { findRetryAfterMs, isUnsent } from '../../oidc/exchange.ts';
import { findOAuthError } from '../../oidc/rejection.ts';
import { isStale, toApiToken } from '../../oidc/tokens.ts';
import { trusted, words, type Detail } from '../../session/detail.ts';
import { ProblemError, toProblem, type ProblemCode } from '../../session/problem.ts';
import type { ProviderAccess } from '../provider/provider-access.ts';
import { isPaused, type Failure } from '../record/pause.ts';
import { findApi, isSameTokens, type SignedIn } from '../record/record.ts';
import { obtainApiToken, viewFor } from './api-token.ts';
import { isDueAhead, obtainTokens, type RenewalParts } from './new-tokens.ts';
import type { Ended } from './oauth-tokens.ts';
import type { UsableSession } from './permission.ts';

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
  replace(refused: SignedIn, api: Api | null): Promise<UsableSession | null>;
}

/** The requests of one session. A provider may replace the refresh token with each answer, so they take turns. */
interface Requests {
  readonly inTurn: Queue;
  /** Those under way, by the token that they are for, and the refused one that it replaces. */
  readonly byToken: Map<string, Promise<UsableSession | null>>;
}

export function createRenewal(parts: RenewalParts): Renewal {
  const { readSession, nowMs } = parts;
  /** By session, so that the late request of another person delays no one. */
  const running = new Map<string, Requests>();

  /** The present token for an API, and whether it has to be replaced. A token that an API has refused does not count. */
  const look = ({ session, access }: UsableSession, api: Api | null, refused: string | null) => {
    const view = viewFor(session, api);
    const isGood = view !== null && toApiToken(view.tokens) !== refused && !isStale(view.tokens, nowMs());
    const isDue = api === null && isDueAhead(session, access, nowMs());
    const { pause } = api === null ? session : findApi(session, toApiKey(api));
    return { usable: isGood ? { session: view, access } : null, isDone: isGood && !isDue, pause };
  };

  /** Requests a token in its turn, unless there is a good one by then. */
  const request = async (
    id: string,
    api: Api | null,
    refused: string | null,
  ): Promise<UsableSession | null> => {
    const found = await readSession();
    if (found === null) return null;
    const { session, access } = found;
    // Another sign-in has come first.
    if (session.id !== id) return getUsable(api, null);
    const { isDone, usable } = look(found, api, refused);
    if (isDone) return usable;
    const isRefused = toApiToken(session.tokens) === refused;
    await (api === null ? renew(parts, session, access, isRefused) : renewApi(parts, found, api));
    const after = await readSession();
    const view = after && viewFor(after.session, api);
    // The session may be another one by now.
    return after && view ? { ...after, session: view } : request(id, api, refused);
  };

  /** Joins the request for this token that is under way, or starts one. */
  const requestOnce = ({ id }: SignedIn, api: Api | null, refused: string | null) => {
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
    const { isDone, usable, pause } = look(found, api, refused);
    if (isDone) return usable;
    if (!isPaused(pause, nowMs()) || (await isRemoved(pause.failure, found.access)))
      return requestOnce(found.session, api, refused);
    if (usable !== null) return usable;
    throw new ProblemError(pause.failure, words`renewal: the next try waits.`);
  };

  return {
    getFresh: (api) => getUsable(api, null),
    replace: ({ tokens }, api) => getUsable(api, toApiToken(tokens)),
  };
}

/** Renews the token of the sign-in, and updates the session by the result. Throws {@link ProblemError}. */
async function renew(
  parts: RenewalParts,
  session: SignedIn,
  access: ProviderAccess,
  isRefused: boolean,
): Promise<void> {
  const { records } = parts;
  const note = createNote(parts, words`renewal`);
  const result = await renewAndStore(parts, session, access, isRefused).catch(async (error: unknown) => {
    const failure = toFailure(error);
    note(failure.problem.code);
    await records.tell({ type: 'renewal-failed', cause: session, failure });
    throw error;
  });
  if (result !== 'renewed' && result !== 'kept') await endSession(parts, note, result);
  else if (result === 'renewed') note(null);
}

/** Why a session is over, and whether its refresh token still works. */
type End = Pick<Ended, 'problem' | 'former'> & { readonly session: SignedIn };

/** Ends the session, and throws the reason. */
async function endSession(
  { records }: RenewalParts,
  note: Note,
  { session, former, problem }: End,
): Promise<never> {
  note(toProblem(problem).code);
  await records.tell({ type: 'ended', cause: session, former, problem: toProblem(problem) });
  throw problem;
}

/** `kept` if the tokens are still good. Others may have come in the meantime. */
async function renewAndStore(
  parts: RenewalParts,
  session: SignedIn,
  access: ProviderAccess,
  isRefused: boolean,
): Promise<'renewed' | 'kept' | End> {
  const obtained = await obtainTokens(parts, session, access, isRefused);
  if (obtained === null) return 'kept';
  if (obtained.outcome === 'overtaken') return 'renewed';
  if (obtained.outcome === 'ended') return { ...obtained, session };
  // A sign-out or another sign-in may have come first, and it wins.
  const { renewed, former } = obtained;
  await parts.records.dispatch({ type: 'renewed', cause: session, renewed, former });
  const stored = (await parts.readSession())?.session ?? null;
  const isRenewed = isSameTokens(stored, { id: session.id, generation: session.generation + 1 });
  if (stored === null || !isRenewed || former === 'works') return 'renewed';
  // Only now, so that the tokens are stored even if the worker dies.
  const problem = access.client.provider.userApi && (await parts.oauthTokens?.judge(stored, access));
  return problem ? { problem, former: 'works', session: stored } : 'renewed';
}

/** Requests the token of an API, and updates the session by the result. Throws {@link ProblemError}. */
async function renewApi(parts: RenewalParts, usable: UsableSession, api: Api): Promise<void> {
  const note = createNote(parts, words`api-token`);
  /** The session that the last request was for. */
  let present = usable;
  /** Renews the token of the sign-in. False if the session is over, or another one. */
  const renewOwn = async (isRefused: boolean) => {
    const { session, access } = present;
    await renew(parts, session, access, isRefused);
    const after = await parts.readSession();
    if (after?.session.id !== session.id) return false;
    present = after;
    return true;
  };
  const obtain = async () => {
    const { session, access } = usable;
    // To renew the token of the sign-in also replaces a refresh token that ends soon. With plain OAuth 2, nothing else finds out
    // whether the person may stay.
    const isOwnDue = access.client.provider.userApi !== null || isDueAhead(session, access, parts.nowMs());
    if (isOwnDue && !(await renewOwn(false))) return 'gone';
    let answer = await obtainApiToken(parts, present, api);
    if (answer !== 'gone' && answer.outcome === 'refused') {
      const { authenticatedAtMs } = present.session;
      // The refresh token may be at an end, and then another API would be refused too.
      if (!(await renewOwn(true))) return 'gone';
      // That of a silent sign-in is another one.
      if (present.session.authenticatedAtMs !== authenticatedAtMs)
        answer = await obtainApiToken(parts, present, api);
    }
    if (answer === 'gone' || answer.outcome === 'renewed' || answer.outcome === 'ended') return answer;
    throw new ProblemError('denied', answer.problem.detail, { cause: answer.problem });
  };
  const answer = await obtain().catch(async (error: unknown) => {
    const failure = toFailure(error);
    note(failure.problem.code);
    await parts.records.tell({ type: 'api-failed', cause: present.session, key: toApiKey(api), failure });
    throw error;
  });
  if (answer === 'gone') return;
  if (answer.outcome === 'renewed') note(null);
  else await endSession(parts, note, { ...answer, session: present.session, former: 'works' });
}

type Note = (problem: ProblemCode | null) => void;

/** A function that notes the end of a request that begins now. */
function createNote({ journal, nowMs }: RenewalParts, about: Detail): Note {
  const startedAtMs = nowMs();
  return (problem) =>
    journal.note(words`${about}: ${trusted(problem ?? 'done')}, after ${nowMs() - startedAtMs} ms`);
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
