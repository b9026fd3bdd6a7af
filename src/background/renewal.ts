// Keeps the tokens usable: renewed when somebody needs them and they are about to end, once for all who ask.

import { renewTokens } from '../oidc/renew.ts';
import { isInteractionRequired } from '../oidc/rejection.ts';
import { isStale } from '../oidc/tokens.ts';
import { problem, ProblemError, toProblem, type ProblemCode } from '../session/problem.ts';
import type { ProviderId, SessionEvent } from '../session/session.ts';
import type { ProviderAccess } from './provider-access.ts';
import type { SignIn } from './sign-in.ts';
import type { Vault, VaultSession } from './vault.ts';

export interface Renewal {
  /**
   * The session with tokens that can be used now; null when nobody is signed in (any more). What a renewal does
   * to the session, good or bad, is told to everyone by `tell`.
   * Throws {@link ProblemError}: `expired` when the provider itself has refused the tokens, with which the
   * session has ended, and anything else when they could not be renewed this time, which costs nothing.
   */
  expectFresh(): Promise<VaultSession | null>;
}

export interface RenewalParts {
  readonly vault: Vault;
  readonly providers: ReadonlyMap<ProviderId, ProviderAccess>;
  readonly signIn: SignIn;
  readonly nowMs: () => number;
  readonly tell: (event: SessionEvent) => Promise<void>;
}

export function createRenewal({ vault, providers, signIn, nowMs, tell }: RenewalParts): Renewal {
  let underWay: Promise<VaultSession | null> | null = null;

  /** New tokens with the refresh token; null where there is none, or where the provider refuses it. */
  const redeemRefreshToken = async ({ tokens, profile }: VaultSession, access: ProviderAccess) => {
    const { refreshToken } = tokens;
    if (refreshToken === null) return null;
    try {
      const current = { ...tokens, refreshToken };
      const { connection, keys } = access;
      return await renewTokens(connection, await access.metadata(), keys, current, profile.subject);
    } catch (error) {
      if (toProblem(error).code === 'expired') return null;
      throw error;
    }
  };

  /** New tokens by the silent way, of the same person. */
  const signInAgain = async (session: VaultSession, access: ProviderAccess) => {
    const { tokens, profile } = await signIn.silently(access, session.profile.email);
    if (profile.subject === session.profile.subject) return tokens;
    await vault.discard({ ...session, profile, tokens }, nowMs());
    throw new ProblemError('expired', 'Another person is signed in at the provider.');
  };

  /** Whether a failed silent way says that the session is over, and not merely that it could not be asked. */
  const isOver = ({ tokens }: VaultSession, error: unknown) => {
    const { code } = toProblem(error);
    if (code === 'expired' || isInteractionRequired(error)) return true;
    // The refresh token has been refused as well, so there is nothing left to wait for but a network.
    return tokens.refreshToken !== null && !passing.includes(code);
  };

  const renew = async (session: VaultSession, access: ProviderAccess): Promise<VaultSession | null> => {
    const tokens =
      (await redeemRefreshToken(session, access)) ??
      (await signInAgain(session, access).catch(async (error: unknown) => {
        if (!isOver(session, error)) throw error;
        if ((await vault.expire(session)) === 'ended') {
          await tell({ type: 'session-ended', problem: problem('expired') });
        }
        throw new ProblemError('expired', null, { cause: error });
      }));
    if ((await vault.renew(session, tokens)) === 'kept') {
      await tell({ type: 'session-marked', problem: null });
    } else {
      // A sign-out or another sign-in came first, and it wins.
      await vault.discard({ ...session, tokens }, nowMs());
    }
    return vault.read();
  };

  const expectFresh = async () => {
    const session = await vault.read();
    if (session === null || !isStale(session.tokens, nowMs())) return session;
    const access = providers.get(session.profile.providerId);
    if (access === undefined) return session;
    try {
      return await renew(session, access);
    } catch (error) {
      const found = toProblem(error);
      if (found.code !== 'expired') await tell({ type: 'session-marked', problem: found });
      throw error;
    }
  };

  return {
    expectFresh() {
      underWay ??= expectFresh().finally(() => {
        underWay = null;
      });
      return underWay;
    },
  };
}

/** What a network does, and not a provider. */
const passing: readonly ProblemCode[] = ['offline', 'timed-out', 'provider-unreachable'];
