// Builds the authorization request, with the scopes and APIs that it names, and validates the authorization response.

import * as oauth from 'oauth4webapi';
import { detail } from '../session/detail.ts';
import { isPassing, ProblemError, type ProblemCode } from '../session/problem.ts';
import { isOfTenant } from '../config/issuer.ts';
import type { Provider, Api } from '../config/provider.ts';
import type { ProviderClient } from './http.ts';
import type { StepUp } from './challenge.ts';
import { readStandardAnswer } from './answer.ts';
import { isPushed, type Metadata } from './discover.ts';
import { isTemplate } from './id-token.ts';
import { toThumbprint } from './resource.ts';
import { createSecret } from './jwt.ts';
import { readRedirect, rejectRedirect, type Place } from './redirect.ts';
import {
  isInteractionRequired,
  isLoginRequired,
  toErrorCode,
  toProblemError,
  toStandardCode,
} from './problems.ts';

/** The request of one sign-in attempt, with its secrets. It lives in a closure and is never stored. */
export interface AuthorizationRequest {
  readonly url: string;
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  /** The requirements for the ID token. */
  readonly expected: StepUp;
  /** The token request's parameters that say what the token is for. */
  readonly tokenParameters?: Readonly<Record<string, string>>;
}

/** A request for a code, with what redeems it. */
export interface CodeRequest extends AuthorizationRequest {
  readonly codeVerifier: string;
  readonly tokenParameters: Readonly<Record<string, string>>;
}

export interface AuthorizationOptions {
  /**
   * `none`: silently. `select_account`: for another account, with the provider's own `prompt` for that. Missing: with
   * the configured `prompt`, if there is one.
   */
  readonly prompt?: 'none' | 'select_account' | undefined;
  readonly loginHint?: string | undefined;
  /** An ID token of the user, which may have expired: it tells the provider who is meant when it may not ask. */
  readonly idTokenHint?: string | undefined;
  /** Requested in addition to the configured scopes; names separated by spaces. */
  readonly additional?: AdditionalScopes | undefined;
  /** The authentication that an API requires (RFC 9470), in addition to the configured one. */
  readonly stepUp?: StepUp | undefined;
}

/** A longer ID token stays out of the URL, which a browser or a server could refuse. */
const maxHintLength = 2_000;

/**
 * Creates an authorization request: code flow (OpenID Connect Core 3.1.2.1) with a fresh verifier for PKCE S256 (RFC 7636), whatever the
 * provider advertises. With a DPoP key, the code is bound to it (RFC 9449 section 10). Throws as {@link createRequest} does.
 */
export async function createAuthorizationRequest(
  client: ProviderClient,
  metadata: Metadata,
  redirectUri: string,
  options: AuthorizationOptions = {},
  dpopKey: CryptoKeyPair | null = null,
): Promise<CodeRequest> {
  const { provider, world } = client;
  const codeVerifier = createSecret(world);
  const request = await createRequest(client, metadata, redirectUri, options, {
    resource: toWholeResource(provider),
    audience: provider.audience,
    response_type: 'code',
    code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    dpop_jkt: dpopKey === null ? null : await toThumbprint(dpopKey),
  });
  return { ...request, codeVerifier, tokenParameters: toOwnParameters(provider, options.additional ?? {}) };
}

/**
 * Creates an authorization request with a fresh state and nonce, and with the parameters of its flow. A provider with a user API is sent
 * no nonce and no `prompt=none`, which belong to OpenID Connect. If the configuration or the provider asks for it, the parameters are
 * pushed first (RFC 9126) and the URL only refers to them. Throws {@link ProblemError} if that fails and a plain request isn't possible.
 */
export async function createRequest(
  client: ProviderClient,
  metadata: Metadata,
  redirectUri: string,
  options: AuthorizationOptions,
  flowParameters: Parameters<typeof toParameters>[0],
): Promise<AuthorizationRequest> {
  const { provider, world } = client;
  const [state, nonce] = [createSecret(world), createSecret(world)];
  const expected = toStepUp(provider, options.stepUp);
  const parameters = toParameters({
    ...provider.authorizationParameters,
    max_age: expected.maxAgeSeconds,
    ...(expected.acrValues !== null && { acr_values: expected.acrValues }),
    prompt: toPrompt(provider, options.prompt),
    login_hint: options.loginHint,
    id_token_hint: options.idTokenHint,
    client_id: provider.clientId,
    redirect_uri: redirectUri,
    scope: toWholeScope(provider, options.additional ?? {}) || null,
    state,
    // Only an ID token repeats it.
    nonce: provider.userApi === null ? nonce : null,
    ...flowParameters,
  });
  const url = new URL(metadata.authorization_endpoint);
  const urlParameters = await pushParameters(client, metadata, parameters);
  for (const name of urlParameters.keys()) url.searchParams.delete(name);
  for (const [name, value] of urlParameters) {
    if (name !== 'id_token_hint' || value.length <= maxHintLength) url.searchParams.append(name, value);
  }
  return { url: url.href, redirectUri, state, nonce, expected };
}

