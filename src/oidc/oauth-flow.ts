// The authorization code flow of plain OAuth 2 (RFC 6749 section 4.1), at a provider without ID tokens. PKCE ties the code
// to this request, as the nonce of an ID token does elsewhere, and the user API says who has signed in.

import type * as oauth from 'oauth4webapi';
import { createCodeFlow } from './flow.ts';
import type { Identify } from './redeem.ts';
import { toTokenSet, type AccessTokenSet } from './tokens.ts';
import { requestUser } from './request-user.ts';

/**
 * How long an access token with neither a lifetime nor a refresh token is used before the user API is asked whether it
 * still works.
 */
export const uncheckedLifetimeSeconds = 60 * 60;

/** The user is the one that the user API names. */
export const byUserApi: Identify = async ({ client, dpopKey }, answer) => {
  const tokens = toPlainTokenSet(answer, client.world.nowMs());
  const { profile, claims } = await requestUser(client, tokens, dpopKey);
  const { issuer } = client.provider;
  return { tokens, claims, issuer, profile, originalClaims: null, grantedScope: answer.scope ?? null };
};

/** The code flow without an ID token. */
export const oauthFlow = createCodeFlow(byUserApi);

function toPlainTokenSet(answer: oauth.TokenEndpointResponse, receivedAtMs: number): AccessTokenSet {
  const isUnlimited = answer.expires_in === undefined && answer.refresh_token === undefined;
  return toTokenSet(isUnlimited ? { ...answer, expires_in: uncheckedLifetimeSeconds } : answer, receivedAtMs);
}
