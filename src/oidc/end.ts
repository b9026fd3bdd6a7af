// What the provider is told when a session ends: in the background, that a token is not used any more, and in a
// window, that the person wants to be signed out there too.

import * as oauth from 'oauth4webapi';
import type { ProviderClient } from './provider-client.ts';
import type { Metadata } from './discover.ts';
import { createSecret, readRedirect } from './redirect.ts';
import { toProblemErrors } from './rejection.ts';

/**
 * Revokes a refresh token (RFC 7009). A provider without a revocation endpoint has nothing to be told, and a
 * token that it no longer knows counts as revoked (section 2.2). Throws {@link ProblemError}.
 */
export async function revokeToken(client: ProviderClient, metadata: Metadata, token: string): Promise<void> {
  if (metadata.revocation_endpoint === undefined) return;
  await toProblemErrors('revocation', async () => {
    const response = await oauth.revocationRequest(metadata, client.oauthClient(), oauth.None(), token, {
      ...client.options,
      additionalParameters: { token_type_hint: 'refresh_token' },
    });
    await oauth.processRevocationResponse(response);
  });
}

/** Revokes the refresh token of an answer that is not used at all. Nobody waits for it. */
export function abandonToken(client: ProviderClient, metadata: Metadata, token: string | null): void {
  if (token === null) return;
  // The answer was never kept, so a token that could not be revoked is known to nobody and ends by itself.
  revokeToken(client, metadata, token).catch(() => undefined);
}

export interface EndSessionRequest {
  readonly url: string;
  readonly state: string;
}

/** Of whom the session at the provider is, by an ID token if there is one, and where its page returns to. */
export interface EndSessionWishes {
  readonly idToken: string | null;
  readonly redirectUri: string;
}

/**
 * A request to end the person's session at the provider (RP-Initiated Logout 1.0 section 2), for a window. Null
 * when the provider does not offer that.
 */
export function createEndSessionRequest(
  { provider, world }: ProviderClient,
  metadata: Metadata,
  { idToken, redirectUri }: EndSessionWishes,
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
 * Whether the URL that the window ended with is the provider's word that it has answered this very request
 * (section 3). Anything else, a redirect without our state included, confirms nothing; and nothing here depends
 * on it, because this device was signed out first (section 4).
 */
export function readEndSessionResponse(
  { state }: EndSessionRequest,
  redirectUri: string,
  responseUrl: string,
): 'confirmed' | 'unconfirmed' {
  try {
    return readRedirect(redirectUri, responseUrl).get('state') === state ? 'confirmed' : 'unconfirmed';
  } catch {
    // Not a redirect of ours at all.
    return 'unconfirmed';
  }
}
