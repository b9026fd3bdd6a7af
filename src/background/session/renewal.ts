// Keeps the access token usable: renews it when it is needed and about to expire, once for all callers.

import { singleFlight } from '../../concurrency/single-flight.ts';
import { isInteractionRequired, isTransient } from '../../oidc/rejection.ts';
import { renewTokens } from '../../oidc/renew.ts';
import { isStale } from '../../oidc/tokens.ts';
import { ProblemError, toProblem, type ProblemCode } from '../../session/problem.ts';
import type { ProviderId } from '../../session/session.ts';
import type { Journal } from '../journal.ts';
import type { ProviderAccess } from '../provider/provider-access.ts';
import type { SignIn } from '../provider/sign-in.ts';
import { isSameTokens, type VaultSession } from '../vault/vault-records.ts';
import type { Vault } from '../vault/vault.ts';
import type { SessionStore } from './store.ts';

export interface Renewal {
  /**
   * The session with a usable access token, renewed if it is stale; null if nobody is signed in (any more). The
   * session is updated by the result, good or bad.
   *
   * Throws {@link ProblemError} if there is no usable token: because the provider ended the session, and then it
   * has ended here too, or because the tokens could not be renewed this time, and then it stays as it is.
   */
  expectFresh(): Promise<VaultSession | null>;
  /**
   * The session with other tokens than those of `refused`, which an API rejected before they expired. They are
   * renewed once for all callers. Throws as {@link expectFresh} does.
   */
  replace(refused: VaultSession): Promise<VaultSession | null>;
}

export interface RenewalParts {
  readonly vault: Vault;
  readonly providers: ReadonlyMap<ProviderId, ProviderAccess>;
  readonly signIn: SignIn;
  readonly store: Pick<SessionStore, 'dispatch'>;
  readonly journal: Journal;
  readonly nowMs: () => number;
}

type NewTokens = Pick<VaultSession, 'tokens' | 'dpopKey' | 'authenticatedAtMs'>;

/** New tokens of the same person. */
type Renewed = { readonly outcome: 'renewed'; readonly renewed: NewTokens };
/** The refresh token is of no use, or there is none. */
type Refused = { readonly outcome: 'refused' };
/** The session is over. */
type Ended = { readonly outcome: 'ended'; readonly problem: ProblemError };
/** The session as the vault holds it now; the one that was asked about if its tokens are still good. */
type Fresh = { readonly outcome: 'fresh'; readonly session: VaultSession | null };

/** Share of the refresh token's lifetime before silent sign-in is tried. */
const silentRenewalShare = 0.75;
/** The pause between two attempts of silent sign-in ahead of time. */
const minPauseMs = 10 * 60_000;

