// The code becomes tokens and a verified person; UserInfo completes the person afterwards.

import * as oauth from 'oauth4webapi';
import type { Provider } from '../config/provider.ts';
import { ProblemError } from '../session/problem.ts';
import type { Profile } from '../session/session.ts';
import { findExclusion } from './allowed.ts';
import type { AuthorizationRequest } from './authorize.ts';
import { detectWrongClock } from './clock.ts';
import type { ProviderClient } from './provider-client.ts';
import type { Metadata } from './discover.ts';
import { expectTokenType, withProof } from './dpop.ts';
import { abandonToken } from './end.ts';
import { checkIdToken, verifySignature, type KeySource } from './id-token.ts';
import { toProblemErrors } from './rejection.ts';
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
  client: ProviderClient,
  metadata: Metadata,
  keys: KeySource,
  request: AuthorizationRequest,
  parameters: URLSearchParams,
  dpopKey: CryptoKeyPair | null = null,
): Promise<SignedInTokens> {
  const { provider, options, world } = client;
  const redeem = async (proof: oauth.DPoPRequestOptions) => {
    const response = await oauth.authorizationCodeGrantRequest(
      metadata,
      client.oauthClient(),
      oauth.None(),
      parameters,
      request.redirectUri,
      request.codeVerifier,
      { ...options, ...proof, additionalParameters: toResourceParameters(provider) },
    );
    const answer = await oauth.processAuthorizationCodeResponse(metadata, client.oauthClient(), response, {
      expectedNonce: request.nonce,
      ...(provider.maxAgeSeconds !== null && { maxAge: provider.maxAgeSeconds }),
    });
    return { response, answer };
  };
  const verify = async () => {
    const { response, answer } = await withProof(client, dpopKey, redeem);
    expectTokenType(provider, answer, dpopKey);
    const claims = await checkIdToken(client, answer);
    await verifySignature(metadata, keys, response);
    expectAcr(provider, claims);
    const tokens = toTokenSet(answer, world.nowMs());
    const exclusion = findExclusion(provider, claims);
    if (exclusion !== null) {
      abandonToken(client, metadata, tokens.refreshToken);
      throw exclusion;
    }
    const profile = toProfile(provider.id, claims);
    return { tokens, claims, profile, grantedScope: answer.scope ?? null };
  };
  return toProblemErrors('token', () => detectWrongClock(client, verify));
}

/**
 * The person's profile with what UserInfo adds to it (OpenID Connect Core 5.3). Claims of another subject are
 * refused as `response-rejected` (5.3.2). Throws {@link ProblemError}.
 */
export function requestUserInfo(
  client: ProviderClient,
  metadata: Metadata,
  tokens: TokenSet,
  claims: ProfileClaims,
  dpopKey: CryptoKeyPair | null = null,
): Promise<Profile> {
  return toProblemErrors('UserInfo', async () => {
    const oauthClient = client.oauthClient();
    const key = tokens.type === 'DPoP' ? dpopKey : null;
    const userInfo = await withProof(client, key, async (proof) => {
      const options = { ...client.options, ...proof };
      const response = await oauth.userInfoRequest(metadata, oauthClient, tokens.accessToken, options);
      return oauth.processUserInfoResponse(metadata, oauthClient, claims.sub, response);
    });
    // What the signed token says stands; UserInfo only fills what it leaves out, and vouches for its own e-mail alone.
    const isOtherEmail = claims['email'] !== undefined && claims['email'] !== userInfo.email;
    const added = isOtherEmail ? { ...userInfo, email_verified: false } : userInfo;
    return toProfile(client.provider.id, { ...added, ...claims });
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
