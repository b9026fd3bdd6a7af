// Redeems the authorization code for tokens and a verified profile, and completes the profile with UserInfo.

import * as oauth from 'oauth4webapi';
import type { Provider } from '../config/provider.ts';
import type { Profile } from '../session/session.ts';
import { findExclusion } from './allowed.ts';
import type { AuthorizationRequest } from './authorize.ts';
import { detectWrongClock } from './clock.ts';
import type { ProviderClient } from './provider-client.ts';
import type { Metadata } from './discover.ts';
import { expectTokenType, withProof } from './dpop.ts';
import { withDroppedToken } from './dropped-token.ts';
import { checkIdToken, rejectClaim, verifySignature, type KeySource } from './id-token.ts';
import { toTenantKeys } from './issuer.ts';
import { toOriginalClaims, type OriginalClaims } from './original-claims.ts';
import { toProblemErrors } from './rejection.ts';
import { toProfile, toTokenSet, type ProfileClaims, type TokenSet } from './tokens.ts';

/** The verified result of a sign-in. */
export interface SignedInTokens {
  readonly tokens: TokenSet;
  /** The verified claims of the ID token. */
  readonly claims: ProfileClaims;
  /** The issuer of the ID token: with a template, that of the person's tenant. */
  readonly issuer: string;
  readonly profile: Profile;
  readonly originalClaims: OriginalClaims;
  /** The scope the provider says it granted; null if it says nothing. */
  readonly grantedScope: string | null;
}

/**
 * Redeems the code of an authorization response (OpenID Connect Core 3.1.3) and verifies the result. With a
 * DPoP key, requests tokens bound to it. If any check fails, no token is returned, and the caller must revoke the
 * refresh token that `findDroppedToken` finds in the error.
 *
 * Throws {@link ProblemError}: `not-permitted` if the configuration does not allow this person, `clock-wrong`
 * if a check fails because of this device's clock, `response-rejected` for any other failed check, and what
 * an exchange throws.
 */
export function redeemCode(
  client: ProviderClient,
  metadata: Metadata,
  keys: KeySource,
  request: AuthorizationRequest,
  parameters: URLSearchParams,
  dpopKey: CryptoKeyPair | null = null,
): Promise<SignedInTokens> {
  const { provider, atOnceOptions } = client;
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
    const tokenResponse = await oauth.processAuthorizationCodeResponse(
      metadata,
      client.oauthClient(),
      response,
      {
        expectedNonce: request.nonce,
        ...(provider.maxAgeSeconds !== null && { maxAge: provider.maxAgeSeconds }),
      },
    );
    return { response, tokenResponse };
  };
  const verify = async (received: (response: Response) => void) => {
    const { response, tokenResponse } = await withProof(client, dpopKey, (proof) => redeem(received, proof));
    expectTokenType(provider, tokenResponse, dpopKey);
    const answer = { response, tokenResponse };
    const signedIn = await identifyByIdToken(client, metadata, keys, answer, request.nonce, dpopKey);
    expectSameIssuer(parameters, signedIn);
    return signedIn;
  };
  return withDroppedToken((received) =>
    toProblemErrors('token', () => detectWrongClock(client, () => verify(received))),
  );
}

/** An answer of the token endpoint that oauth4webapi has processed. */
export interface TokenAnswer {
  readonly response: Response;
  readonly tokenResponse: oauth.TokenEndpointResponse;
}

/**
 * Finds out to whom the tokens of a complete answer belong. `nonce` is that of the request, null if it had none;
 * `dpopKey` the one that the tokens are bound to. Throws {@link ProblemError} if a check fails or the configuration does
 * not allow this person.
 */
export type Identify = (
  client: ProviderClient,
  metadata: Metadata,
  keys: KeySource,
  answer: TokenAnswer,
  nonce: string | null,
  dpopKey: CryptoKeyPair | null,
) => Promise<SignedInTokens>;

/** Verifies the ID token, and returns the tokens with the person whom it names (OpenID Connect Core 3.1.3.7). */
export const identifyByIdToken: Identify = async (
  client,
  metadata,
  keys,
  { response, tokenResponse },
  nonce,
) => {
  const { provider, world } = client;
  const claims = await checkIdToken(client, tokenResponse);
  await verifySignature(metadata, toTenantKeys(keys, metadata, claims.iss), response);
  expectAcr(provider, claims);
  const tokens = toTokenSet(tokenResponse, world.nowMs());
  const exclusion = findExclusion(provider, claims);
  if (exclusion !== null) throw exclusion;
  const profile = toProviderProfile(provider, claims);
  const originalClaims = toOriginalClaims(claims, nonce ?? claims.nonce ?? '');
  const grantedScope = tokenResponse.scope ?? null;
  return { tokens, claims, issuer: claims.iss, profile, originalClaims, grantedScope };
};

/**
 * Completes the profile with UserInfo (OpenID Connect Core 5.3). Rejects claims of another subject with
 * `response-rejected` (5.3.2). Throws {@link ProblemError}.
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
    // The signed ID token takes precedence; UserInfo only fills gaps, and its email_verified applies to its
    // own email.
    const isOtherEmail = claims['email'] !== undefined && claims['email'] !== userInfo.email;
    const added = isOtherEmail ? { ...userInfo, email_verified: false } : userInfo;
    return toProviderProfile(client.provider, { ...added, ...claims });
  });
}

/** Only a person's issuer and subject together are unique, and with a template each tenant is an issuer. */
function toProviderProfile({ id, issuerTemplate }: Provider, claims: ProfileClaims): Profile {
  const profile = toProfile(id, claims);
  return issuerTemplate === null ? profile : { ...profile, issuer: String(claims['iss']) };
}

/** The ID token and the redirect name the same issuer (RFC 9207 section 2.4), which matters if there are several. */
function expectSameIssuer(parameters: URLSearchParams, { issuer, claims }: SignedInTokens): void {
  const named = parameters.get('iss') ?? '';
  if (named === '' || named === issuer) return;
  throw rejectClaim('another issuer than that of the redirect [iss]', 'iss', 'mismatch', claims);
}

/** The `acr` must be one of the requested values (OpenID Connect Core 3.1.3.7). */
function expectAcr({ acrValues }: Provider, claims: oauth.IDToken): void {
  if (acrValues === null || acrValues.split(' ').some((value) => value === claims['acr'])) return;
  throw rejectClaim('none of the authentication contexts asked for [acr]', 'acr', 'mismatch', claims);
}

/** The token request parameters that name the API: `resource` (RFC 8707). */
export function toResourceParameters({ resource }: Provider): Record<string, string> {
  return resource === null ? {} : { resource };
}
