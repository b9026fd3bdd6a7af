// The tokens of plain OAuth 2 after the sign-in: renewed with answers made standard, or, without a refresh token, checked
// at the user API, because there is no silent sign-in that could bring others. It also says whether the person may stay.

import { uncheckedLifetimeSeconds } from '../../oidc/oauth-flow.ts';
import { renewTokens } from '../../oidc/renew.ts';
import { withStandardAnswers } from '../../oidc/token-answer.ts';
import { unknownLifetimeSeconds, type TokenSet } from '../../oidc/tokens.ts';
import { isTokenRefused, requestUser } from '../../oidc/user-api.ts';
import type { ProviderClient } from '../../oidc/provider-client.ts';
import { ProblemError } from '../../session/problem.ts';
import type { ProviderAccess } from '../provider/provider-access.ts';
import type { FormerToken } from '../record/step.ts';
import type { VaultSession } from '../vault/vault.ts';
import type { Ended, Renewed } from './new-tokens.ts';

export interface OauthTokens {
  /**
   * As `renewTokens`. An ID token in the answer is ignored. Where the configuration has an `allowed`, the user API is asked
   * instead. Without its answer, the tokens are renewed anyway.
   */
  readonly renew: typeof renewTokens;
  /**
   * Asks the user API whether an access token without a refresh token still works. The session ends only if it refuses the
   * token: a lifetime that has passed, or the refusal of another API, proves nothing. Without an answer the token is used
   * for a while longer. Never rejects.
   */
  readonly check: (session: VaultSession, access: ProviderAccess) => Promise<Renewed | Ended>;
}

export const oauthTokens: OauthTokens = {
  async renew(client, metadata, keys, tokens, authentication, dpopKey) {
    const standard = withStandardAnswers(client);
    const renewal = await renewTokens(standard, metadata, keys, tokens, authentication, dpopKey);
    const isFree = Object.keys(client.provider.allowed).length === 0;
    if (renewal.outcome !== 'renewed' || isFree) return renewal;
    const { subject } = authentication;
    const problem = await findEnd(client, renewal.tokens, dpopKey, subject).catch(() => null);
    if (problem === null) return renewal;
    const refreshToken = renewal.tokens.refreshToken ?? tokens.refreshToken;
    return { outcome: 'ended', problem, dropped: { refreshToken, issuer: null, subject } };
  },

  async check(session, { client }) {
    const { tokens, dpopKey, profile } = session;
    try {
      const problem = await findEnd(client, tokens, dpopKey, profile.subject);
      if (problem !== null) return end(problem, 'works');
      return toLonger(session, client.world.nowMs() + uncheckedLifetimeSeconds * 1000);
    } catch (error) {
      if (isTokenRefused(error)) return end(new ProblemError('expired', null, { cause: error }), 'used');
      return toLonger(session, client.world.nowMs() + unknownLifetimeSeconds * 1000);
    }
  },
};

/** Why the user API ends the session; null if the person is the same and may stay. Throws {@link ProblemError}. */
async function findEnd(
  client: ProviderClient,
  tokens: TokenSet,
  dpopKey: CryptoKeyPair | null | undefined,
  subject: string,
): Promise<ProblemError | null> {
  try {
    const { profile } = await requestUser(client, tokens, dpopKey);
    return profile.subject === subject ? null : new ProblemError('expired');
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'not-permitted') return error;
    throw error;
  }
}

function end(problem: ProblemError, former: FormerToken): Ended {
  return { outcome: 'ended', problem, former };
}

/** The same tokens, to be used until `expiresAtMs`. */
function toLonger(session: VaultSession, expiresAtMs: number): Renewed {
  const { tokens, dpopKey, authenticatedAtMs, originalClaims } = session;
  const renewed = { tokens: { ...tokens, expiresAtMs }, dpopKey, authenticatedAtMs, originalClaims };
  return { outcome: 'renewed', renewed, former: 'works' };
}
