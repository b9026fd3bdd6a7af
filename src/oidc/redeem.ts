// The code becomes tokens and a verified person; UserInfo completes the person afterwards.

import * as oauth from 'oauth4webapi';
import { ProblemError } from '../session/problem.ts';
import type { Profile } from '../session/session.ts';
import type { AuthorizationRequest } from './authorize.ts';
import type { Connection } from './connection.ts';
import type { Metadata } from './discover.ts';
import { verifyIdToken, type KeySource } from './id-token.ts';
import { rejecting } from './rejection.ts';
import { toProfile, toTokenSet, type ProfileClaims, type TokenSet } from './tokens.ts';

export interface SignedInTokens {
  readonly tokens: TokenSet;
  /** The verified claims of the ID token. */
  readonly claims: ProfileClaims;
  readonly profile: Profile;
}

/**
 * Redeems the code of an authorization response (OpenID Connect Core 3.1.3) and verifies what comes back. No
 * token of an answer that fails any check is returned. Throws {@link ProblemError}.
 */
export function redeemCode(
  connection: Connection,
  metadata: Metadata,
  keys: KeySource,
  request: AuthorizationRequest,
  parameters: URLSearchParams,
): Promise<SignedInTokens> {
  const { provider, options, world } = connection;
  return rejecting('token', async () => {
    const client = connection.client();
    const response = await oauth.authorizationCodeGrantRequest(
      metadata,
      client,
      oauth.None(),
      parameters,
      request.redirectUri,
      request.codeVerifier,
      { ...options, additionalParameters: toResourceParameters(provider) },
    );
    const answer = await oauth.processAuthorizationCodeResponse(metadata, connection.client(), response, {
      expectedNonce: request.nonce,
      requireIdToken: true,
    });
    expectBearer(answer);
    const claims = await verifyIdToken(connection, metadata, keys, response, answer);
    return {
      tokens: toTokenSet(answer, world.nowMs()),
      claims,
      profile: toProfile(provider.id, claims),
    };
  });
}

/**
 * The person's profile with what UserInfo adds to it (OpenID Connect Core 5.3). Claims of another subject are
 * refused as `response-rejected` (5.3.2). Throws {@link ProblemError}.
 */
export function requestUserInfo(
  connection: Connection,
  metadata: Metadata,
  tokens: TokenSet,
  claims: ProfileClaims,
): Promise<Profile> {
  return rejecting('UserInfo', async () => {
    const client = connection.client();
    const response = await oauth.userInfoRequest(metadata, client, tokens.accessToken, connection.options);
    const userInfo = await oauth.processUserInfoResponse(metadata, client, claims.sub, response);
    // What the signed token says stands; UserInfo only fills what it leaves out.
    return toProfile(connection.provider.id, { ...userInfo, ...claims });
  });
}

/** Latchkey asked for a Bearer token and can present nothing else (RFC 6750). */
export function expectBearer(answer: oauth.TokenEndpointResponse): void {
  if (answer.token_type !== 'bearer') {
    throw new ProblemError('response-rejected', 'token: the token_type is not Bearer');
  }
}

/** Which API the access token is for: RFC 8707's `resource`, or the `audience` that some providers take. */
export function toResourceParameters({ resource }: Connection['provider']): Record<string, string> {
  return resource === null ? {} : { resource };
}
