// The clients that are registered at the demo provider.

export const clientId = 'latchkey-demo';
/** The client of a configuration with the `responseType` `id_token`. */
export const idTokenClientId = 'latchkey-demo-id-token';
/** A client that signs people in with a code, and in no other way (RFC 8628). */
export const deviceClientId = 'latchkey-demo-device';

/** A client with a secret. No extension can be one; a relay can. */
export interface ConfidentialClient {
  readonly secret: string;
  readonly authentication: 'client_secret_basic' | 'client_secret_post';
}

/** All clients. Those that sign in with a window share the redirect URIs. */
export function toClients(
  redirectUris: readonly string[],
  confidential: ConfidentialClient | undefined,
): readonly Readonly<Record<string, unknown>>[] {
  const any = { client_name: 'Extension', id_token_signed_response_alg: 'ES256' };
  const device = {
    ...any,
    client_id: deviceClientId,
    token_endpoint_auth_method: 'none',
    grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
    response_types: [],
    redirect_uris: [],
  };
  // oidc-provider rejects a client without a redirect URI.
  if (redirectUris.length === 0) return [device];
  const withWindow = { ...any, redirect_uris: redirectUris, post_logout_redirect_uris: redirectUris };
  const code = {
    ...withWindow,
    client_id: clientId,
    token_endpoint_auth_method: confidential?.authentication ?? 'none',
    ...(confidential && { client_secret: confidential.secret }),
    grant_types: ['authorization_code', 'refresh_token'],
  };
  const idToken = {
    ...withWindow,
    client_id: idTokenClientId,
    // A web client may only use the implicit flow with https, and the loopback address of Firefox isn't https.
    application_type: 'native',
    token_endpoint_auth_method: 'none',
    grant_types: ['implicit'],
    response_types: ['id_token'],
  };
  return [code, idToken, device];
}
