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
  /** The greatest age of the person's sign-in at the provider that is accepted; null accepts any. */
  readonly maxAgeSeconds: number | null;
  /** How long after the sign-in the provider's refresh tokens end, renewed or not; null where they last. */
  readonly refreshTokenSeconds: number | null;
  /** The authentication contexts of which one must have been met, with a blank between them; null asks for none. */
  readonly acrValues: string | null;
  /** Who may sign in: each named claim must be, or contain, one of its values. */
  readonly allowed: Readonly<Record<string, readonly AllowedValue[]>>;
  /** When the authorization request is pushed (RFC 9126): `auto` does it where the provider requires it. */
  readonly par: 'auto' | 'always' | 'off';
  /** When tokens are bound to a key (RFC 9449): `auto` does it where the provider offers it. */
  readonly dpop: 'off' | 'auto' | 'required';
  readonly metadata: ProviderMetadata | null;
}

type AllowedValue = string | number | boolean;

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
  readonly pushed_authorization_request_endpoint?: string;
  readonly id_token_signing_alg_values_supported?: readonly string[];
}