export function createRenewal({ vault, providers, signIn, store, journal, nowMs }: RenewalParts): Renewal {
  /** When silent sign-in was last tried ahead of time. If it fails, requests must not wait for it each time. */
  let triedAheadAtMs = -Infinity;

  const redeemRefreshToken = async (
    { tokens, profile, dpopKey, authenticatedAtMs }: VaultSession,
    access: ProviderAccess,
  ): Promise<Renewed | Refused | Ended> => {
    const { refreshToken } = tokens;
    if (refreshToken === null) return { outcome: 'refused' };
    const { client, keys } = access;
    const current = { ...tokens, refreshToken };
    const renewal = await renewTokens(
      client,
      await access.metadata(),
      keys,
      current,
      profile.subject,
      dpopKey,
    );
    if (renewal.outcome !== 'renewed') return renewal;
    return { outcome: 'renewed', renewed: { tokens: renewal.tokens, dpopKey, authenticatedAtMs } };
  };

  const signInSilently = async (session: VaultSession, access: ProviderAccess): Promise<Renewed | Ended> => {
    try {
      const { tokens, profile, dpopKey } = await signIn.silently(access, {
        loginHint: session.profile.email ?? undefined,
        additionalScope: session.additionalScope,
      });
      if (profile.subject === session.profile.subject) {
        return { outcome: 'renewed', renewed: { tokens, dpopKey, authenticatedAtMs: nowMs() } };
      }
      await vault.discard({ ...session, profile, tokens }, nowMs());
      return { outcome: 'ended', problem: new ProblemError('expired') };
    } catch (error) {
      const problem = findEnd(session, error);
      if (problem === null) throw error;
      return { outcome: 'ended', problem };
    }
  };

  /** Whether the refresh token expires soon, however often it is used, and silent sign-in is to be tried. */
  const isDueAhead = ({ authenticatedAtMs }: VaultSession, { client }: ProviderAccess) => {
    const { refreshTokenSeconds } = client.provider;
    return (
      refreshTokenSeconds !== null &&
      nowMs() >= authenticatedAtMs + refreshTokenSeconds * 1000 * silentRenewalShare &&
      Math.abs(nowMs() - triedAheadAtMs) >= minPauseMs
    );
  };

  /** New tokens before the refresh token expires; null if they are not due, or if silent sign-in fails. */
  const signInAhead = async (session: VaultSession, access: ProviderAccess): Promise<Renewed | null> => {
    if (!isDueAhead(session, access)) return null;
    triedAheadAtMs = nowMs();
    try {
      const result = await signInSilently(session, access);
      return result.outcome === 'renewed' ? result : null;
    } catch {
      // The present tokens are used as long as they last.
      return null;
    }
  };

  /** Tries each way to new tokens in turn; null if the present ones are still good. */
  const obtain = async (session: VaultSession, access: ProviderAccess, isRefused: boolean) => {
    const ahead = await signInAhead(session, access);
    if (ahead !== null) return ahead;
    if (!isRefused && !isStale(session.tokens, nowMs())) return null;
    const redeemed = await redeemRefreshToken(session, access);
    return redeemed.outcome === 'refused' ? signInSilently(session, access) : redeemed;
  };

  const renew = async (
    session: VaultSession,
    access: ProviderAccess,
    isRefused: boolean,
  ): Promise<Fresh | Ended> => {
    const obtained = await obtain(session, access, isRefused);
    if (obtained === null) return { outcome: 'fresh', session };
    if (obtained.outcome === 'ended') return obtained;
    if ((await vault.renew(session, obtained.renewed)) === 'kept') {
      await store.dispatch({ type: 'session-marked', problem: null });
    } else {
      // A sign-out or another sign-in came first, and it wins.
      await vault.discard({ ...session, ...obtained.renewed }, nowMs());
    }
    return { outcome: 'fresh', session: await vault.read() };
  };

  /** Renews, and updates the session by the result. */
  const renewAndReport = async (session: VaultSession, access: ProviderAccess, isRefused: boolean) => {
    const startedAtMs = nowMs();
    const note = (problem: ProblemCode | null) =>
      journal.note({ what: 'renewal', problem, tookMs: nowMs() - startedAtMs });
    let result: Fresh | Ended;
    try {
      result = await renew(session, access, isRefused);
    } catch (error) {
      const problem = toProblem(error);
      note(problem.code);
      await store.dispatch({ type: 'session-marked', problem });
      throw error;
    }
    if (result.outcome === 'ended') {
      const problem = toProblem(result.problem);
      note(problem.code);
      if ((await vault.expire(session)) === 'ended') await store.dispatch({ type: 'session-ended', problem });
      throw result.problem;
    }
    if (result.session !== session) note(null);
    return result.session;
  };

  const expectUsable = singleFlight(async (refused: VaultSession | null) => {
    const session = await vault.read();
    const access = session === null ? undefined : providers.get(session.profile.providerId);
    if (session === null || access === undefined) return session;
    const isRefused = isSameTokens(refused, session);
    const isUsable = !isRefused && !isStale(session.tokens, nowMs()) && !isDueAhead(session, access);
    return isUsable ? session : renewAndReport(session, access, isRefused);
  });

  return {
    expectFresh: () => expectUsable(null),
    async replace(refused) {
      // A renewal that is running may bring other tokens, or may have found the refused ones fresh.
      const current = await expectUsable(refused);
      return isSameTokens(current, refused) ? expectUsable(refused) : current;
    },
  };
}

/** The problem to end the session with after a failed silent sign-in; null if the provider could not be asked. */
function findEnd({ tokens }: VaultSession, error: unknown): ProblemError | null {
  if (error instanceof ProblemError && error.code === 'not-permitted') return error;
  const isOver =
    isInteractionRequired(error) ||
    // The refresh token was refused as well, so only a network failure is worth another try.
    (tokens.refreshToken !== null && !isTransient(error));
  return isOver ? new ProblemError('expired', null, { cause: error }) : null;
}
