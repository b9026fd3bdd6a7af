// Ends a session at the provider: revokes the refresh token in the background, and signs the person out in a
// window.

import * as oauth from 'oauth4webapi';
import type { ProviderClient } from './provider-client.ts';
import type { Metadata } from './discover.ts';
import { createSecret, readRedirect } from './redirect.ts';
import { toProblemErrors } from './rejection.ts';

/**
 * Revokes a refresh token (RFC 7009) that was issued to the client `clientId`: another one than now, if the
 * configuration has changed since. Does nothing if the provider has no revocation endpoint; a token unknown to the
 * provider counts as revoked (section 2.2). Throws {@link ProblemError}.
 */
export async function revokeToken(
  { provider, oauthClient, options }: ProviderClient,
  metadata: Metadata,
  token: string,
  clientId: string = provider.clientId,
): Promise<void> {
  if (metadata.revocation_endpoint === undefined) return;
  await toProblemErrors('revocation', async () => {
    const issuedTo = { ...oauthClient(), client_id: clientId };
    const response = await oauth.revocationRequest(metadata, issuedTo, oauth.None(), token, {
      ...options,
      additionalParameters: { token_type_hint: 'refresh_token' },
    });
    await oauth.processRevocationResponse(response);
  });
}

/** A request to end the session at the provider. Its response repeats `state`. */
export interface EndSessionRequest {
  readonly url: string;
  readonly state: string;
}

/**
 * `idToken` identifies the session to end, if there is one; `redirectUri` is where the provider's page
 * returns to.
 */
export interface EndSessionOptions {
  readonly idToken: string | null;
  readonly redirectUri: string;
}

/**
 * Creates a request to end the person's session at the provider in a window (RP-Initiated Logout 1.0 section
 * 2). Returns null if the provider does not support that.
 */
export function createEndSessionRequest(
  { provider, world }: ProviderClient,
  metadata: Metadata,
  { idToken, redirectUri }: EndSessionOptions,
): EndSessionRequest | null {
  if (metadata.end_session_endpoint === undefined) return null;
  const state = createSecret(world);
  const url = new URL(metadata.end_session_endpoint);
  if (idToken !== null) url.searchParams.set('id_token_hint', idToken);
  url.searchParams.set('client_id', provider.clientId);
  url.searchParams.set('post_logout_redirect_uri', redirectUri);
  url.searchParams.set('state', state);
  return { url: url.href, state };
}

/**
 * Checks whether the final URL of the window confirms this very request (section 3). Any other redirect, for
 * example one without our state, confirms nothing. Nothing depends on the result, because this device was
 * signed out first (section 4).
 */
export function readEndSessionResponse(
  { state }: EndSessionRequest,
  redirectUri: string,
  responseUrl: string,
): 'confirmed' | 'unconfirmed' {
  try {
    return readRedirect(redirectUri, responseUrl).get('state') === state ? 'confirmed' : 'unconfirmed';
  } catch {
    // Not our redirect URI.
    return 'unconfirmed';
  }
}
