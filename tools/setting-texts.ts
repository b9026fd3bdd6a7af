// The description of each setting, for schema.json and managed-schema.json and for docs/configuration-reference.md. They stand
// apart from the schemas, because the extension contains those.

import type { policyEntries, policyTextKey } from '../src/config/policy-schema.ts';
import type {
  configEntries,
  logoutEntries,
  metadataEntries,
  providerEntries,
  userApiEntries,
} from '../src/config/schema.ts';

/** A description of each key of an object of the schema. */
type About<Entries extends () => object> = Readonly<Record<keyof ReturnType<Entries>, string>>;

export const aboutConfig: About<typeof configEntries> = {
  $schema: 'Path of this schema, for editors.',
  providers: 'The identity providers to choose from, in the order of their sign-in buttons.',
  persistence:
    '"device": the session survives a browser restart. "browser": it is kept in memory and ends when the browser closes.',
  policyOrigins:
    'Further origins, such as "https://id.example.com", that the providers of a managed policy may use. Each one is a permission that the extension asks for.',
};

export const aboutPolicy: About<typeof policyEntries> & Readonly<Record<typeof policyTextKey, string>> = {
  version: 'The version of the form of this policy: 1.',
  providers:
    'The providers in the order of their buttons. One with the "id" of a provider that the extension was built with replaces the settings that it names; any other is whole. Required, and may be empty.',
  locked:
    'Whether only the providers of this policy are offered. Without it, the others of the build follow.',
  persistence:
    '"device": the session survives a browser restart. "browser": it is kept in memory and ends when the browser closes. Without it, as the extension was built.',
  autoSignIn:
    '"popup": a person who is signed in at the first provider is signed in without a click when the popup opens. "startup": also when the browser starts. No window opens. Default: "off".',
  managedBy: 'The organization, as the popup names it: 1 to 60 characters.',
  json: 'The whole policy as one text of JSON, in place of all other keys but "version": for values that have no key of one type here, such as null.',
};

