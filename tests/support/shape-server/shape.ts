// The form of a shape: how one provider's server differs from others, as far as its documents and public reports say. See the facts of
// its profile. No shape was recorded at a provider; where a report tells what it answers, a comment names it.

import type { PurposeRule } from './purpose.ts';

/** One provider, as the shape server plays it. */
export interface Shape {
  /** The name of the profile that is made for it. */
  readonly profile: string;
  /** The settings that a team adds to the profile. */
  readonly team: Readonly<Record<string, unknown>> & { readonly discoveryUrl?: string };
  /** Where the discovery document is. Default: where the team says, or else below its issuer. */
  readonly discoveryUrl?: string;
  readonly document: DiscoveryDocument;
  /** An endpoint for revocation that the discovery document does not name. */
  readonly unlistedRevocation?: string;
  /** The issuer in ID tokens. Default: that of the discovery document. */
  readonly tokenIssuer?: string;
  /** Members of the ID token beside the usual ones, or in their place; a function if they depend on the request. */
  readonly claims?: Claims | ((sent: URLSearchParams) => Claims);
  /** Members of the ID token of a renewal, in place of those above. */
  readonly renewedClaims?: Claims;
  /** Members of the token response beside the usual ones, or in their place; undefined removes one. */
  readonly response?: Readonly<Record<string, unknown>>;
  /** Members of the token response of a renewal, in place of those above. */
  readonly renewedResponse?: Readonly<Record<string, unknown>>;
  /** Whether each member of the token response is a text. */
  readonly writesTexts?: true;
  /** The answer to a refresh token that doesn't work. Default: 400 and `invalid_grant`. */
  readonly refusal?: { readonly status: number; readonly body: object };
  /** Members of UserInfo beside the usual ones, or in their place. */
  readonly userInfo?: Claims;
  /** Members of each published key; undefined removes one. */
  readonly keyMembers?: Readonly<Record<string, unknown>>;
  /** The scopes that it knows. Any other is answered with `invalid_scope`. Default: it ignores others. */
  readonly scopes?: readonly string[];
  /**
   * The prompts that it knows. Default: those of OpenID Connect Core 3.1.2.1. It answers any other with `invalid_request`, or ignores
   * it if `*` is among these.
   */
  readonly prompts?: readonly string[];
  /** Whether it answers a request with a refresh token. Default: with the scope `offline_access`. */
  readonly isOffline?: (sent: URLSearchParams) => boolean;
  /** Whether the token response has an access token. Default: always. */
  readonly grantsAccess?: (sent: URLSearchParams) => boolean;
  /** The purpose of an access token. Default: for the API of the sign-in, whatever a token request asks for. */
  readonly purpose?: PurposeRule;
  /** Whether a refresh token stays usable, so that a renewal brings none. Default: each is used once. */
  readonly keepsRefreshTokens?: true;
  /** The `iss` of redirects (RFC 9207). Default: that of the discovery document, if the document announces it. */
  readonly redirectIssuer?: string;
  /** The text that it appends to a redirect. */
  readonly fragment?: '#' | '#_=_';
  /** Whether a refresh token works again after its use, as it does for a while or forever at some providers. */
  readonly reusable?: true;
  /**
   * `listed`: answers 403 to any `Origin` but Chromium's, which is registered, or what `originRefusal` says. `required`:
   * redeems no code without an `Origin`, as for a single-page application. Default: it ignores the header.
   */
  readonly origin?: 'listed' | 'required';
  readonly originRefusal?: { readonly status: number; readonly error: string };
  /** `ignored`: shows its page although the request has `prompt=none`. */
  readonly silent?: 'ignored';
  /** The hints for which it finds the user's session, if it doesn't take any: it answers others with `login_required`. */
  readonly loginHints?: readonly (string | null)[];
  /** Whether it answers a request with an ID token as a hint as if no one were signed in. */
  readonly refusesIdTokenHint?: true;
  /** Whether `offline_access` makes it ask for consent each time, so that it answers `none` with `consent_required`. */
  readonly offlineConsent?: true;
  /** The parameters of the logout page. Default: those of the standard. */
  readonly logout?: { readonly required: readonly string[]; readonly repeatsState: boolean };
  /** Settings of the profile without which the outcome is the same. */
  readonly idleSettings?: readonly string[];
}

type Claims = Readonly<Record<string, unknown>>;

/** The members of a discovery document that matter here. */
export interface DiscoveryDocument {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly jwks_uri: string;
  readonly userinfo_endpoint?: string;
  readonly revocation_endpoint?: string;
  readonly end_session_endpoint?: string;
  readonly pushed_authorization_request_endpoint?: string;
  readonly authorization_response_iss_parameter_supported?: boolean;
  readonly [member: string]: unknown;
}

/** How the steps of a session end: in a word, or with the code of a problem. */
export interface Outcome {
  readonly signIn: string;
  /** `same account`: the provider does not ask who it is. */
  readonly anotherAccount: string;
  /** `none`: there is no refresh token. */
  readonly renewal: string;
  /** A refresh token that was used already. */
  readonly spentToken: string;
  readonly silentSignIn: string;
  /** `none`: there is no endpoint. */
  readonly userInfo: string;
  readonly revocation: string;
  readonly logout: string;
  /** The optional endpoints that are not used. */
  readonly leftOut: readonly string[];
  /** When the extension expects the refresh token to end, in seconds. */
  readonly refreshTokenSeconds: number | null;
}
