// Keeps the access token usable: renews it when it is needed and about to expire, once for all callers.

import { toProviderOrigins } from '../../config/origins.ts';
import { findRetryAfterMs, isUnsent } from '../../oidc/exchange.ts';
import { findOAuthError } from '../../oidc/rejection.ts';
import { isStale } from '../../oidc/tokens.ts';
import { trusted, words } from '../../session/detail.ts';
import { ProblemError, toProblem, type ProblemCode } from '../../session/problem.ts';
import type { ProviderAccess } from '../provider/provider-access.ts';
import { isPaused, type Failure } from '../record/pause.ts';
import { isSameTokens, type SignedIn } from '../record/record.ts';
import { isDueAhead, obtainTokens, type RenewalParts } from './new-tokens.ts';

export interface Renewal {
  /**
   * The session with a usable access token, renewed if it is stale; null if no one is signed in, or no longer. The
   * session is updated by the result, good or bad.
   *
   * Throws {@link ProblemError} if there is no usable token: because the provider ended the session, and then it
   * has ended here too, or because the tokens could not be renewed this time, and then it stays as it is. In the pause
   * that follows, this throws the same code without a try.
   */
  getFresh(): Promise<SignedIn | null>;
  /**
   * The session with other tokens than those of `refused`, which an API rejected before they expired. They are
   * renewed once for all callers. Throws as {@link getFresh} does.
   */
  replace(refused: SignedIn): Promise<SignedIn | null>;
}

export function createRenewal(parts: RenewalParts): Renewal {
  const { readSession, records, providers, journal, nowMs } = parts;
  /** The renewals in flight, by session, so that the late one of another person delays no one. */
  const running = new Map<string, Promise<SignedIn | null>>();

  /** The session with other tokens, or why it is over. The very session that was asked about if its tokens are still good. */
  const renew = async (session: SignedIn, access: ProviderAccess, isRefused: boolean) => {
    const obtained = await obtainTokens(parts, session, access, isRefused);
    if (obtained === null) return session;
    if (obtained.outcome === 'ended') return { ...obtained, session };
    if (obtained.outcome === 'overtaken') return readSession();
    // A sign-out or another sign-in may have come first, and it wins.
    const { renewed, former } = obtained;
    await records.dispatch({ type: 'renewed', cause: session, renewed, former });
    const stored = await readSession();
    const isRenewed = isSameTokens(stored, { id: session.id, generation: session.generation + 1 });
    if (stored === null || !isRenewed || former === 'works') return stored;
    // Only now, so that a worker that dies meanwhile has stored the tokens.
    const problem = access.client.provider.userApi && (await parts.oauthTokens?.judge(stored, access));
    return problem
      ? { outcome: 'ended' as const, problem, former: 'works' as const, session: stored }
      : stored;
  };

  /** Renews, and updates the session by the result. */
  const renewAndReport = async (session: SignedIn, access: ProviderAccess, isRefused: boolean) => {
    const startedAtMs = nowMs();
    const note = (problem: ProblemCode | null) =>
      journal.note(words`renewal: ${trusted(problem ?? 'done')}, after ${nowMs() - startedAtMs} ms`);
    const result = await renew(session, access, isRefused).catch(async (error: unknown) => {
      const failure = toFailure(error);
      note(failure.problem.code);
      await records.tell({ type: 'renewal-failed', cause: session, failure });
      throw error;
    });
    if (result !== null && 'outcome' in result) {
      const problem = toProblem(result.problem);
      note(problem.code);
      await records.tell({ type: 'ended', cause: result.session, former: result.former, problem });
      throw result.problem;
    }
    if (result !== session) note(null);
    return result;
  };

  /** Joins the renewal of `session` that is in flight, or starts one. */
  const renewOnce = (session: SignedIn, access: ProviderAccess, isRefused: boolean) => {
    const renewal =
      running.get(session.id) ??
      renewAndReport(session, access, isRefused).finally(() => running.delete(session.id));
    running.set(session.id, renewal);
    return renewal;
  };

  const getUsable = async (refused: SignedIn | null) => {
    const session = await readSession();
    const access = session === null ? undefined : providers.get(session.profile.providerId);
    if (session === null || access === undefined) return session;
    const isRefused = isSameTokens(refused, session);
    const isGood = !isRefused && !isStale(session.tokens, nowMs());
    if (isGood && !isDueAhead(session, access, nowMs())) return session;
    const { pause } = session;
    if (!isPaused(pause, nowMs()) || (await isRemoved(pause.failure, access)))
      return renewOnce(session, access, isRefused);
    if (isGood) return session;
    throw new ProblemError(pause.failure, words`renewal: the next try waits.`);
  };

  return {
    getFresh: () => getUsable(null),
    async replace(refused) {
      // A renewal that is running may bring other tokens, or may have found the refused ones fresh.
      const current = await getUsable(refused);
      return isSameTokens(current, refused) ? getUsable(refused) : current;
    },
  };
}

function toFailure(error: unknown): Failure {
  const problem = toProblem(error);
  // A store that fails does so before anything is sent, or else the new tokens are held in memory.
  const request =
    isUnsent(error) || problem.code === 'storage-failed'
      ? 'unsent'
      : findOAuthError(error) === null
        ? 'unanswered'
        : 'answered';
  return { problem, request, retryAfterMs: findRetryAfterMs(error) };
}

/** Whether a failure was due to something on this device that is no longer in the way. */
async function isRemoved(failure: ProblemCode, { client }: ProviderAccess): Promise<boolean> {
  const { provider, world } = client;
  if (failure === 'offline') return world.isOnline();
  if (failure !== 'host-permission-missing') return false;
  const mayReach = await Promise.all(toProviderOrigins(provider).map(world.mayReach));
  return mayReach.every(Boolean);
}
