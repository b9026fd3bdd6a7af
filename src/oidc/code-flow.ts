// Requests the tokens of a sign-in, verifies whose they are, and completes the profile with UserInfo.

import * as oauth from 'oauth4webapi';
import type { Provider } from '../config/provider.ts';
import type { Profile } from '../session/view.ts';
import {
  findExclusion,
  checkAge,
  checkIdToken,
  verifySignature,
  type KeySource,
  toOriginalClaims,
  type OriginalClaims,
} from './id-token.ts';
import type { ProviderClient } from './http.ts';
import type { Metadata } from './discover.ts';
import { expectUsableToken, withProof } from './resource.ts';
import { rejectClaim, toProblemError } from './problems.ts';
import { detail, type Detail, safe } from '../session/detail.ts';
import { toProfile, toTokenSet, type AccessTokenSet, type ProfileClaims, type TokenSet } from './tokens.ts';
import type { DPoPRequestOptions } from 'oauth4webapi';
import { parseObject, readClaims } from './redirect.ts';
import {
  createAuthorizationRequest,
  readAuthorizationResponse,
  type AuthorizationRequest,
  type CodeRequest,
} from './authorize.ts';

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
export async function requestUserInfo(
  client: ProviderClient,
  metadata: Metadata,
  tokens: AccessTokenSet,
  claims: ProfileClaims,
  dpopKey: CryptoKeyPair | null = null,
): Promise<Profile> {
  try {
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
  } catch (error) {
    throw toProblemError(client, detail`UserInfo`, error);
  }
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

// Sends a token request, and remembers the refresh token of an answer that fails a check. It belongs to no session, but it
// works, so the caller must revoke it.

/** A refresh token, or with plain OAuth 2 perhaps an access token, that was received and must not be used. */
export interface DroppedToken {
  readonly refreshToken: string;
  /** `iss` and `sub` of the ID token beside it, which may be unverified; null if they cannot be read. */
  readonly issuer: string | null;
  readonly subject: string | null;
}

/** By the error of its answer. It isn't part of the error, so that no log shows it. */
const droppedTokens = new WeakMap<Error, DroppedToken>();

/** The refresh token behind an error, or behind one of its causes; null if there is none. */
export function findDroppedToken(error: unknown): DroppedToken | null {
  for (let current = error; current instanceof Error; current = current.cause) {
    const dropped = droppedTokens.get(current);
    if (dropped !== undefined) return dropped;
  }
  return null;
}

/** The refresh token; or, if there is none, any token: the access token, which may never expire then. */
type DroppedKind = 'refresh-token' | 'any-token';

interface TokenRequest<T> {
  /** Names the request in a problem. */
  readonly step: Detail;
  /** The key to bind the tokens to; null for none. */
  readonly dpopKey: CryptoKeyPair | null;
  /** The token that must be revoked if `read` throws. */
  readonly drops: DroppedKind;
  send(proof: DPoPRequestOptions): Promise<Response>;
  /** Reads the answer with all of its checks. */
  read(response: Response): Promise<T>;
}

/**
 * Sends a request for tokens, with a proof if there is a key, and returns what `read` makes of the answer. If that throws,
 * {@link findDroppedToken} finds the token of the answer in the error. Throws {@link ProblemError}.
 */
export async function requestTokens<T>(
  client: ProviderClient,
  { step, dpopKey, drops, send, read }: TokenRequest<T>,
): Promise<T> {
  let copy = null as Response | null;
  const ask = async (proof: DPoPRequestOptions) => {
    const response = await send(proof);
    copy = response.clone();
    return read(response);
  };
  try {
    return await withProof(client, dpopKey, ask);
  } catch (error) {
    const problem = toProblemError(client, step, error);
    const dropped = copy && (await readDroppedToken(copy, drops));
    if (dropped !== null) droppedTokens.set(problem, dropped);
    throw problem;
  }
}

/** The token of a token response that has to be revoked; null if it brought none. */
export async function readDroppedToken(
  response: Response,
  kind: DroppedKind = 'refresh-token',
): Promise<DroppedToken | null> {
  const answer = parseObject(await response.text()) ?? {};
  const { refresh_token, access_token, id_token: idToken } = answer;
  const tokens = kind === 'any-token' ? [refresh_token, access_token] : [refresh_token];
  const token = tokens.find((one) => typeof one === 'string');
  if (token === undefined) return null;
  const { iss, sub } = (typeof idToken === 'string' && readClaims(idToken)) || {};
  return {
    refreshToken: token,
    issuer: typeof iss === 'string' ? iss : null,
    subject: typeof sub === 'string' ? sub : null,
  };
}

// A flow: the steps in which the ways to sign in through a window differ, and the function that completes each of them.

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
    client: ProviderClient,
    metadata: Metadata,
    request: AuthorizationRequest,
    parameters: URLSearchParams,
    proof: oauth.DPoPRequestOptions,
  ): Promise<Response>;
  readonly identify: Identify;
}

/**
 * Validates the URL at which the sign-in window ended, and returns the verified tokens. `request` is one that
 * `createRequest` of this flow has created. If a check fails, no token is returned, and the caller must revoke the
 * refresh token that `findDroppedToken` finds in the error. Throws {@link ProblemError}.
 */
export async function completeSignIn(
  { readResponse, getTokenResponse, identify, step }: Flow,
  client: ProviderClient,
  metadata: Metadata,
  keys: KeySource,
  request: AuthorizationRequest,
  responseUrl: string,
  dpopKey: CryptoKeyPair | null,
): Promise<SignedInTokens> {
  const parameters = await readResponse(client, metadata, request, responseUrl);
  const { acrValues, maxAgeSeconds } = request.expected;
  return requestSignIn(identify, {
    client,
    metadata,
    keys,
    dpopKey,
    step: safe(step),
    acrValues,
    send: (proof) => getTokenResponse(client, metadata, request, parameters, proof),
    process(response) {
      const ofIdToken = {
        expectedNonce: request.nonce,
        ...(maxAgeSeconds !== null && { maxAge: maxAgeSeconds }),
      };
      const checks = client.provider.userApi === null ? ofIdToken : {};
      return oauth.processAuthorizationCodeResponse(metadata, client.oauthClient(), response, checks);
    },
    check: (signedIn) => expectSameIssuer(parameters, signedIn),
  });
}

/** The ID token and the redirect name the same issuer (RFC 9207 section 2.4), which matters if there are several. */
function expectSameIssuer(parameters: URLSearchParams, { issuer, claims }: SignedInTokens): void {
  const named = parameters.get('iss') ?? '';
  if (named === '' || named === issuer) return;
  throw rejectClaim('iss', claims, detail`another issuer than that of the redirect`);
}

/** The authorization code flow (RFC 6749 section 4.1), in which `identify` finds out who the user is. */
export const createCodeFlow = (identify: Identify): Flow => ({
  createRequest: createAuthorizationRequest,
  readResponse: readAuthorizationResponse,
  step: 'token',
  getTokenResponse(client, metadata, request: CodeRequest, parameters, proof) {
    const { redirectUri, codeVerifier, tokenParameters } = request;
    return oauth.authorizationCodeGrantRequest(
      metadata,
      client.oauthClient(),
      client.authentication,
      parameters,
      redirectUri,
      codeVerifier,
      { ...client.atOnceOptions, ...proof, additionalParameters: tokenParameters },
    );
  },
  identify,
});

/** The authorization code flow with an ID token (OpenID Connect Core 3.1). */
export const codeFlow = createCodeFlow(byIdToken);