export const aboutProvider: About<typeof providerEntries> = {
  id: 'A short, permanent id. It is part of the redirect URI that you register with the provider.',
  name: 'The name on the sign-in button, without invisible characters.',
  profile:
    'The name of a provider profile: a file in src/providers, such as "entra", "auth0" or "keycloak". Its settings hold where this provider has none of its own. docs/providers lists the profiles.',
  issuer:
    'The issuer, exactly as in "issuer" of the provider\'s discovery document, including any trailing slash, and without "/.well-known/…". It uses https:, or http: on localhost and 127.0.0.1. A host in another script is written in its "xn--" form.',
  discoveryUrl:
    'The address of the discovery document, if it is not below the issuer. Its host is the issuer\'s or one of "origins".',
  issuerTemplate:
    'The issuer of each tenant at a provider with many, with "{tenantid}" in place of the tenant, as its discovery document writes it (Microsoft Entra for several tenants). "issuer" then only says where the discovery document is. The claim "tid" of an ID token fills it. Everyone of every tenant may sign in, unless "allowed" says otherwise.',
  clientId: 'The client id registered with the provider: a public client with PKCE and without a secret.',
  scope:
    'The requested scopes, separated by single spaces. "openid" is required, and refused with "userApi"; "offline_access" requests a refresh token. "" requests none, with "userApi" only.',
  origins:
    'Additional origins of the provider\'s endpoints, such as "https://login.example.com", if its discovery document names hosts other than the issuer\'s.',
  apiOrigins:
    'Origins of the APIs that the feature calls, such as "https://api.example.com". The access token is sent only to these.',
  apiToken:
    'The token that the APIs of "apiOrigins" take as Bearer. "id_token" exactly where "responseType" is "id_token": such an API must check its issuer, audience, signature and expiry.',
  responseType:
    'What the sign-in page answers with. "code": a code, which is redeemed for tokens (authorization code flow with PKCE). "id_token": the ID token itself and no other token (implicit flow), for a provider that redeems a code only with a client secret, such as Google.',
  firefoxRedirect:
    'The redirect URI in Firefox. "extensions.allizom.org": the extension\'s own host there. "loopback": http://127.0.0.1/mozoauth2/…, for a provider that accepts only hosts which you own, such as Google. Firefox requests neither of them.',
  authorizationParameters:
    'Additional parameters of the authorization request, such as "ui_locales" or a provider\'s own. Parameters that the extension sets itself are refused.',
  signInPrompt:
    'The "prompt" of each sign-in in a window, such as "consent" at a provider that issues refresh tokens only then. Silent sign-in always uses "none".',
  otherAccountPrompt:
    'The "prompt" of "Use another account". Without this key: "select_account", and "signInPrompt" besides. Some providers want "login".',
  resource: 'The API that the access token is for, as an absolute URI (RFC 8707).',
  audience: 'The API that the access token is for, at providers that use "audience" instead of "resource".',
  maxAgeSeconds:
    'Maximum age, in seconds, of the person\'s authentication at the provider ("max_age"). If it is older, the provider asks the person to sign in again, and the extension checks "auth_time".',
  refreshTokenSeconds:
    "Lifetime of the provider's refresh tokens in seconds, counted from the sign-in even if they are renewed (86400 for single-page applications at Microsoft Entra). The extension signs in silently before they end.",
  acrValues:
    'Accepted authentication contexts ("acr_values"), separated by single spaces. "acr" in the ID token must be one of them.',
  trustedAudiences:
    'Further audiences ("aud") that an ID token may name beside this client, or "any" for a provider whose list changes, such as Zitadel. "azp" must then be this client. Without this key, an ID token with a further audience is rejected.',
  allowed:
    'Who may sign in: a list of allowed values for each named claim of the ID token, which must equal or contain one of them. "email" only matches if it is verified, whatever the case of its letters; the case counts for every other claim. Without this key, everyone may sign in.',
  par: 'When to push the authorization request (PAR, RFC 9126), which adds a round trip before the window opens. "auto": if the provider requires it. "always": with a plain request as fallback unless the provider requires it. "off": never.',
  dpop: 'When to bind tokens to a key that cannot leave the browser (DPoP, RFC 9449). "off": never, for APIs that accept only Bearer. "auto": if the provider supports it. "required": Bearer tokens are rejected.',
  deviceFlow:
    'When the person signs in with a code, on a page of the provider that they open themselves (RFC 8628). "off": never. "fallback": where the browser has no sign-in window. "only": always, for a provider whose public clients may not use anything else, such as GitHub.',
  logoutParameters:
    'The names of the parameters of the end-session request, by what they carry; null for one that is not sent. The standard names are the defaults.',
  metadata:
    'Endpoints of a provider without discovery, or overrides for its discovery document; null for an endpoint that is not to be used. With "authorization_endpoint", "token_endpoint" and "jwks_uri", the document is not fetched; with "userApi", without "jwks_uri"; with the "responseType" "id_token", without "token_endpoint".',
  userApi:
    'For a provider without ID tokens (plain OAuth 2, such as GitHub, X or Spotify): the API that says who has signed in. Its answer is not signed. Each member but "url" and "headers" is the path of a member of the answer, such as "id", "data.id" or "images.0.url".',
};

export const aboutMetadata: About<typeof metadataEntries> = {
  authorization_endpoint: 'The sign-in page.',
  token_endpoint: 'Exchanges authorization codes and refresh tokens for tokens.',
  jwks_uri: 'The keys for verifying ID tokens.',
  userinfo_endpoint: 'Provides a name, email or picture missing from the ID token.',
  revocation_endpoint: 'Revokes the session’s token at sign-out (RFC 7009).',
  end_session_endpoint: 'The page that ends the session at the provider (RP-Initiated Logout).',
  pushed_authorization_request_endpoint: 'Receives pushed authorization requests (PAR, RFC 9126).',
  device_authorization_endpoint: 'Issues the codes of "deviceFlow" (RFC 8628).',
  id_token_signing_alg_values_supported: 'The accepted signature algorithms of ID tokens.',
};

export const aboutLogout: About<typeof logoutEntries> = {
  idToken: 'Carries the ID token, which identifies the session to end.',
  clientId: 'Carries the client id.',
  redirectUri: 'Carries the address to return to, which must be registered at the provider.',
  state:
    'Carries a random value, which the provider must repeat. If it is null, any return to the address counts as the end.',
};

export const aboutUserApi: About<typeof userApiEntries> = {
  url: 'Answers a GET request with the access token in JSON. Its host is the issuer\'s, or one of "origins" or "apiOrigins".',
  subject:
    'The permanent id of the person at the provider, a string or a whole number. Never a name or an email, which may pass to somebody else.',
  name: 'The name to show.',
  email: 'The email to show.',
  emailVerified: 'A member that is true if the person owns the email. "allowed" needs it for "email".',
  picture: 'The https: URL of a picture.',
  headers: 'Additional headers of the request, such as the version of the API. Nothing secret.',
};
