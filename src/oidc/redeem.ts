// The code becomes tokens and a verified person; UserInfo completes the person afterwards.

import * as oauth from 'oauth4webapi';
import type { Provider } from '../config/provider.ts';
import { ProblemError } from '../session/problem.ts';
import type { Profile } from '../session/session.ts';
import { findExclusion } from './allowed.ts';
import type { AuthorizationRequest } from './authorize.ts';
import { blamingClock } from './clock.ts';
import type { Connection } from './connection.ts';
import type { Metadata } from './discover.ts';
import { expectTokenType, withProof } from './dpop.ts';
import { abandonToken } from './end.ts';
import { checkIdToken, verifySignature, type KeySource } from './id-token.ts';
import { rejecting } from './rejection.ts';
import { toProfile, toTokenSet, type ProfileClaims, type TokenSet } from './tokens.ts';

export interface SignedInTokens {
  readonly tokens: TokenSet;
  /** The verified claims of the ID token. */
  readonly claims: ProfileClaims;
  readonly profile: Profile;
  /** The scope that the provider says to have granted; null where it says nothing. */
  readonly grantedScope: string | null;
}

/**
 * Redeems the code of an authorization response (OpenID Connect Core 3.1.3) and verifies what comes back. With a
 * key, the tokens are asked to be bound to it. No token of an answer that fails any check is returned.
 *
 * Throws {@link ProblemError}: `not-permitted` for a person whom the configuration does not let in, `clock-wrong`
 * where a check fails because this device's clock is wrong, `response-rejected` for any other check, and what an
 * exchange throws.
 */
export function redeemCode(
  connection: Connection,
  metadata: Metadata,
  keys: KeySource,
  request: AuthorizationRequest,
  parameters: URLSearchParams,
  dpopKey: CryptoKeyPair | null = null,
): Promise<SignedInTokens> {
  const { provider, options, world } = connection;
  const redeem = async (proof: oauth.DPoPRequestOptions) => {
    const response = await oauth.authorizationCodeGrantRequest(
      metadata,
      connection.client(),
      oauth.None(),
      parameters,
      request.redirectUri,
      request.codeVerifier,
      { ...options, ...proof, additionalParameters: toResourceParameters(provider) },
    );
    const answer = await oauth.processAuthorizationCodeResponse(metadata, connection.client(), response, {
      expectedNonce: request.nonce,
      ...(provider.maxAgeSeconds !== null && { maxAge: provider.maxAgeSeconds }),
    });
    return { response, answer };
  };
  const verify = async () => {
    const { response, answer } = await withProof(connection, dpopKey, redeem);
    expectTokenType(provider, answer, dpopKey);
    const claims = await checkIdToken(connection, answer);
    await verifySignature(metadata, keys, response);
    expectAcr(provider, claims);
    const tokens = toTokenSet(answer, world.nowMs());
    const exclusion = findExclusion(provider, claims);
    if (exclusion !== null) {
      abandonToken(connection, metadata, tokens.refreshToken);
      throw exclusion;
    }
    const profile = toProfile(provider.id, claims);
    return { tokens, claims, profile, grantedScope: answer.scope ?? null };
  };
  return rejecting('token', () => blamingClock(connection, verify));
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
  dpopKey: CryptoKeyPair | null = null,
): Promise<Profile> {
  return rejecting('UserInfo', async () => {
    const client = connection.client();
    const key = tokens.type === 'DPoP' ? dpopKey : null;
    const userInfo = await withProof(connection, key, async (proof) => {
      const options = { ...connection.options, ...proof };
      const response = await oauth.userInfoRequest(metadata, client, tokens.accessToken, options);
      return oauth.processUserInfoResponse(metadata, client, claims.sub, response);
    });
    // What the signed token says stands; UserInfo only fills what it leaves out, and vouches for its own e-mail alone.
    const isOtherEmail = claims['email'] !== undefined && claims['email'] !== userInfo.email;
    const added = isOtherEmail ? { ...userInfo, email_verified: false } : userInfo;
    return toProfile(connection.provider.id, { ...added, ...claims });
  });
}

/** Of the authentication contexts that were asked for, one must have been met (OpenID Connect Core 3.1.3.7). */
function expectAcr({ acrValues }: Provider, { acr }: oauth.IDToken): void {
  if (acrValues !== null && !acrValues.split(' ').some((value) => value === acr)) {
    throw new ProblemError(
      'response-rejected',
      'ID token: none of the authentication contexts asked for [acr]',
    );
  }
}

/** Which API the access token is for: RFC 8707's `resource`, or the `audience` that some providers take. */
export function toResourceParameters({ resource }: Provider): Record<string, string> {
  return resource === null ? {} : { resource };
}
