// A configuration that has been read: every value checked, every default filled in.

import type { ProviderId } from '../session/session.ts';

export interface Config {
  readonly providers: readonly Provider[];
  /** Whether a session survives the browser's end: `device`, or lives in its memory alone: `browser`. */
  readonly persistence: 'device' | 'browser';
  /** Hosts that a managed policy may use beyond those of the providers. */
  readonly policyOrigins: readonly string[];
}

export interface Provider {
  readonly id: ProviderId;
  readonly name: string;
  /** As it was written: an issuer is compared to the letter. */
  readonly issuer: string;
  readonly clientId: string;
  readonly scope: string;
  /** Further hosts that the provider's endpoints use. */
  readonly origins: readonly string[];
  /** The hosts that get the access token with the feature's requests. */
  readonly apiOrigins: readonly string[];
  /** Sent with every authorization request, beside the parameters of the protocol. */
  readonly authorizationParameters: Readonly<Record<string, string>>;
  /** The API that an access token is for, by RFC 8707… */
  readonly resource: string | null;
  /** …or by the older parameter of some providers. */
  readonly audience: string | null;
  readonly metadata: ProviderMetadata | null;
}

/**
 * Stands in place of what discovery would say. With `authorization_endpoint`, `token_endpoint` and `jwks_uri`
 * no discovery is needed.
 */
interface ProviderMetadata {
  readonly authorization_endpoint?: string;
  readonly token_endpoint?: string;
  readonly jwks_uri?: string;
  readonly userinfo_endpoint?: string;
  readonly revocation_endpoint?: string;
  readonly end_session_endpoint?: string;
  readonly id_token_signing_alg_values_supported?: readonly string[];
}
