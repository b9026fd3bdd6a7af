// The sign-in in a window: the flow, which differs between providers, the token request that completes it, and the checks of its
// response.

import * as oauth from 'oauth4webapi';
import type { Profile } from '../session/view.ts';
import { detail, type Detail, safe } from '../session/detail.ts';
import { ProblemError } from '../session/problem.ts';
import {
  createAuthorizationRequest,
  isWider,
  readAuthorizationResponse,
  type AuthorizationRequest,
  type CodeRequest,
} from './authorize.ts';
import { readStandardAnswer } from './answer.ts';
import type { Metadata } from './discover.ts';
import type { ProviderClient, TokenClient } from './http.ts';
import {
  checkIdToken,
  findExclusion,
  toOriginalClaims,
  verifySignature,
  type KeySource,
  type OriginalClaims,
  checkExpected,
  checkTimes,
  type Expected,
  readIdToken,
} from './id-token.ts';
import { rejectClaim, toProblemError } from './problems.ts';
import type { StepUp } from './challenge.ts';
import { withProof } from './resource.ts';
import { toProfile, toTokenSet, type ProfileClaims, type TokenSet } from './tokens.ts';

/** The steps in which the ways to sign in through a window differ. */
export interface Flow {
  /** Creates the request. Throws {@link ProblemError}. */
  readonly createRequest: (
    ...args: Parameters<typeof createAuthorizationRequest>
  ) => Promise<AuthorizationRequest>;
  /** Validates the URL at which the sign-in window ended, and returns its parameters. Throws {@link ProblemError}. */
  readonly readResponse: typeof readAuthorizationResponse;
  /** Names the token request in a problem. A plain text, so that the bundler can leave out a flow that no provider uses. */
  readonly step: 'token' | 'sign-in';
  /** Gets the token response. `request` is one that `createRequest` has created. */
  getTokenResponse(
    client: TokenClient,
    metadata: Metadata,
    request: AuthorizationRequest,
    parameters: URLSearchParams,
    proof: oauth.DPoPRequestOptions,
  ): Promise<Response>;
  readonly identify: Identify;
}

/** The authorization code flow (RFC 6749 section 4.1), in which `identify` finds out who the user is. */
export const createCodeFlow = (identify: Identify): Flow => ({
  createRequest: createAuthorizationRequest,
  readResponse: readAuthorizationResponse,
  step: 'token',
  getTokenResponse(client, metadata, request: CodeRequest, parameters, proof) {
    const { redirectUri, codeVerifier, tokenParameters: additionalParameters } = request;
    const { oauthClient, authentication, atOnceTokenOptions } = client;
    const options = { ...atOnceTokenOptions, ...proof, additionalParameters };
    return oauth.authorizationCodeGrantRequest(
      metadata,
      oauthClient,
      authentication,
      parameters,
      redirectUri,
      codeVerifier,
      options,
    );
  },
  identify,
});

/** The authorization code flow with an ID token (OpenID Connect Core 3.1). */
export const codeFlow = createCodeFlow(byIdToken);