/**
 * The step-up that meets both the configuration and an API: the contexts that both name, and the lower one of two ages. Contexts have no
 * known order, so an API that names none of the configured ones could lower the bar. That throws {@link ProblemError} `not-permitted`.
 */
function toStepUp(configured: StepUp, wanted: StepUp | undefined): StepUp {
  const ages = [configured.maxAgeSeconds, wanted?.maxAgeSeconds ?? null].filter((age) => age !== null);
  const [mine, theirs] = [configured.acrValues, wanted?.acrValues ?? null];
  const common = toNames(theirs ?? '').filter((value) => toNames(mine ?? '').includes(value));
  if (mine !== null && theirs !== null && common.length === 0) {
    const reason = detail`step-up: the API accepts none of the authentication contexts in "acrValues"`;
    throw new ProblemError('not-permitted', reason);
  }
  return {
    acrValues: common.length > 0 ? common.join(' ') : (theirs ?? mine),
    maxAgeSeconds: ages.length === 0 ? null : Math.min(...ages),
  };
}

function toPrompt(
  { signInPrompt, otherAccountPrompt, userApi }: Provider,
  wanted: AuthorizationOptions['prompt'],
): string | null {
  if (wanted === undefined) return signInPrompt;
  if (wanted === 'none') return userApi === null ? 'none' : null;
  // A provider that requires a prompt at the sign-in, such as for a refresh token, also requires it for a different account.
  const names = ['select_account', ...(signInPrompt?.split(' ') ?? [])];
  return otherAccountPrompt ?? [...new Set(names)].join(' ');
}

/** Pushes the parameters if required (RFC 9126). Returns those for the URL: the same ones, or the reference to them. */
async function pushParameters(
  client: ProviderClient,
  metadata: Metadata,
  parameters: URLSearchParams,
): Promise<URLSearchParams> {
  const { provider, oauthClient, authentication, options } = client;
  if (!isPushed(provider, metadata)) return parameters;
  if (metadata.pushed_authorization_request_endpoint === undefined) {
    const reason = detail`pushed request: the provider names no endpoint for it`;
    throw new ProblemError('provider-misconfigured', reason);
  }
  try {
    const response = await oauth.pushedAuthorizationRequest(
      metadata,
      oauthClient,
      authentication,
      parameters,
      options,
    );
    const { request_uri } = await readStandardAnswer(response, ['request_uri']);
    const redirectUri = parameters.get('redirect_uri');
    return toParameters({
      client_id: provider.clientId,
      request_uri,
      // Firefox waits for the redirect URI in the URL. Without one it would wait for its own, and not for the loopback one. The
      // provider uses the pushed one (RFC 9101 section 6.3).
      redirect_uri: redirectUri?.startsWith('http:') === true ? redirectUri : null,
    });
  } catch (thrown) {
    const error = toProblemError(client, detail`pushed request`, thrown);
    // PKCE, state and nonce protect a plain request too, so a failure of this endpoint alone doesn't stop the sign-in.
    const isRequired = metadata.require_pushed_authorization_requests === true;
    if (isRequired || error.code === 'offline') throw error;
    return parameters;
  }
}

// Reads the response.

/**
 * Validates the URL at which the sign-in window ended, and returns its parameters for the token request. Checks, in this order: the
 * redirect URI; a code or an error is present and no token (RFC 9700 section 2.1.2); the issuer (RFC 9207 section 2.4); the state.
 *
 * Throws {@link ProblemError}: `response-rejected` if a check fails, or the code for the provider's refusal: `denied`,
 * `cancelled`, `timed-out`, `provider-misconfigured`, `provider-unreachable`.
 */
export function readAuthorizationResponse(
  client: ProviderClient,
  metadata: Metadata,
  request: AuthorizationRequest,
  responseUrl: string,
): Promise<URLSearchParams> {
  return readRedirectAnswer(client, metadata, request, responseUrl, 'query', (parameters, expected) => {
    if (parameters.has('access_token')) throw rejectRedirect(detail`a token in the URL`);
    if (!parameters.has('code') && !parameters.has('error'))
      throw rejectRedirect(detail`neither code nor error`);
    return oauth.validateAuthResponse(expected, client.oauthClient, parameters, request.state);
  });
}

