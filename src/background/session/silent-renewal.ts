// New tokens by silent sign-in: instead of a refresh token that brings none, and before one with a fixed lifetime
// expires.

import { UnsentError } from '../../oidc/exchange.ts';
import { isInteractionRequired, isTransient } from '../../oidc/rejection.ts';
import { ProblemError, toProblem } from '../../session/problem.ts';
import type { ProviderAccess } from '../provider/provider-access.ts';
import type { SignIn } from '../provider/sign-in.ts';
import type { SilentTry } from '../record/record.ts';
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

/** No new try was made after a failure that is already on the board. Its code is that of the failure. */
export class SilentPause extends ProblemError {}

export interface SilentRenewal {
  /**
   * Signs the person in silently for new tokens. Ends the session if the provider wants to see the person. Throws
   * {@link ProblemError} for any other failure, and {@link SilentPause} without a new try for a minute after it.
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
/** The pause after a failed attempt, so that requests in a row do not each open a hidden page. */
const failurePauseMs = 60_000;

export function createSilentRenewal({
  vault,
  signIn,
  revocations,
  nowMs,
}: SilentRenewalParts): SilentRenewal {
  const isWithin = (pauseMs: number, { atMs }: SilentTry) => Math.abs(nowMs() - atMs) < pauseMs;

  const attempt = async (
    session: VaultSession,
    access: ProviderAccess,
    former: FormerToken,
  ): Promise<Renewed | Ended | Overtaken> => {
    const atMs = nowMs();
    // Stored before it is sent, so that a worker that dies meanwhile does not repeat it ahead of time at each start.
    const begun = await vault.note(session, { silentTry: { atMs, failure: null } });
    if (begun === 'gone') return { outcome: 'overtaken' };
    try {
      const { tokens, issuer, profile, dpopKey, originalClaims } = await signIn.silently(access, {
        loginHint: session.profile.email ?? undefined,
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
      if (problem !== null) return { outcome: 'ended', problem, former };
      if (error instanceof ProblemError && error.cause instanceof UnsentError) {
        // Nothing was tried, so nothing waits.
        await vault.note(session, { silentTry: session.silentTry }).catch(() => undefined);
        throw error;
      }
      const failure = toProblem(error).code;
      // If this fails, the next request tries again without a pause.
      await vault.note(session, { silentTry: { atMs, failure } }).catch(() => undefined);
      throw error;
    }
  };

  const isDueAhead: SilentRenewal['isDueAhead'] = ({ authenticatedAtMs, silentTry }, { client }) => {
    const { refreshTokenSeconds } = client.provider;
    return (
      refreshTokenSeconds !== null &&
      nowMs() >= authenticatedAtMs + refreshTokenSeconds * 1000 * silentRenewalShare &&
      (silentTry === null || !isWithin(aheadPauseMs, silentTry))
    );
  };

  return {
    isDueAhead,

    async signIn(session, access, former) {
      const last = session.silentTry;
      if (last !== null && last.failure !== null && isWithin(failurePauseMs, last)) {
        throw new SilentPause(last.failure, 'silent sign-in: the next try waits.');
      }
      return attempt(session, access, former);
    },

    async signInAhead(session, access) {
      if (!isDueAhead(session, access)) return null;
      try {
        const result = await attempt(session, access, 'works');
        // The session could not be renewed without a refresh token, and the present one is good for a while.
        const isWorse = result.outcome === 'renewed' && isWithout(result) && !isWithout({ renewed: session });
        const isOver = result.outcome === 'ended' && result.problem.code === 'not-permitted';
        return isWorse || (result.outcome === 'ended' && !isOver) ? null : result;
      } catch {
        // The present tokens are used as long as they last.
        return null;
      }
    },
  };
}

/** Whether the answer to an earlier renewal is missing. The provider may have replaced the refresh token in it. */
export function isInDoubt({ renewalSentAtMs }: VaultSession): boolean {
  return renewalSentAtMs !== null;
}

function isWithout({ renewed }: { readonly renewed: Pick<VaultSession, 'tokens'> }): boolean {
  return renewed.tokens.refreshToken === null;
}

/** The problem to end the session with after a failed silent sign-in; null if the provider could not be asked. */
function findEnd(session: VaultSession, former: FormerToken, error: unknown): ProblemError | null {
  if (error instanceof ProblemError && error.code === 'not-permitted') return error;
  const isOver =
    isInteractionRequired(error) ||
    // The browser says so: the provider showed a page.
    (error instanceof ProblemError && error.code === 'expired') ||
    // The refresh token was refused as well, so only a network failure is worth another try.
    (former === 'used' && !isTransient(error));
  if (!isOver) return null;
  // Tells a session that the provider ended from one that was lost on the way.
  const isLost = former === 'used' && isInDoubt(session);
  const detail = isLost ? 'renewal: the answer to an earlier renewal was lost' : null;
  return new ProblemError('expired', detail, { cause: error });
}
