// The ways to new tokens: the refresh token, then silent sign-in; and silent sign-in ahead of time for refresh tokens
// with a fixed lifetime. Plain OAuth 2 has no silent sign-in: there an access token without a refresh token is checked.

import { expectSameTenant } from '../../oidc/issuer.ts';
import { renewTokens } from '../../oidc/renew.ts';
import { isStale, type AccessTokenSet } from '../../oidc/tokens.ts';
import type { ProblemError } from '../../session/problem.ts';
import type { ProviderAccess } from '../provider/provider-access.ts';
import type { Vault, VaultSession } from '../vault/vault.ts';
import { carefully } from './careful-sign-in.ts';
import type { OauthTokens } from './oauth-tokens.ts';
import type { Revocations } from './revocations.ts';
import {
  createSilentRenewal,
  type Ended,
  type Overtaken,
  type Renewed,
  type SilentRenewalParts,
} from './silent-renewal.ts';

type Obtained = Renewed | Ended | Overtaken;

export interface TokenSource {
  /**
   * Tries each way in turn; null if the present tokens are still good. `isRefused` says that an API rejected them
   * before they expired. Throws {@link ProblemError} if no way worked this time, which leaves the session as it is.
   */
  obtain(session: VaultSession, access: ProviderAccess, isRefused: boolean): Promise<Obtained | null>;
  /** Whether the refresh token expires soon, however often it is used, and silent sign-in is to be tried. */
  isDueAhead(session: VaultSession, access: ProviderAccess): boolean;
}

export interface TokenSourceParts extends SilentRenewalParts {
  readonly vault: Vault;
  readonly revocations: Revocations;
  /** Missing in a build whose configuration needs none. */
  readonly oauthTokens?: OauthTokens | null | undefined;
  readonly nowMs: () => number;
}

/** Tokens with a refresh token. */
type RenewableTokens = AccessTokenSet & { readonly refreshToken: string };

/** The refresh token brought nothing, and silent sign-in is next. */
type Failed =
  | { readonly outcome: 'refused' }
  /** Why its answer could not be used. */
  | { readonly outcome: 'rejected'; readonly problem: ProblemError };

export function createTokenSource(parts: TokenSourceParts): TokenSource {
  const { vault, revocations, nowMs } = parts;
  const silent = createSilentRenewal(parts);
  const findOauth = ({ client }: ProviderAccess) => client.provider.userApi && parts.oauthTokens;

  /**
   * Notes in the vault that the refresh token is sent. If that fails, nothing may be sent: the answer could not be
   * stored either.
   */
  const noteSent = async (session: VaultSession, { client }: ProviderAccess): Promise<'kept' | 'gone'> => {
    // Without a network the token stays here.
    if (!client.world.isOnline()) return 'kept';
    return vault.note(session, { renewalSentAtMs: nowMs() });
  };

  const redeemRefreshToken = async (
    session: VaultSession,
    tokens: RenewableTokens,
    access: ProviderAccess,
  ): Promise<Renewed | Failed | Ended | Overtaken> => {
    const { profile, dpopKey, authenticatedAtMs, originalClaims } = session;
    const { client, keys } = access;
    const metadata = expectSameTenant(await access.metadata(), session.issuer);
    if ((await noteSent(session, access)) === 'gone') return { outcome: 'overtaken' };
    const authentication = { subject: profile.subject, claims: originalClaims };
    const redeem = findOauth(access)?.renew ?? renewTokens;
    const redeemed = redeem(client, metadata, keys, tokens, authentication, dpopKey);
    const renewal = await carefully(revocations, access, redeemed);
    if (renewal.outcome === 'renewed') {
      const renewed = { tokens: renewal.tokens, dpopKey, authenticatedAtMs, originalClaims };
      return { outcome: 'renewed', renewed, former: 'used' };
    }
    if (renewal.outcome === 'refused') return { outcome: 'refused' };
    const { outcome, problem, dropped } = renewal;
    if (dropped !== null) await revocations.drop(access, dropped);
    return outcome === 'ended' ? { outcome, problem, former: 'works' } : { outcome, problem };
  };

  const signInInstead = async (
    session: VaultSession,
    access: ProviderAccess,
    failed: Failed,
  ): Promise<Renewed | Ended | Overtaken> => {
    if (failed.outcome === 'refused') return silent.signIn(session, access, 'used');
    try {
      return await silent.signIn(session, access, 'works');
    } catch {
      // The provider's wrong answer is the reason, and says more.
      throw failed.problem;
    }
  };

  return {
    isDueAhead: silent.isDueAhead,

    async obtain(session, access, isRefused) {
      const ahead = await silent.signInAhead(session, access);
      if (ahead !== null) return ahead;
      if (!isRefused && !isStale(session.tokens, nowMs())) return null;
      const { tokens } = session;
      if (tokens.refreshToken === null) {
        const oauth = findOauth(access);
        return oauth?.check(session, access) ?? silent.signIn(session, access, 'works');
      }
      const { refreshToken } = tokens;
      const redeemed = await redeemRefreshToken(session, { ...tokens, refreshToken }, access);
      const hasFailed = redeemed.outcome === 'refused' || redeemed.outcome === 'rejected';
      return hasFailed ? signInInstead(session, access, redeemed) : redeemed;
    },
  };
}
