// The sign-in through a window: the flow that differs between providers, the token request that completes it, and the checks of
// its answer.

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
import type { ProviderClient } from './http.ts';
import {
  checkAge,
  checkIdToken,
  findExclusion,
  toOriginalClaims,
  verifySignature,
  type KeySource,
  type OriginalClaims,
} from './id-token.ts';
import { rejectClaim, toProblemError } from './problems.ts';
import { type Members, parseObject, readClaims } from './redirect.ts';
import { checkExpected, checkTimes, type Expected, readIdToken } from './claims.ts';
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
    client: ProviderClient,
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

/** The verified result of a sign-in. */
export interface Obtained {
  readonly tokens: TokenSet;
  /** The key that the tokens are bound to; null if they are not bound. */
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
 * Validates the URL at which the sign-in window ended, and returns the verified tokens. `request` is one that
 * `createRequest` of this flow has created. With a DPoP key, requests tokens bound to it. If a check fails, no token is
 * returned, and the caller must revoke the token that {@link findDroppedToken} finds in the error.
 *
 * Throws {@link ProblemError}: `not-permitted` if the configuration does not allow this user, `clock-wrong`
 * if a check fails because of this device's clock, `response-rejected` for any other failed check, and what
 * an exchange throws.
 */
export async function completeSignIn(
  flow: Flow,
  client: ProviderClient,
  metadata: Metadata,
  keys: KeySource,
  request: AuthorizationRequest,
  responseUrl: string,
  dpopKey: CryptoKeyPair | null,
): Promise<Obtained> {
  const { acrValues, maxAgeSeconds } = request.expected;
  const parameters = await flow.readResponse(client, metadata, request, responseUrl);
  const step = safe(flow.step);
  const expected = { nonce: request.nonce, maxAgeSeconds, acrValues };
  const { answer, copy } = await requestTokens(client, {
    step,
    dpopKey,
    send: (proof) => flow.getTokenResponse(client, metadata, request, parameters, proof),
  });
  try {
    const obtained = await flow.identify({ client, metadata, keys, expected, dpopKey }, answer);
    // The ID token and the redirect name the same issuer (RFC 9207 section 2.4), which matters if there are several.
    if (![null, '', obtained.issuer].includes(parameters.get('iss')))
      throw rejectClaim('iss', obtained.claims, detail`another issuer than that of the redirect`);
    return narrowFirst(client, request.tokenParameters, obtained);
  } catch (error) {
    throw await toRejection(client, step, error, copy);
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

interface TokenRequest {
  /** Names the request in a problem. */
  readonly step: Detail;
  /** The key to bind the tokens to; null for none. */
  readonly dpopKey: CryptoKeyPair | null;
  /** What has to be revoked of an answer that is not used: by default the refresh token, and with plain OAuth 2 any token. */
  readonly drops?: DroppedKind;
  send(proof: oauth.DPoPRequestOptions): Promise<Response>;
}

interface Received {
  /** Its ID token was not read. */
  readonly answer: oauth.TokenEndpointResponse;
  /** The response, unread, for {@link toRejection}. */
  readonly copy: Response;
}

/**
 * Sends a request for tokens, with a proof if there is a key, and returns the answer with a usable token. The caller checks whose
 * it is, and if that fails throws {@link toRejection}. Throws {@link ProblemError}, with the token of the answer, too.
 */
export async function requestTokens(
  client: ProviderClient,
  { step, dpopKey, drops, send }: TokenRequest,
): Promise<Received> {
  let copy = null as Response | null;
  try {
    return await withProof(client, dpopKey, async (proof) => {
      const response = await send(proof);
      copy = response.clone();
      const answer = await readTokenAnswer(response);
      expectUsableToken(client, answer, dpopKey);
      return { answer, copy };
    });
  } catch (error) {
    throw await toRejection(client, step, error, copy, drops);
  }
}

/** Reads a standard answer. Its ID token is checked later. */
async function readTokenAnswer(response: Response): Promise<oauth.TokenEndpointResponse> {
  const answer = await readStandardAnswer(response, ['access_token', 'token_type']);
  return { ...answer, token_type: answer.token_type.toLowerCase() as Lowercase<string> };
}

/**
 * Checks the access token of a token response. Throws {@link ProblemError} `response-rejected` for a DPoP token without a key,
 * for a Bearer token where DPoP is required (section 5), and for one that no header can hold (RFC 6749 appendix A.12).
 */
function expectUsableToken(
  { provider }: ProviderClient,
  { token_type, access_token }: oauth.TokenEndpointResponse,
  dpopKey: CryptoKeyPair | null,
): void {
  const isBearer = token_type === 'bearer' && provider.dpop !== 'required';
  if (!isBearer && (token_type !== 'dpop' || dpopKey === null)) {
    throw new ProblemError('response-rejected', detail`token: its token_type was not asked for`);
  }
  if (!/^[\x20-\x7e]+$/.test(access_token)) {
    throw new ProblemError('response-rejected', detail`token: not printable ASCII`);
  }
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
 * {@link ProblemError} if a check fails, or the configuration does not allow this user.
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
  checkAge(client, claims);
  await verifySignature(metadata, keys, claims, idToken.text);
  const tokens = toTokenSet(answer, world.nowMs());
  if (acrValues !== null && !acrValues.split(' ').some((value) => value === claims['acr']))
    throw rejectClaim('acr', claims, detail`none of the authentication contexts asked for`);
  const exclusion = findExclusion(provider, claims);
  if (exclusion !== null) throw exclusion;
  return {
    tokens,
    dpopKey,
    claims,
    issuer: claims.iss,
    originalClaims: toOriginalClaims(claims),
    profile: toProfile(provider, claims, tokens),
    grantedScope: answer.scope ?? null,
  };
}

// No token is forgotten: one that was received and isn't used belongs to no session, but it works, so the caller must revoke it.

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

/** Converts the error of a token request, or of a check of its answer, whose token {@link findDroppedToken} then finds. */
export async function toRejection(
  client: ProviderClient,
  step: Detail,
  error: unknown,
  copy: Response | null,
  drops: DroppedKind = client.provider.userApi === null ? 'refresh-token' : 'any-token',
): Promise<ProblemError> {
  const problem = toProblemError(client, step, error);
  const dropped = copy && (await readDroppedToken(copy, drops));
  if (dropped !== null) droppedTokens.set(problem, dropped);
  return problem;
}

/** The token of a token response that has to be revoked; null if it brought none. */
export async function readDroppedToken(
  response: Response,
  kind: DroppedKind = 'refresh-token',
): Promise<DroppedToken | null> {
  return toDroppedToken(parseObject(await response.text()) ?? {}, kind);
}

/** The same for the members of a token response. */
export function toDroppedToken(
  { refresh_token, access_token, id_token: idToken }: Members,
  kind: DroppedKind = 'refresh-token',
): DroppedToken | null {
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