/**
 * Reads the response in `place` with `validate`, which gets the metadata with the expected issuer, and throws what oauth4webapi
 * throws. Throws {@link ProblemError} as {@link readAuthorizationResponse} does.
 */
export async function readRedirectAnswer(
  client: ProviderClient,
  metadata: Metadata,
  { redirectUri, state }: AuthorizationRequest,
  responseUrl: string,
  place: Place,
  validate: (parameters: URLSearchParams, expected: Metadata) => URLSearchParams,
): Promise<URLSearchParams> {
  try {
    const parameters = readRedirect(redirectUri, responseUrl, place);
    const expected = toExpected(metadata, parameters.get('iss'));
    try {
      return validate(parameters, expected);
    } catch (error) {
      if (isRefusal(error) || !isUnproven(parameters, { state, iss: expected.issuer })) throw error;
      throw new ProblemError('response-rejected', detail`redirect: no state or iss`, { cause: unproven });
    }
  } catch (error) {
    const problem = toProblemError(client, detail`sign-in`, error);
    throw isRefusal(error)
      ? new ProblemError(toRefusalCode(error), problem.detail, { cause: error })
      : problem;
  }
}

/**
 * The metadata for the check of a response. If they name a template, its `iss` (RFC 9207) is the issuer of a tenant, and the caller must
 * compare it with the ID token's. Throws `response-rejected`.
 */
function toExpected(metadata: Metadata, issuer: string | null): Metadata {
  if (issuer === null || !isTemplate(metadata.issuer)) return metadata;
  if (!isOfTenant(metadata.issuer, issuer)) throw rejectRedirect(detail`the issuer of no tenant [iss]`);
  return { ...metadata, issuer };
}

/** Whether it is a refusal whose issuer and state are in order. */
function isRefusal(error: unknown): error is oauth.AuthorizationResponseError {
  return error instanceof oauth.AuthorizationResponseError;
}

/**
 * For users who cancel, LinkedIn and Apple have codes of their own; Azure AD B2C and Entra add words or a second code to the
 * standard one.
 */
const cancelled = /cancel|AADB2C90091|AADSTS65004/i;

/** Its state and issuer are in order, so whatever it says, the provider refuses. */
function toRefusalCode({
  error,
  error_description: words,
  cause,
}: oauth.AuthorizationResponseError): ProblemCode {
  // Keycloak adds this to `temporarily_unavailable` if its page was open for too long. Others use it for a pushed request that has
  // expired.
  if (words === 'authentication_expired' || error === 'invalid_request_uri') return 'timed-out';
  const code = toErrorCode(toStandardCode(error));
  if (code !== 'denied' && code !== 'response-rejected') return code;
  return cancelled.test(`${error} ${words} ${cause.get('error_subcode')}`) ? 'cancelled' : 'denied';
}

/** The code of the provider's refusal behind an error; null if it's another error. */
function findRefusal(error: unknown): ProblemCode | null {
  return error instanceof ProblemError && isRefusal(error.cause) ? error.code : null;
}

/**
 * Whether the provider has refused a request that shows its page, for a reason that the same request needn't have again: the page
 * was open for too long, or the provider asks to show it.
 */
export function mayReopen(error: unknown): boolean {
  const code = findRefusal(error);
  return code === 'timed-out' || (code === 'denied' && isInteractionRequired(error));
}

/** The cause of the problem with a response that doesn't prove that it's the provider's. */
const unproven = 'unproven';

/**
 * Whether a response asks the user to interact, but lacks the state or the issuer that would prove whose it is. It says nothing
 * about a session that works. A session with no other way to a token ends, because it would fail forever.
 */
export function isUnprovenRefusal(error: unknown): boolean {
  return error instanceof ProblemError && error.cause === unproven;
}

function isUnproven(parameters: URLSearchParams, proofs: Readonly<Record<string, string>>): boolean {
  return (
    isInteractionRequired(new oauth.AuthorizationResponseError('', { cause: parameters })) &&
    Object.entries(proofs).every(([name, value]) => [null, value].includes(parameters.get(name)))
  );
}

/**
 * Asks silently, and once more without the ID token as a hint if the provider refuses. Some refuse every such hint, OneLogin with
 * `login_required`, as if the user weren't signed in there. `interaction_required` and the like are about a user who is.
 */
export async function askSilently<T>(
  { idTokenHint, ...others }: AuthorizationOptions,
  ask: (options: AuthorizationOptions) => Promise<T>,
): Promise<T> {
  if (idTokenHint === undefined) return ask(others);
  try {
    return await ask({ idTokenHint, ...others });
  } catch (error) {
    const code = findRefusal(error);
    if (code === null || isPassing(code) || (isInteractionRequired(error) && !isLoginRequired(error)))
      throw error;
    return ask(others);
  }
}