/** The verified result of a sign-in. */
export interface Obtained {
  readonly tokens: TokenSet;
  /** The key that the tokens are bound to; null if they aren't bound. */
  readonly dpopKey: CryptoKeyPair | null;
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

/**
 * Requests the tokens of a sign-in, bound to the DPoP key if there is one, and returns them verified. `request` is one that
 * `createRequest` of this flow has created, and `parameters` are those that `readResponse` has returned for it.
 *
 * Throws {@link ProblemError}: `not-permitted` if the configuration doesn't allow this user, `clock-wrong` if a check fails because of
 * this device's clock, `response-rejected` for any other failed check, and what an exchange throws.
 */
export async function completeSignIn(
  flow: Flow,
  client: TokenClient,
  metadata: Metadata,
  keys: KeySource,
  request: AuthorizationRequest,
  parameters: URLSearchParams,
  dpopKey: CryptoKeyPair | null,
): Promise<Obtained> {
  const { acrValues, maxAgeSeconds } = request.expected;
  const expected = { nonce: request.nonce, maxAgeSeconds, acrValues };
  try {
    const answer = await requestTokens(client, dpopKey, (proof) =>
      flow.getTokenResponse(client, metadata, request, parameters, proof),
    );
    const obtained = await flow.identify({ client, metadata, keys, expected, dpopKey }, answer);
    // The ID token and the redirect name the same issuer (RFC 9207 section 2.4), which matters if there are several.
    if (![null, '', obtained.issuer].includes(parameters.get('iss')))
      throw rejectClaim('iss', obtained.claims, detail`another issuer than that of the redirect`);
    return narrowFirst(client, request.tokenParameters, obtained);
  } catch (error) {
    throw toProblemError(client, safe(flow.step), error);
  }
}

/**
 * The result of a sign-in. If its access token can do more than was asked for, it counts as expired, so that no API gets it before
 * it's renewed with the narrower scope (RFC 6749 section 6). Without a refresh token it stays as it is, and developers are told.
 */
export function narrowFirst(
  client: ProviderClient,
  { scope }: Readonly<Record<string, string>> = {},
  obtained: Obtained,
): Obtained {
  const { tokens, grantedScope } = obtained;
  if (!isWider(client.provider, scope, grantedScope)) return obtained;
  if (tokens.type !== 'id_token' && tokens.refreshToken !== null)
    return { ...obtained, tokens: { ...tokens, expiresAtMs: 0 } };
  tellOfWidth(client, detail`token`);
  return obtained;
}

/** Tells developers of a token that stays wider than its request. */
export function tellOfWidth({ world }: ProviderClient, step: Detail): void {
  world.warn?.(
    `${step}: the provider has granted a scope of another API too, so this token works there as well.`,
  );
}

/**
 * Sends a request for tokens, with a proof if there is a key, and returns the response with a usable token. Its ID token wasn't read,
 * and the caller checks whose it is. Throws what `send` throws, and for another response an error for {@link toProblemError}: also for
 * a DPoP token without a key, for a Bearer token where DPoP is required (RFC 9449 section 5), and for one that no header can hold
 * (RFC 6749 appendix A.12).
 */
export function requestTokens(
  client: TokenClient,
  dpopKey: CryptoKeyPair | null,
  send: (proof: oauth.DPoPRequestOptions) => Promise<Response>,
): Promise<oauth.TokenEndpointResponse> {
  return withProof(client, dpopKey, async (proof) => {
    const members = await readStandardAnswer(await send(proof), ['access_token', 'token_type']);
    const token_type = members.token_type.toLowerCase() as Lowercase<string>;
    const isBearer = token_type === 'bearer' && client.provider.dpop !== 'required';
    if (!isBearer && (token_type !== 'dpop' || dpopKey === null))
      throw new ProblemError('response-rejected', detail`token: its token_type was not asked for`);
    if (!/^[\x20-\x7e]+$/.test(members.access_token))
      throw new ProblemError('response-rejected', detail`token: not printable ASCII`);
    return { ...members, token_type };
  });
}

/** The values that a sign-in's tokens are verified against. */
interface Verification {
  readonly client: ProviderClient;
  readonly metadata: Metadata;
  readonly keys: KeySource;
  /** The values that the ID token must have. */
  readonly expected: StepUp & Expected;
  readonly dpopKey: CryptoKeyPair | null;
}

/**
 * Finds out who the user behind the tokens is, which differs between OpenID Connect and plain OAuth 2. Throws
 * {@link ProblemError} if a check fails, or the configuration doesn't allow this user.
 */
export type Identify = (verification: Verification, answer: oauth.TokenEndpointResponse) => Promise<Obtained>;

/** The user is the one of the ID token (OpenID Connect Core 3.1.3.7). */
export async function byIdToken(
  { client, metadata, keys, expected, dpopKey }: Verification,
  answer: oauth.TokenEndpointResponse,
): Promise<Obtained> {
  const { provider, world } = client;
  const { acrValues } = expected;
  const idToken = readIdToken(answer.id_token);
  const claims = await checkIdToken(client, metadata, idToken, answer.access_token);
  checkExpected(client, claims, expected);
  checkTimes(client, claims);
  await verifySignature(metadata, keys, claims, idToken.text);
  if (acrValues !== null && !acrValues.split(' ').some((value) => value === claims['acr']))
    throw rejectClaim('acr', claims, detail`none of the authentication contexts asked for`);
  const exclusion = findExclusion(provider, claims);
  if (exclusion !== null) throw exclusion;
  const originalClaims = toOriginalClaims(claims);
  const tokens = toTokenSet(answer, world.nowMs());
  return {
    tokens,
    dpopKey,
    claims,
    issuer: claims.iss,
    originalClaims,
    profile: toProfile(provider, claims, tokens),
    grantedScope: answer.scope ?? null,
  };
}
