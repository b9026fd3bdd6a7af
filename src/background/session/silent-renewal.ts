// New tokens by silent sign-in: instead of a refresh token that brings none, and before one with a fixed lifetime
// expires.

import { findOAuthError, isInteractionRequired, isTransient } from '../../oidc/rejection.ts';
import type { TokenSet } from '../../oidc/tokens.ts';
import { words } from '../../session/detail.ts';
import { ProblemError } from '../../session/problem.ts';
import type { ProviderAccess } from '../provider/provider-access.ts';
import type { SignIn } from '../provider/sign-in.ts';
import { hasCome } from '../record/pause.ts';
import type { FormerToken } from '../record/step.ts';
import type { RenewedTokens, Vault, VaultSession } from '../vault/vault.ts';
import type { Revocations } from './revocations.ts';

/** New tokens of the same person. */
export interface Renewed {
  readonly outcome: 'renewed';
  readonly renewed: RenewedTokens;
  readonly former: FormerToken;
}

/** The session is over. */
export interface Ended {
  readonly outcome: 'ended';
  readonly problem: ProblemError;
  readonly former: FormerToken;
}

/** The vault holds another session or none, so nothing was sent. */
export interface Overtaken {
  readonly outcome: 'overtaken';
}

export interface SilentRenewal {
  /**
   * Signs the person in silently for new tokens. Ends the session if the provider wants to see the person. Throws
   * {@link ProblemError} for any other failure.
   */
  signIn(
    session: VaultSession,
    access: ProviderAccess,
    former: FormerToken,
  ): Promise<Renewed | Ended | Overtaken>;
  /**
   * New tokens before the refresh token expires. Null if they are not due, or if the present ones stay: silent sign-in
   * failed, or brought no refresh token. Ends the session only for a person who is no longer allowed.
   */
  signInAhead(session: VaultSession, access: ProviderAccess): Promise<Renewed | Ended | Overtaken | null>;
  /** Whether the refresh token expires soon, however often it is used, and silent sign-in is to be tried. */
  isDueAhead(session: VaultSession, access: ProviderAccess): boolean;
}

export interface SilentRenewalParts {
  readonly vault: Vault;
  readonly signIn: SignIn;
  readonly revocations: Pick<Revocations, 'discard'>;
  readonly nowMs: () => number;
}

/** Share of the refresh token's lifetime before silent sign-in is tried. */
const silentRenewalShare = 0.75;
/** The pause between two attempts ahead of time. */
const aheadPauseMs = 10 * 60_000;

export function createSilentRenewal({
  vault,
  signIn,
  revocations,
  nowMs,
}: SilentRenewalParts): SilentRenewal {
  const attempt = async (
    session: VaultSession,
    access: ProviderAccess,
    former: FormerToken,
  ): Promise<Renewed | Ended | Overtaken> => {
    // Stored before it is sent, so that a worker that dies meanwhile does not repeat it ahead of time at each start. A
    // refresh token that was sent just now was answered.
    const { renewalSentAtMs } = session;
    const begun = await vault.note(session, { silentTriedAtMs: nowMs(), renewalSentAtMs });
    if (begun === 'gone') return { outcome: 'overtaken' };
    try {
      const { tokens, issuer, profile, dpopKey, originalClaims } = await signIn.silently(access, {
        loginHint: session.profile.email ?? undefined,
        idTokenHint: toHint(session.tokens),
        additionalScope: session.additionalScope,
      });
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
  };

  const isDueAhead: SilentRenewal['isDueAhead'] = ({ authenticatedAtMs, silentTriedAtMs }, { client }) => {
    const { refreshTokenSeconds } = client.provider;
    return (
      refreshTokenSeconds !== null &&
      nowMs() >= authenticatedAtMs + refreshTokenSeconds * 1000 * silentRenewalShare &&
      (silentTriedAtMs === null || hasCome(silentTriedAtMs + aheadPauseMs, aheadPauseMs, nowMs()))
    );
  };

  return {
    isDueAhead,

    signIn: attempt,

    async signInAhead(session, access) {
      if (!isDueAhead(session, access)) return null;
      try {
        const result = await attempt(session, access, 'works');
        // The session could not be renewed without a refresh token, and the present one is good for a while.
        const isWorse = result.outcome === 'renewed' && isWithout(result.renewed) && !isWithout(session);
        const stays = result.outcome === 'ended' && result.problem.code !== 'not-permitted';
        return isWorse || stays ? null : result;
      } catch {
        // The present tokens are used as long as they last.
        return null;
      }
    },
  };
}

/** Whether the answer to an earlier renewal is missing. The provider may have replaced the refresh token in it. */
function isInDoubt({ renewalSentAtMs }: VaultSession): boolean {
  return renewalSentAtMs !== null;
}

/** The ID token, which may have expired. One that APIs take stays out of every address. */
function toHint(tokens: TokenSet): string | undefined {
  return tokens.type === 'id_token' ? undefined : (tokens.idToken ?? undefined);
}

function isWithout({ tokens }: Pick<VaultSession, 'tokens'>): boolean {
  return tokens.refreshToken === null;
}

/** The problem to end the session with after a failed silent sign-in; null if the provider could not be asked. */
function findEnd(session: VaultSession, former: FormerToken, error: unknown): ProblemError | null {
  if (error instanceof ProblemError && error.code === 'not-permitted') return error;
  const isOver =
    isInteractionRequired(error) ||
    // The browser says so: the provider showed a page.
    (error instanceof ProblemError && error.code === 'expired') ||
    // The refresh token was refused as well, or there is none and the provider says no: only a network failure is worth
    // another try.
    ((former === 'used' || (isWithout(session) && findOAuthError(error) !== null)) && !isTransient(error));
  if (!isOver) return null;
  // Tells a session that the provider ended from one that was lost on the way.
  const isLost = former === 'used' && isInDoubt(session);
  const detail = isLost ? words`renewal: the answer to an earlier renewal may have been lost` : null;
  return new ProblemError('expired', detail, { cause: error });
}
