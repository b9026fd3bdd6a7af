// The authorization request and its response: what the sign-in window is opened with, and the judgement of the
// URL that it comes back with.

import * as oauth from 'oauth4webapi';
import { ProblemError } from '../session/problem.ts';
import type { Connection } from './connection.ts';
import type { Metadata } from './discover.ts';
import { rejecting } from './rejection.ts';

/** One attempt's request with its secrets. It lives in a closure and is never stored. */
export interface AuthorizationRequest {
  readonly url: string;
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

export interface AuthorizationWishes {
  readonly prompt?: 'select_account' | undefined;
  readonly loginHint?: string | undefined;
}

/**
 * A new authorization request: code flow (OpenID Connect Core 3.1.2.1) with PKCE S256 (RFC 7636), and with
 * state and nonce whether or not the provider is known to support PKCE. Verifier, state and nonce are fresh
 * for each request.
 */
export async function createAuthorizationRequest(
  { provider, world }: Connection,
  metadata: Metadata,
  redirectUri: string,
  wishes: AuthorizationWishes = {},
): Promise<AuthorizationRequest> {
  const random = () => toBase64Url(world.randomBytes(32));
  const [state, nonce, codeVerifier] = [random(), random(), random()];
  const url = new URL(metadata.authorization_endpoint);
  const parameters: Record<string, string> = {
    ...provider.authorizationParameters,
    ...(provider.resource === null ? {} : { resource: provider.resource }),
    ...(provider.audience === null ? {} : { audience: provider.audience }),
    ...(wishes.prompt === undefined ? {} : { prompt: wishes.prompt }),
    ...(wishes.loginHint === undefined ? {} : { login_hint: wishes.loginHint }),
    client_id: provider.clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: provider.scope,
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { url: url.href, redirectUri, state, nonce, codeVerifier };
}

/**
 * Reads the URL that the sign-in window ended with, and returns its parameters for the redemption of the code.
 * The browsers match only its host or its beginning, so all of it is judged here: origin and path, no fragment
 * and nothing beside them, no parameter twice (RFC 6749 section 3.1), no token (RFC 9700 section 2.1.2), the
 * issuer (RFC 9207 section 2.4), the state, and only then an error of the provider's.
 *
 * Throws {@link ProblemError}: `response-rejected`, or what the provider's error means: `denied`,
 * `provider-misconfigured`, `provider-unreachable`.
 */
export function readAuthorizationResponse(
  { client }: Connection,
  metadata: Metadata,
  request: AuthorizationRequest,
  responseUrl: string,
): Promise<URLSearchParams> {
  return rejecting('sign-in', () => {
    const parameters = readRedirect(request.redirectUri, responseUrl);
    return oauth.validateAuthResponse(metadata, client(), parameters, request.state);
  });
}

function readRedirect(redirectUri: string, responseUrl: string): URLSearchParams {
  const reject = (reason: string) => new ProblemError('response-rejected', `redirect: ${reason}`);
  if (!URL.canParse(responseUrl)) throw reject('not a URL');
  const url = new URL(responseUrl);
  // A text comparison up to the query leaves no room for a port, for credentials, or for another spelling.
  if (responseUrl.split(/[?#]/, 1)[0] !== redirectUri) throw reject('not the redirect URI of this provider');
  if (responseUrl.includes('#')) throw reject('a fragment');
  const names = [...url.searchParams.keys()];
  if (new Set(names).size !== names.length) throw reject('a parameter is repeated');
  if (names.includes('access_token')) throw reject('a token in the URL');
  if (!names.includes('code') && !names.includes('error')) throw reject('neither code nor error');
  return url.searchParams;
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (character) => base64Url[character] ?? '');
}

const base64Url: Readonly<Record<string, string>> = { '+': '-', '/': '_', '=': '' };
