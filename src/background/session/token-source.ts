// The ways to new tokens: the refresh token, then silent sign-in; and silent sign-in ahead of time for refresh tokens
// with a fixed lifetime.

import { isInteractionRequired, isTransient } from '../../oidc/rejection.ts';
import { renewTokens } from '../../oidc/renew.ts';
import { isStale } from '../../oidc/tokens.ts';
import { ProblemError } from '../../session/problem.ts';
import type { ProviderAccess } from '../provider/provider-access.ts';
import type { SignIn } from '../provider/sign-in.ts';
import type { VaultSession } from '../vault/vault-records.ts';
import type { Vault } from '../vault/vault.ts';

type NewTokens = Pick<VaultSession, 'tokens' | 'dpopKey' | 'authenticatedAtMs'>;

/** New tokens of the same person. */
type Renewed = { readonly outcome: 'renewed'; readonly renewed: NewTokens };
/** The refresh token is of no use, or there is none. */
type Refused = { readonly outcome: 'refused' };
/** The session is over. */
type Ended = { readonly outcome: 'ended'; readonly problem: ProblemError };

export type Obtained = Renewed | Ended;

export interface TokenSource {
  /**
   * Tries each way in turn; null if the present tokens are still good. `isRefused` says that an API rejected them
   * before they expired. Throws {@link ProblemError} if no way worked this time, which leaves the session as it is.
   */
  obtain(session: VaultSession, access: ProviderAccess, isRefused: boolean): Promise<Obtained | null>;
  /** Whether the refresh token expires soon, however often it is used, and silent sign-in is to be tried. */
  isDueAhead(session: VaultSession, access: ProviderAccess): boolean;
}

export interface TokenSourceParts {
  readonly vault: Vault;
  readonly signIn: SignIn;
  readonly nowMs: () => number;
}

/** Share of the refresh token's lifetime before silent sign-in is tried. */
const silentRenewalShare = 0.75;
/** The pause between two attempts of silent sign-in ahead of time. */
const minPauseMs = 10 * 60_000;

export function createTokenSource({ vault, signIn, nowMs }: TokenSourceParts): TokenSource {
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

  const isDueAhead: TokenSource['isDueAhead'] = ({ authenticatedAtMs }, { client }) => {
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

  const obtain: TokenSource['obtain'] = async (session, access, isRefused) => {
    const ahead = await signInAhead(session, access);
    if (ahead !== null) return ahead;
    if (!isRefused && !isStale(session.tokens, nowMs())) return null;
    const redeemed = await redeemRefreshToken(session, access);
    return redeemed.outcome === 'refused' ? signInSilently(session, access) : redeemed;
  };

  return { obtain, isDueAhead };
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
