// Requests the tokens of a sign-in, verifies whose they are, and completes the profile with UserInfo.

import * as oauth from 'oauth4webapi';
import type { Provider } from '../config/provider.ts';
import type { Profile } from '../session/session.ts';
import { findExclusion } from './allowed.ts';
import type { ProviderClient } from './provider-client.ts';
import type { Metadata } from './discover.ts';
import { expectUsableToken, withProof } from './dpop.ts';
import { rejectClaim } from './claim-error.ts';
import { checkAge, checkIdToken, verifySignature, type KeySource } from './id-token.ts';
import { toOriginalClaims, type OriginalClaims } from './renewed-id-token.ts';
import { toProblemErrors } from './rejection.ts';
import { requestTokens } from './token-request.ts';
import { detail, type Detail } from '../session/detail.ts';
import { toProfile, toTokenSet, type AccessTokenSet, type ProfileClaims, type TokenSet } from './tokens.ts';

/** The verified result of a sign-in. */
export interface SignedInTokens {
  readonly tokens: TokenSet;
  /** The verified claims of the ID token, or the members that the user API returned. */
  readonly claims: ProfileClaims;
  /** The issuer of the ID token: with a template, that of the user's tenant. Without an ID token, the configured one. */
  readonly issuer: string;
  readonly profile: Profile;
  /** Null without an ID token. */
  readonly originalClaims: OriginalClaims | null;
  /** The scope the provider says it granted; null if it says nothing. */
  readonly grantedScope: string | null;
}

/** The values that a sign-in's tokens are verified against. */
interface Verification {
  readonly client: ProviderClient;
  readonly metadata: Metadata;
  readonly keys: KeySource;
  /** Authentication contexts: the ID token must name one of them. Null if none were requested. */
  readonly acrValues: string | null;
}

interface SignInRequest extends Verification {
  readonly dpopKey: CryptoKeyPair | null;
  readonly step: Detail;
  send(proof: oauth.DPoPRequestOptions): Promise<Response>;
  process(response: Response): Promise<oauth.TokenEndpointResponse>;
  /** Throws if the user's tokens don't answer this request. */
  check(signedIn: SignedInTokens): void;
}

/**
 * Requests the tokens of a sign-in, finds out with `identify` who the user is, and verifies all that comes. With a DPoP key,
 * requests tokens bound to it. If a check fails, no token is returned, and the caller must revoke the refresh token that
 * `findDroppedToken` finds in the error.
 *
 * Throws {@link ProblemError}: `not-permitted` if the configuration does not allow this user, `clock-wrong`
 * if a check fails because of this device's clock, `response-rejected` for any other failed check, and what
 * an exchange throws.
 */
export function requestSignIn(identify: Identify, request: SignInRequest): Promise<SignedInTokens> {
  const { client, dpopKey, step, send, process, check } = request;
  return requestTokens(client, {
    step,
    dpopKey,
    drops: client.provider.userApi === null ? 'refresh-token' : 'any-token',
    send,
    async read(response) {
      const answer = await process(response);
      expectUsableToken(client.provider, answer, dpopKey);
      const signedIn = await identify(request, answer, response);
      check(signedIn);
      return signedIn;
    },
  });
}

/**
 * Finds out who the user behind the tokens is, which differs between OpenID Connect and plain OAuth 2. Throws
 * {@link ProblemError} if a check fails, or the configuration does not allow this user.
 */
export type Identify = (
  request: SignInRequest,
  answer: oauth.TokenEndpointResponse,
  response: Response,
) => Promise<SignedInTokens>;

/** The user is the one of the ID token (OpenID Connect Core 3.1.3.7). */
export const byIdToken: Identify = async (request, answer, response) => {
  const claims = await checkIdToken(request.client, answer);
  const tokens = toTokenSet(answer, request.client.world.nowMs());
  return verifyIdentity(request, claims, response, tokens, answer.scope ?? null);
};

/**
 * Verifies the ID token of a token response whose claims were checked: its age, its signature, its `acr`, and whether its user
 * may sign in. Throws {@link ProblemError}.
 */
export async function verifyIdentity(
  { client, metadata, keys, acrValues }: Verification,
  claims: oauth.IDToken,
  response: Response,
  tokens: TokenSet,
  grantedScope: string | null,
): Promise<SignedInTokens> {
  checkAge(client, claims);
  await verifySignature(client, metadata, keys, claims, response);
  expectAcr(acrValues, claims);
  const exclusion = findExclusion(client.provider, claims);
  if (exclusion !== null) throw exclusion;
  return {
    tokens,
    claims,
    issuer: claims.iss,
    profile: toProviderProfile(client.provider, claims, tokens),
    originalClaims: toOriginalClaims(claims),
    grantedScope,
  };
}

/**
 * Completes the profile with UserInfo (OpenID Connect Core 5.3). Rejects claims of another subject with
 * `response-rejected` (5.3.2). Throws {@link ProblemError}.
 */
export function requestUserInfo(
  client: ProviderClient,
  metadata: Metadata,
  tokens: AccessTokenSet,
  claims: ProfileClaims,
  dpopKey: CryptoKeyPair | null = null,
): Promise<Profile> {
  return toProblemErrors(client, detail`UserInfo`, async () => {
    const oauthClient = client.oauthClient();
    const key = tokens.type === 'DPoP' ? dpopKey : null;
    const userInfo = await withProof(client, key, async (proof) => {
      const options = { ...client.options, ...proof, [oauth.customFetch]: client.exchange.fetch };
      const response = await oauth.userInfoRequest(metadata, oauthClient, tokens.accessToken, options);
      return oauth.processUserInfoResponse(metadata, oauthClient, claims.sub, response);
    });
    // The signed ID token takes precedence; UserInfo only fills gaps. Each email_verified applies to the email beside it.
    const isGap = (value: unknown) => value === null || value === '';
    const signed = Object.fromEntries(Object.entries(claims).filter(([, value]) => !isGap(value)));
    const named = signed['email'] === undefined ? userInfo : signed;
    const isSame = named['email'] === userInfo.email;
    const email_verified = named['email_verified'] ?? (isSame && userInfo.email_verified);
    return toProviderProfile(client.provider, { ...userInfo, ...signed, email_verified }, tokens);
  });
}

/**
 * The profile of an ID token. Only issuer and subject together are unique, and with a template each tenant is an issuer.
 */
function toProviderProfile(
  { id, issuerTemplate }: Provider,
  claims: ProfileClaims,
  tokens: TokenSet,
): Profile {
  const profile = toProfile(id, claims, tokens);
  return issuerTemplate === null ? profile : { ...profile, issuer: String(claims['iss']) };
}

/** The `acr` must be one of the requested values (OpenID Connect Core 3.1.3.7). */
function expectAcr(acrValues: string | null, claims: oauth.IDToken): void {
  if (acrValues === null || acrValues.split(' ').some((value) => value === claims['acr'])) return;
  throw rejectClaim('acr', claims, detail`none of the authentication contexts asked for`);
}
