// The authorization code flow of plain OAuth 2 (RFC 6749 section 4.1), at a provider without ID tokens. PKCE ties the code
// to this request, as the nonce of an ID token does elsewhere, and the user API says who has signed in.

import type * as oauth from 'oauth4webapi';
import { createAuthorizationRequest, readAuthorizationResponse, type CodeRequest } from './authorize.ts';
import { readDroppedGrant } from './dropped-token.ts';
import type { Flow } from './flow.ts';
import { redeemCodeBy, type Identification } from './redeem.ts';
import { toTokenSet, type AccessTokenSet } from './tokens.ts';
import { words } from '../session/detail.ts';
import { requestUser } from './request-user.ts';

/**
 * How long an access token with neither a lifetime nor a refresh token is used before the user API is asked whether it
 * still works.
 */
export const uncheckedLifetimeSeconds = 60 * 60;

/**
 * The code flow without an ID token. There is no silent one: "prompt=none" belongs to OpenID Connect, and a provider that
 * ignores it would show a page.
 */
export const oauthFlow: Flow = {
  noSilentSignIn: words`silent sign-in: plain OAuth 2 has none`,
  createRequest: createAuthorizationRequest,
  async complete(client, metadata, keys, request: CodeRequest, responseUrl, dpopKey) {
    const parameters = await readAuthorizationResponse(client, metadata, request, responseUrl);
    return redeemCodeBy(byUserApi, client, metadata, keys, request, parameters, dpopKey);
  },
};

/** The person is the one that the user API names. */
export const byUserApi: Identification = {
  async identify({ client, dpopKey }, answer) {
    const tokens = toPlainTokenSet(answer, client.world.nowMs());
    const { profile, claims } = await requestUser(client, tokens, dpopKey);
    const { issuer } = client.provider;
    const grantedScope = answer.scope ?? null;
    return { tokens, claims, issuer, profile, originalClaims: null, grantedScope };
  },
  readDropped: readDroppedGrant,
};

function toPlainTokenSet(answer: oauth.TokenEndpointResponse, receivedAtMs: number): AccessTokenSet {
  const isUnlimited = answer.expires_in === undefined && answer.refresh_token === undefined;
  return toTokenSet(isUnlimited ? { ...answer, expires_in: uncheckedLifetimeSeconds } : answer, receivedAtMs);
}
