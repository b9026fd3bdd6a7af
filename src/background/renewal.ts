// Keeps the tokens usable: renewed when somebody needs them and they are about to end, once for all who ask.

import { renewTokens } from '../oidc/renew.ts';
import { isStale } from '../oidc/tokens.ts';
import { ProblemError } from '../session/problem.ts';
import type { ProviderId } from '../session/session.ts';
import type { ProviderAccess } from './provider-access.ts';
import type { Vault, VaultSession } from './vault.ts';

/** The provider itself has refused the session's tokens, and the session has ended with them. */
export class SessionRefused extends ProblemError {
  constructor(options?: ErrorOptions) {
    super('expired', null, options);
  }
}

export interface Renewal {
  /**
   * The session with tokens that can be used now; null when nobody is signed in (any more).
   * Throws {@link SessionRefused} when the session has ended, and another {@link ProblemError} when its tokens
   * could not be renewed this time, which costs nothing.
   */
  expectFresh(): Promise<VaultSession | null>;
}

export function createRenewal(
  vault: Vault,
  providers: ReadonlyMap<ProviderId, ProviderAccess>,
  nowMs: () => number,
): Renewal {
  let underWay: Promise<VaultSession | null> | null = null;

  const renew = async (): Promise<VaultSession | null> => {
    const session = await vault.read();
    if (session === null || !isStale(session.tokens, nowMs())) return session;
    const access = providers.get(session.profile.providerId);
    const { refreshToken } = session.tokens;
    // Without a refresh token there is nothing to renew with, which alone is no reason to end a session.
    if (access === undefined || refreshToken === null) return session;

    try {
      const tokens = await renewTokens(
        access.connection,
        await access.metadata(),
        access.keys,
        { ...session.tokens, refreshToken },
        session.profile.subject,
      );
      if ((await vault.renew(session, tokens)) === 'kept') return await vault.read();
      // A sign-out or another sign-in came first, and it wins.
      await vault.discard({ ...session, tokens }, nowMs());
      return null;
    } catch (error) {
      if (!(error instanceof ProblemError) || error.code !== 'expired') throw error;
      if ((await vault.expire(session)) === 'ended') throw new SessionRefused({ cause: error });
      return vault.read();
    }
  };

  return {
    expectFresh() {
      underWay ??= renew().finally(() => {
        underWay = null;
      });
      return underWay;
    },
  };
}
