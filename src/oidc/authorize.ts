// The authorization request and its response: what the sign-in window is opened with, and the judgement of the
// URL that it comes back with.

import * as oauth from 'oauth4webapi';
import { ProblemError, toProblem } from '../session/problem.ts';
import type { ProviderClient } from './provider-client.ts';
import type { Metadata } from './discover.ts';
import { toThumbprint } from './dpop.ts';
import { createSecret, readRedirect, rejectRedirect } from './redirect.ts';
import { toProblemErrors } from './rejection.ts';
import { joinScopes } from './scope.ts';

/** One attempt's request with its secrets. It lives in a closure and is never stored. */
export interface AuthorizationRequest {
  readonly url: string;
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

export interface AuthorizationOptions {
  readonly prompt?: 'none' | 'select_account' | undefined;
  readonly loginHint?: string | undefined;
  /** What is asked for beyond the configured scope. */
  readonly additionalScope?: string | undefined;
  /** An ID token of the person who is meant, for a request without a window. */
  readonly idTokenHint?: string | undefined;
}

/**
 * A new authorization request: code flow (OpenID Connect Core 3.1.2.1) with PKCE S256 (RFC 7636), and with
 * state and nonce whether or not the provider is known to support PKCE. Verifier, state and nonce are fresh
 * for each request. With a key, the code is bound to it (RFC 9449 section 10). Where the configuration or the
 * provider says so, the parameters are sent ahead (RFC 9126) and the URL only refers to them.
 *
 * Throws {@link ProblemError} when that fails and a plain request would not do.
 */
export async function createAuthorizationRequest(
  client: ProviderClient,
  metadata: Metadata,
  redirectUri: string,
  wishes: AuthorizationOptions = {},
  dpopKey: CryptoKeyPair | null = null,
): Promise<AuthorizationRequest> {
  const { provider, world } = client;
  const [state, nonce, codeVerifier] = [createSecret(world), createSecret(world), createSecret(world)];
  const parameters = withoutNull({
    ...provider.authorizationParameters,
    resource: provider.resource,
    audience: provider.audience,
    max_age: provider.maxAgeSeconds,
    ...(provider.acrValues !== null && { acr_values: provider.acrValues }),
    prompt: wishes.prompt,
    login_hint: wishes.loginHint,
    id_token_hint: wishes.idTokenHint,
    client_id: provider.clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: joinScopes(provider.scope, wishes.additionalScope ?? ''),
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    dpop_jkt: dpopKey === null ? null : await toThumbprint(dpopKey),
  });
  const url = new URL(metadata.authorization_endpoint);
  const sent = await pushParameters(client, metadata, parameters);
  for (const [name, value] of Object.entries(sent)) url.searchParams.set(name, value);
  return { url: url.href, redirectUri, state, nonce, codeVerifier };
}

/** Sends the parameters ahead, if they are to be. Returns what the URL then says: the parameters or their reference. */
async function pushParameters(
  client: ProviderClient,
  metadata: Metadata,
  parameters: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  const { clientId, par } = client.provider;
  const isRequired = metadata.require_pushed_authorization_requests === true;
  if (par === 'off' || (par === 'auto' && !isRequired)) return parameters;
  if (metadata.pushed_authorization_request_endpoint === undefined) {
    throw new ProblemError('provider-misconfigured', 'pushed request: the provider names no endpoint for it');
  }
  try {
    return await toProblemErrors('pushed request', async () => {
      const oauthClient = client.oauthClient();
      const response = await oauth.pushedAuthorizationRequest(
        metadata,
        oauthClient,
        oauth.None(),
        new URLSearchParams(parameters),
        client.options,
      );
      const { request_uri } = await oauth.processPushedAuthorizationResponse(metadata, oauthClient, response);
      return { client_id: clientId, request_uri };
    });
  } catch (error) {
    // PKCE, state and nonce protect a plain request too, so nobody is kept out while this one endpoint fails.
    if (isRequired || toProblem(error).code === 'offline') throw error;
    return parameters;
  }
}

/**
 * Reads the URL that the sign-in window ended with, and returns its parameters for the redemption of the code:
 * the redirect itself is judged, then that it has a code or an error and no token (RFC 9700 section 2.1.2), the
 * issuer (RFC 9207 section 2.4), the state, and only then an error of the provider's.
 *
 * Throws {@link ProblemError}: `response-rejected`, or what the provider's error means: `denied`,
 * `provider-misconfigured`, `provider-unreachable`.
 */
export function readAuthorizationResponse(
  { oauthClient }: ProviderClient,
  metadata: Metadata,
  request: AuthorizationRequest,
  responseUrl: string,
): Promise<URLSearchParams> {
  return toProblemErrors('sign-in', () => {
    const parameters = readRedirect(request.redirectUri, responseUrl);
    if (parameters.has('access_token')) throw rejectRedirect('a token in the URL');
    if (!parameters.has('code') && !parameters.has('error')) throw rejectRedirect('neither code nor error');
    return oauth.validateAuthResponse(metadata, oauthClient(), parameters, request.state);
  });
}

type Wish = string | number | null | undefined;

/** The parameters that have a value. */
function withoutNull(wishes: Readonly<Record<string, Wish>>): Record<string, string> {
  const wished = Object.entries(wishes).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(wished.map(([name, value]) => [name, String(value)]));
}
