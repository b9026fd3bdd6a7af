// The tokens of plain OAuth 2 after the sign-in: renewed with answers made standard, or, without a refresh token, checked
// at the user API, because there is no silent sign-in that could bring others.

import { uncheckedLifetimeSeconds } from '../../oidc/oauth-flow.ts';
import { renewTokens } from '../../oidc/renew.ts';
import { withStandardAnswers } from '../../oidc/token-answer.ts';
import { unknownLifetimeSeconds } from '../../oidc/tokens.ts';
import { isTokenRefused, requestUser } from '../../oidc/user-api.ts';
import { ProblemError } from '../../session/problem.ts';
import type { ProviderAccess } from '../provider/provider-access.ts';
import type { FormerToken } from '../record/step.ts';
import type { VaultSession } from '../vault/vault.ts';
import type { Ended, Renewed } from './silent-renewal.ts';

export interface OauthTokens {
  /** As `renewTokens`. An ID token in the answer is ignored. */
  readonly renew: typeof renewTokens;
  /**
   * Asks the user API whether an access token without a refresh token still works. The session ends only if it refuses the
   * token: a lifetime that has passed, or the refusal of another API, proves nothing. Without an answer the token is used
   * for a while longer. Never rejects.
   */
  readonly check: (session: VaultSession, access: ProviderAccess) => Promise<Renewed | Ended>;
}

export const oauthTokens: OauthTokens = {
  renew: (client, ...others) => renewTokens(withStandardAnswers(client), ...others),

  async check(session, { client }) {
    const { tokens, dpopKey, profile } = session;
    try {
      const user = await requestUser(client, tokens, dpopKey);
      if (user.profile.subject !== profile.subject) return end(new ProblemError('expired'), 'works');
      return toLonger(session, client.world.nowMs() + uncheckedLifetimeSeconds * 1000);
    } catch (error) {
      if (isTokenRefused(error)) return end(new ProblemError('expired', null, { cause: error }), 'used');
      if (error instanceof ProblemError && error.code === 'not-permitted') return end(error, 'works');
      return toLonger(session, client.world.nowMs() + unknownLifetimeSeconds * 1000);
    }
  },
};

function end(problem: ProblemError, former: FormerToken): Ended {
  return { outcome: 'ended', problem, former };
}

/** The same tokens, to be used until `expiresAtMs`. */
function toLonger(session: VaultSession, expiresAtMs: number): Renewed {
  const { tokens, dpopKey, authenticatedAtMs, originalClaims } = session;
  const renewed = { tokens: { ...tokens, expiresAtMs }, dpopKey, authenticatedAtMs, originalClaims };
  return { outcome: 'renewed', renewed, former: 'works' };
}
