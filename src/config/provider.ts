// The configuration after validation: every value checked, every default filled in.

import type { ProviderId } from '../session/session.ts';

export interface Config {
  readonly providers: readonly Provider[];
  /** `device`: the session survives a browser restart. `browser`: it is kept in memory only. */
  readonly persistence: 'device' | 'browser';
  /** Origins that a managed policy may use in addition to the providers'. */
  readonly policyOrigins: readonly string[];
}

/** One identity provider and how to sign in with it. */
export interface Provider {
  readonly id: ProviderId;
  readonly name: string;
  /** Exactly as written, because issuers are compared as strings. */
  readonly issuer: string;
  /** Where the discovery document is; null for the place below {@link issuer} (OpenID Connect Discovery 1.0, section 4). */
  readonly discoveryUrl: string | null;
  /** The issuer of each tenant, with `{tenantid}` in place of the tenant; null if there is one issuer. */
  readonly issuerTemplate: string | null;
  readonly clientId: string;
  /** Names separated by spaces; empty only with {@link userApi}. */
  readonly scope: string;
  /** Origins of the provider's endpoints, apart from the issuer's. */
  readonly origins: readonly string[];
  /** Origins of the APIs to which the feature's requests carry the {@link apiToken}. */
  readonly apiOrigins: readonly string[];
  /** The token that the feature's requests carry; `id_token` exactly if {@link responseType} is, where an API takes one. */
  readonly apiToken: 'access_token' | 'id_token';
  /**
   * The sign-in page answers with a code, to be redeemed for tokens (OpenID Connect Core 3.1), or with the ID token itself
   * and no other token (3.2).
   */
  readonly responseType: 'code' | 'id_token';
  /** The redirect URI in Firefox: the extension's own host, or an address on this device that Firefox takes instead. */
  readonly firefoxRedirect: 'extensions.allizom.org' | 'loopback';
  /** Additional parameters for every authorization request. */
  readonly authorizationParameters: Readonly<Record<string, string>>;
  /** The `prompt` of a sign-in in a window; null for none. */
  readonly signInPrompt: string | null;
  /** The `prompt` for another account; null for `select_account`, and what {@link signInPrompt} names besides. */
  readonly otherAccountPrompt: string | null;
  /** The API that the access token is for (RFC 8707). */
  readonly resource: string | null;
  /** The same, for providers that use `audience` instead of `resource`. */
  readonly audience: string | null;
  /** Maximum age of the person's authentication at the provider; null accepts any. */
  readonly maxAgeSeconds: number | null;
  /** Lifetime of the refresh tokens, counted from the sign-in even if they are renewed; null if unlimited. */
  readonly refreshTokenSeconds: number | null;
  /** Accepted authentication contexts (`acr`), separated by spaces; null requests none. */
  readonly acrValues: string | null;
  /** Audiences that an ID token may name beside the client; `any` leaves the choice to the provider. */
  readonly trustedAudiences: readonly string[] | 'any';
  /** Rules for who may sign in: each named claim must equal or contain one of its values. */
  readonly allowed: Readonly<Record<string, readonly AllowedValue[]>>;
  /** When to push the authorization request (RFC 9126): `auto` if the provider requires it. */
  readonly par: 'auto' | 'always' | 'off';
  /** When to bind tokens to a key with DPoP (RFC 9449): `auto` if the provider supports it. */
  readonly dpop: 'off' | 'auto' | 'required';
  /**
   * When the person signs in with a code, on a page that they open themselves (RFC 8628): `fallback` where the browser has
   * no sign-in window, `only` always.
   */
  readonly deviceFlow: 'off' | 'fallback' | 'only';
  readonly logoutParameters: LogoutParameters;
  readonly metadata: ProviderMetadata | null;
  /** Says who has signed in, at a provider without ID tokens (plain OAuth 2); null for OpenID Connect. */
  readonly userApi: UserApi | null;
}

/**
 * An API that answers a GET request with the access token in JSON. Each member but `url` and `headers` is the path of a
 * member of that answer, such as `data.id` or `images.0.url`; null if the answer has no such member.
 */
export interface UserApi {
  readonly url: string;
  readonly subject: string;
  readonly name: string | null;
  readonly email: string | null;
  /** The member that is `true` if the person owns the email. */
  readonly emailVerified: string | null;
  readonly picture: string | null;
  /** Additional headers of the request. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The names of the parameters of the end-session request, by what they carry; null for one that is not sent. Without
 * `state` the provider is not expected to repeat it.
 */
export interface LogoutParameters {
  readonly idToken: string | null;
  readonly clientId: string | null;
  readonly redirectUri: string | null;
  readonly state: string | null;
}

type AllowedValue = string | number | boolean;

/**
 * Overrides the discovery document; null for an endpoint that is not to be used. With every endpoint that a sign-in
 * needs, discovery is not needed: `authorization_endpoint`, `jwks_uri` unless there is a {@link UserApi}, and, to redeem a
 * code, `token_endpoint`.
 */
interface ProviderMetadata {
  readonly authorization_endpoint?: string;
  readonly token_endpoint?: string;
  readonly jwks_uri?: string;
  readonly userinfo_endpoint?: string | null;
  readonly revocation_endpoint?: string | null;
  readonly end_session_endpoint?: string | null;
  readonly pushed_authorization_request_endpoint?: string | null;
  readonly device_authorization_endpoint?: string | null;
  readonly id_token_signing_alg_values_supported?: readonly string[];
}
