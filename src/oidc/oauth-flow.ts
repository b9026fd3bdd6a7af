// The authorization code flow of plain OAuth 2 (RFC 6749 section 4.1), at a provider without ID tokens. PKCE ties the code
// to this very request, as the nonce of an ID token does elsewhere, and the user API says who has signed in.

import * as oauth from 'oauth4webapi';
import { createAuthorizationRequest, readAuthorizationResponse, type CodeRequest } from './authorize.ts';
import type { Identification } from './device.ts';
import type { Metadata } from './discover.ts';
import { expectTokenType, withProof } from './dpop.ts';
import { readDroppedGrant, withDroppedToken } from './dropped-token.ts';
import type { Flow } from './flow.ts';
import type { ProviderClient } from './provider-client.ts';
import { toResourceParameters, type SignedInTokens } from './redeem.ts';
import { toProblemErrors } from './rejection.ts';
import { withStandardAnswers } from './token-answer.ts';
import { toTokenSet, type AccessTokenSet } from './tokens.ts';
import { requestUser } from './user-api.ts';

/**
 * How long an access token is used without a question if it has neither a lifetime nor a refresh token. Then the user API
 * is asked whether it still works.
 */
export const uncheckedLifetimeSeconds = 60 * 60;

/**
 * The code flow without an ID token. There is no silent one: "prompt=none" belongs to OpenID Connect, and a provider that
 * ignores it would show a page.
 */
export const oauthFlow: Flow = {
  noSilentSignIn: 'silent sign-in: plain OAuth 2 has none',
  createRequest: createAuthorizationRequest,
  async complete(client, metadata, _keys, request: CodeRequest, responseUrl, dpopKey) {
    const parameters = await readAuthorizationResponse(client, metadata, request, responseUrl);
    return redeemPlainCode(client, metadata, request, parameters, dpopKey);
  },
};

/**
 * Redeems the code for tokens (RFC 6749 section 4.1.3), and asks the user API for their person. If any of it fails, no
 * token is returned, and `findDroppedToken` finds in the error the one to revoke.
 */
function redeemPlainCode(
  client: ProviderClient,
  metadata: Metadata,
  request: CodeRequest,
  parameters: URLSearchParams,
  dpopKey: CryptoKeyPair | null,
): Promise<SignedInTokens> {
  const { provider } = client;
  const { atOnceOptions } = withStandardAnswers(client);
  const redeem = async (received: (response: Response) => void, proof: oauth.DPoPRequestOptions) => {
    const response = await oauth.authorizationCodeGrantRequest(
      metadata,
      client.oauthClient(),
      oauth.None(),
      parameters,
      request.redirectUri,
      request.codeVerifier,
      { ...atOnceOptions, ...proof, additionalParameters: toResourceParameters(provider) },
    );
    received(response);
    return oauth.processAuthorizationCodeResponse(metadata, client.oauthClient(), response);
  };
  const signIn = async (received: (response: Response) => void): Promise<SignedInTokens> => {
    const answer = await withProof(client, dpopKey, (proof) => redeem(received, proof));
    expectTokenType(provider, answer, dpopKey);
    return identify(client, answer, dpopKey);
  };
  return withDroppedToken((received) => toProblemErrors('token', () => signIn(received)), readDroppedGrant);
}

/** The person is the one that the user API names. */
export const byUserApi: Identification = {
  identify: (client, _metadata, _keys, { tokenResponse }, _nonce, dpopKey) =>
    identify(client, tokenResponse, dpopKey),
  readDropped: readDroppedGrant,
  toStandard: withStandardAnswers,
};

async function identify(
  client: ProviderClient,
  answer: oauth.TokenEndpointResponse,
  dpopKey: CryptoKeyPair | null,
): Promise<SignedInTokens> {
  const tokens = toPlainTokenSet(answer, client.world.nowMs());
  const { profile, claims } = await requestUser(client, tokens, dpopKey);
  const { issuer } = client.provider;
  return { tokens, claims, issuer, profile, originalClaims: null, grantedScope: answer.scope ?? null };
}

/** Converts a token response without an ID token. */
export function toPlainTokenSet(answer: oauth.TokenEndpointResponse, receivedAtMs: number): AccessTokenSet {
  const isUnlimited = answer.expires_in === undefined && answer.refresh_token === undefined;
  return toTokenSet(isUnlimited ? { ...answer, expires_in: uncheckedLifetimeSeconds } : answer, receivedAtMs);
}
