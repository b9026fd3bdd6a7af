// Keeps the tokens usable: renewed when somebody needs them and they are about to end, once for all who ask.

import { renewTokens } from '../oidc/renew.ts';
import { isStale } from '../oidc/tokens.ts';
import { toProblem } from '../session/problem.ts';
import type { ProviderId, SessionEvent } from '../session/session.ts';
import type { ProviderAccess } from './provider-access.ts';
import type { Vault, VaultSession } from './vault.ts';

export interface Renewal {
  /**
   * The session with tokens that can be used now; null when nobody is signed in (any more). What a renewal does
   * to the session, good or bad, is told to everyone by `tell`.
   * Throws a `ProblemError`: `expired` when the provider itself has refused the tokens, with which the
   * session has ended, and anything else when they could not be renewed this time, which costs nothing.
   */
  expectFresh(): Promise<VaultSession | null>;
}

export function createRenewal(
  vault: Vault,
  providers: ReadonlyMap<ProviderId, ProviderAccess>,
  nowMs: () => number,
  tell: (event: SessionEvent) => Promise<void>,
): Renewal {
  let underWay: Promise<VaultSession | null> | null = null;

  const renew = async (session: VaultSession, access: ProviderAccess, refreshToken: string) => {
    try {
      const tokens = await renewTokens(
        access.connection,
        await access.metadata(),
        access.keys,
        { ...session.tokens, refreshToken },
        session.profile.subject,
      );
      if ((await vault.renew(session, tokens)) === 'kept') {
        await tell({ type: 'session-marked', problem: null });
      } else {
        // A sign-out or another sign-in came first, and it wins.
        await vault.discard({ ...session, tokens }, nowMs());
      }
      return await vault.read();
    } catch (error) {
      const problem = toProblem(error);
      if (problem.code !== 'expired') await tell({ type: 'session-marked', problem });
      else if ((await vault.expire(session)) === 'ended') await tell({ type: 'session-ended', problem });
      throw error;
    }
  };

  const expectFresh = async () => {
    const session = await vault.read();
    if (session === null || !isStale(session.tokens, nowMs())) return session;
    const access = providers.get(session.profile.providerId);
    const { refreshToken } = session.tokens;
    // Without a refresh token there is nothing to renew with, which alone is no reason to end a session.
    if (access === undefined || refreshToken === null) return session;
    return renew(session, access, refreshToken);
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
