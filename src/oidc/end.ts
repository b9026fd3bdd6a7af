// Ends a session at the provider: revokes its token in the background, and signs the user out in a window.

import * as oauth from 'oauth4webapi';
import { expectSuccess } from './answer.ts';
import type { ProviderClient } from './http.ts';
import type { Metadata } from './discover.ts';
import { createSecret, readClaims } from './jwt.ts';
import { readRedirect } from './redirect.ts';
import { detail } from '../session/detail.ts';
import { toProblemError } from './problems.ts';

/**
 * Revokes a token of the kind `hint` (RFC 7009); with plain OAuth 2 the kind may be wrong. It was issued to the client
 * `clientId`, which differs from the present one if the configuration has changed since. Without a known revocation endpoint it
 * sends nothing: `unsupported`. A token unknown to the provider counts as revoked (section 2.2). Throws {@link ProblemError}.
 */
export async function revokeToken(
  client: ProviderClient,
  metadata: Metadata,
  token: string,
  clientId: string = client.provider.clientId,
  hint: 'refresh_token' | 'access_token' = 'refresh_token',
): Promise<'revoked' | 'unsupported'> {
  if (metadata.revocation_endpoint === undefined) return 'unsupported';
  const { provider, authentication, options } = client;
  try {
    const response = await oauth.revocationRequest(metadata, { client_id: clientId }, authentication, token, {
      ...options,
      // Without a hint the provider looks among all tokens.
      ...(provider.userApi === null && { additionalParameters: { token_type_hint: hint } }),
    });
    await expectSuccess(response);
    return 'revoked';
  } catch (error) {
    throw toProblemError(client, detail`revocation`, error);
  }
}

/** A request to end the session at the provider. */
export interface EndSessionRequest {
  readonly url: string;
  /** Unique to this request. */
  readonly state: string;
  /** The parameter of the response that repeats `state`; null if the request doesn't contain it. */
  readonly stateParameter: string | null;
}

/** A longer `logout_hint` isn't one. */
const maxHintLength = 500;
/** Servers and browsers refuse longer addresses: nginx and Tomcat by default from 8 kB on. */
const maxUrlLength = 7_900;
/** Entra refuses longer queries (AADSTS90015). It needs no ID token, and neither does one that has another hint. */
const maxSafeLength = 2_000;

/**
 * Creates a request to end the user's session at the provider in a window (RP-Initiated Logout 1.0 section 2), with the configured
 * parameters. `idToken` identifies that session; one that would make the address too long is replaced by the client ID. Its claim
 * `login_hint`, which Microsoft Entra issues for that, is sent as `logout_hint`. Returns null if the provider doesn't support that.
 */
export function createEndSessionRequest(
  { provider, world }: ProviderClient,
  metadata: Metadata,
  { idToken, redirectUri }: { readonly idToken: string | null; readonly redirectUri: string },
): EndSessionRequest | null {
  if (metadata.end_session_endpoint === undefined) return null;
  const state = createSecret(world);
  const url = new URL(metadata.end_session_endpoint);
  const names = provider.logoutParameters;
  const set = (name: string | null, value: string | null) => {
    if (name !== null && value !== null) url.searchParams.set(name, value);
  };
  set(names.idToken, idToken);
  set(names.clientId, provider.clientId);
  set(names.redirectUri, redirectUri);
  set(names.state, state);
  if (names.idToken !== null && idToken !== null) {
    // "tid" is a tenant of Entra.
    const { login_hint: hint, tid } = readClaims(idToken) ?? {};
    const isHinted = typeof hint === 'string' && hint.length <= maxHintLength;
    if (isHinted) set('logout_hint', hint);
    if (url.href.length > (isHinted || tid !== undefined ? maxSafeLength : maxUrlLength)) {
      url.searchParams.delete(names.idToken);
      set(names.clientId ?? 'client_id', provider.clientId);
    }
  }
  return { url: url.href, state, stateParameter: names.state };
}

/**
 * Checks whether the final URL of the window confirms this very request (section 3): by its state, if one was sent. A redirect with an
 * error confirms nothing. Nothing depends on the result, because this device was signed out first (section 4).
 */
export function readEndSessionResponse(
  { state, stateParameter }: EndSessionRequest,
  redirectUri: string,
  responseUrl: string,
): 'confirmed' | 'unconfirmed' {
  try {
    const parameters = readRedirect(redirectUri, responseUrl);
    const states = stateParameter === null ? [state] : parameters.getAll(stateParameter);
    const isOurs = states.length === 1 && states[0] === state && !parameters.has('error');
    return isOurs ? 'confirmed' : 'unconfirmed';
  } catch {
    // Not our redirect URI.
    return 'unconfirmed';
  }
}