// The scopes, resources and audiences that requests name. A sign-in asks the user for everything; each token request names the
// one API that its token is for.

/** Scopes requested beyond the configured ones. */
export interface AdditionalScopes {
  /** For the token of the sign-in. */
  readonly own?: string | undefined;
  /** For the tokens of APIs. */
  readonly ofApis?: string | undefined;
}

/** The scope that a sign-in asks the user for: that of its own token, and those of all APIs. May be empty. */
export function toWholeScope(provider: Provider, { own = '', ofApis = '' }: AdditionalScopes): string {
  return joinScopes(provider.scope, own, ...provider.apis.map(({ scope }) => scope ?? ''), ofApis);
}

/** The APIs that a sign-in names, so that a token for each may be requested later (RFC 8707 section 2.1). */
export function toWholeResource({ resource, apis }: Provider): readonly string[] {
  const all = [resource, ...apis.map((api) => api.resource)];
  return [...new Set(all.filter((one) => one !== null))];
}

/**
 * The parameters of a request for the token of the sign-in (RFC 8707 section 2.2). Its scope is named only if the user was
 * asked for more, and only as far as it was granted, because a renewal may name nothing else (RFC 6749 section 6): oidc-provider
 * responds with `invalid_scope` to an `offline_access` that it hasn't granted.
 */
export function toOwnParameters(
  { scope, resource, apis }: Provider,
  { own = '' }: AdditionalScopes,
  grantedScope: string | null = null,
): Record<string, string> {
  const isNarrower = apis.some((api) => api.scope !== null);
  const names = toNames(joinScopes(scope, own)).filter((name) => isGranted(name, grantedScope));
  const named = isNarrower && names.length > 0 ? names.join(' ') : null;
  return Object.fromEntries(toParameters({ resource, scope: named }));
}

/** The parameters of a request for the token of an API: its scope, `resource` (RFC 8707 section 2.2) and `audience`. */
export function toApiParameters(
  { scope, resource, audience }: Api,
  additionalScope: string,
): Record<string, string> {
  const requested = joinScopes(scope ?? '', additionalScope);
  const named = scope === null && requested === '' ? null : requested;
  return Object.fromEntries(toParameters({ scope: named, resource, audience }));
}

/** A key for what an API's token is for. Tokens for different things have different keys. */
export function toApiKey({ scope, resource, audience }: Api): string {
  return JSON.stringify([scope, resource, audience]);
}

/** The parameters of a request. A list gives a parameter several times. Leaves out those without a value. */
export function toParameters(
  values: Readonly<Record<string, string | number | readonly string[] | null | undefined>>,
): URLSearchParams {
  return new URLSearchParams(
    Object.entries(values).flatMap(([name, value]) => [value ?? []].flat().map((one) => [name, String(one)])),
  );
}

/**
 * Whether a token has a scope of an API in `apis`, or of the sign-in's APIs, that its request left out. Only the response shows it
 * (RFC 6749 section 5.1): a request that redeems a code has no `scope` (section 4.1.3), and Keycloak ignores it there.
 */
export function isWider(
  { scope: own, apis }: Pick<Provider, 'scope' | 'apis'>,
  requested: string | undefined,
  granted: string | null,
): boolean {
  if (requested === undefined || granted === null) return false;
  const isLeftOver = (name: string) => isGranted(name, granted) && !isGranted(name, requested);
  // The others of OpenID Connect are about the user and the session. Only the provider's own APIs use them.
  const ofSignIn = toNames(own).filter((name) => !/^(?:openid|profile|email|offline_access)$/.test(name));
  return [...ofSignIn, ...apis.flatMap(({ scope }) => toNames(scope ?? ''))].some(isLeftOver);
}

/** Joins scopes, without duplicates. */
export function joinScopes(...scopes: readonly string[]): string {
  return [...new Set(toNames(scopes.join(' ')))].join(' ');
}

/**
 * Whether all of the scope `requested` is in `granted`. A provider that returns no scope has granted all (RFC 6749
 * section 5.1). Some return the full name of a scope requested by its last segment: `https://api.example/notes.read`.
 */
export function isGranted(requested: string, granted: string | null): boolean {
  if (granted === null) return true;
  const names = toNames(granted.toLowerCase());
  return toNames(requested.toLowerCase()).every((name) =>
    names.some((full) => full === name || full.endsWith(`/${name}`)),
  );
}

/** The names in a scope, or the values of `acr_values`, whatever space stands between them. */
export function toNames(scope: string): string[] {
  return scope.split(/\s+/).filter(Boolean);
}
