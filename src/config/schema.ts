// The valibot schema of a configuration. Unknown keys are checked in keys.ts. Each message says what was expected;
// `readConfig` adds the path and what was found. The comment above a setting is its description everywhere: in schema.json
// for editors, in managed-schema.json, and in docs/configuration-reference.md, with its example and link.

import * as v from 'valibot';
import { once } from '../concurrency/once.ts';
import { endpointEntries } from './endpoint-schema.ts';
import { answerEntries, requestEntries } from './request-schema.ts';
import { checkEndpoint, checkIssuer, checkIssuerTemplate, checkOrigin, checkUrl } from './url.ts';
import { checkedString, listOf, matching, object } from './value-schema.ts';

const origin = () => checkedString('an origin, such as "https://api.example.com"', checkOrigin);
const origins = () =>
  v.optional(v.array(origin(), 'a list of origins, such as ["https://api.example.com"]'), []);

/** RFC 6749, section 3.3; may be empty. A separator is in no name, so that there is one way to match, in linear time. */
export const scopePattern = /^([!#-[\]-~]+( [!#-[\]-~]+)*)?$/;
export const expectedScope = 'scopes separated by single spaces, including "openid"';

/** The provider, and the kind of client that the extension is there. */
const clientEntries = () => ({
  /**
   * A short, permanent id. It is part of the redirect URI that you register with the provider.
   * @example "id": "acme"
   * @see docs/administrators.md#The policy
   */
  id: matching(
    /^[a-z\d-]{1,40}$/,
    '1 to 40 characters of a-z, 0-9 and "-", because the id is part of the redirect URI',
  ),
  /**
   * The name on the sign-in button, without invisible characters.
   * @example "name": "Acme"
   */
  name: matching(/^\S(.{0,98}\S)?$/, 'the name on the sign-in button, 1 to 100 characters on one line'),
  // The build alone knows the files: see tools/build/icons.ts.
  /**
   * An SVG or PNG file beside the name on the sign-in button, in place of a tile with the first letter. The path is
   * relative to the project's folder, and the file has at most 4096 bytes. The build puts it into the popup. It is shown on
   * white, 20 pixels high at the usual text size.
   * @example "icon": "src/icons/acme.svg"
   * @see docs/configuration.md#Icons of providers
   */
  icon: v.exactOptional(v.string('the path of an SVG or PNG file')),
  /**
   * The name of a provider profile: a file in src/providers, such as "entra", "auth0" or "keycloak". Its settings hold
   * where this provider has none of its own. docs/providers lists the profiles.
   * @example "profile": "keycloak", "issuer": "https://login.acme.example/realms/staff"
   * @see docs/configuration.md#Profiles
   */
  profile: v.nullish(matching(/^[a-z\d-]{1,40}$/, 'the name of a profile, such as "entra", or null'), null),
  /**
   * The issuer, exactly as in "issuer" of the provider's discovery document, including any trailing slash, and without
   * "/.well-known/…". It uses https:, or http: on localhost and 127.0.0.1. A host in another script is written in its
   * "xn--" form.
   * @example "issuer": "https://login.tenant.example"
   * @see docs/configuration.md#Issuers of another form
   */
  issuer: checkedString(
    'the issuer, exactly as the provider writes it in its discovery document',
    checkIssuer,
  ),
  /**
   * The address of the discovery document, if it is not below the issuer. Its host is the issuer's or one of "origins".
   * @example "discoveryUrl": "https://login.tenant.example/.well-known/openid-configuration",
   * "origins": ["https://login.tenant.example"]
   * @see docs/configuration.md#Issuers of another form
   */
  discoveryUrl: v.nullish(
    checkedString('the address of the discovery document, or null', checkEndpoint),
    null,
  ),
  /**
   * The issuer of each tenant at a provider with many, with "{tenantid}" in place of the tenant, as its discovery
   * document writes it (Microsoft Entra for several tenants). "issuer" then only says where the discovery document is.
   * The claim "tid" of an ID token fills it. Everyone of every tenant may sign in, unless "allowed" says otherwise.
   * @example "issuerTemplate": "https://id.acme.example/{tenantid}/v2.0"
   * @see docs/configuration.md#Issuers of another form
   */
  issuerTemplate: v.nullish(
    checkedString('the issuer with "{tenantid}" in place of the tenant, or null', checkIssuerTemplate),
    null,
  ),
  // The board shows it after a sign-in that the provider refuses, and has a limit of its own.
  /**
   * The client id registered with the provider: a public client with PKCE and without a secret.
   * @example "clientId": "latchkey"
   * @see docs/configuration.md#What to register
   */
  clientId: matching(
    /^[!-~]([ -~]{0,248}[!-~])?$/,
    'the id of the public client, as the provider shows it, 1 to 250 characters',
  ),
  // Only user-api.ts knows whether "openid" must be there.
  /**
   * The requested scopes, separated by single spaces. "openid" is required, and refused with "userApi"; "offline_access"
   * requests a refresh token. "" requests none, with "userApi" only.
   * @example "scope": "openid email offline_access"
   * @see docs/troubleshooting.md#Sessions that end too early
   */
  scope: v.optional(matching(scopePattern, expectedScope), 'openid profile email offline_access'),
  /**
   * Additional origins of the provider's endpoints, such as "https://login.example.com", if its discovery document names
   * hosts other than the issuer's.
   * @example "origins": ["https://login.tenant.example"]
   * @see docs/configuration.md#Where the values go
   */
  origins: origins(),
  /**
   * Origins of the APIs that the feature calls, such as "https://api.example.com". The access token is sent only to
   * these.
   * @example "apiOrigins": ["https://login.tenant.example"]
   * @see docs/feature.md#What `fetch` does
   */
  apiOrigins: origins(),
});

export const providerEntries = once(() => ({
  ...clientEntries(),
  ...requestEntries(),
  ...answerEntries(),
  ...endpointEntries(),
}));

const page = () => checkedString('the address of a page', checkUrl);

export const supportEntries = once(() => ({
  /** The name of the people who help, as the popup shows it. */
  name: matching(/^\S(.{0,48}\S)?$/, 'the name of who helps, 1 to 50 characters on one line'),
  /** The page that the name leads to. */
  url: page(),
}));

export const configEntries = once(() => ({
  /** Path of this schema, for editors. */
  $schema: v.exactOptional(v.string('the path of the JSON Schema')),
  /**
   * The identity providers to choose from, in the order of their sign-in buttons.
   * @example "providers": [{ "id": "acme", "name": "Acme", "issuer": "https://id.acme.example", "clientId": "latchkey" }]
   * @see docs/configuration.md#Which flow
   */
  providers: listOf(object('a provider object', providerEntries()), 1, 100, 'a list of 1 to 100 providers'),
  /**
   * "device": the session survives a browser restart. "browser": it is kept in memory and ends when the browser closes.
   * @example "persistence": "browser"
   * @see docs/architecture.md#What is stored where
   */
  persistence: v.optional(v.picklist(['device', 'browser'], '"device" or "browser"'), 'device'),
  /**
   * "popup": a person who is signed in at the first provider is signed in without a click when the popup opens.
   * "startup": also when the browser starts. No window opens, and nothing is tried after a sign-out. The first provider
   * needs silent sign-in, which plain OAuth 2 and the device flow don't have.
   * @example "autoSignIn": "popup"
   * @see docs/configuration.md#One sign-in for your web app and the extension
   */
  autoSignIn: v.optional(v.picklist(['off', 'popup', 'startup'], '"off", "popup" or "startup"'), 'off'),
  /**
   * Further origins, such as "https://id.example.com", that the providers of a managed policy may use. Each one is a
   * permission that the extension asks for.
   * @example "policyOrigins": ["https://login.tenant.example"]
   * @see docs/administrators.md#The policy
   */
  policyOrigins: origins(),
  /**
   * The people who help when something goes wrong, and their page. The popup names them instead of "your administrator",
   * and has a link to the page.
   * @example "support": { "name": "Acme Support", "url": "https://acme.example/help" }
   * @see docs/configuration.md#Help and privacy
   */
  support: v.nullish(object('an object with "name" and "url", or null', supportEntries()), null),
  /**
   * The address of your privacy policy. The popup has a link to it while no one is signed in.
   * @example "privacyUrl": "https://acme.example/privacy"
   * @see docs/configuration.md#Help and privacy
   */
  privacyUrl: v.nullish(page(), null),
  /**
   * The popup's header while someone is signed in. "full" shows who that is. "compact" is one line, which leaves the feature
   * more room: the product's name, and the person's picture, which opens the account menu.
   * @example "popupHeader": "compact"
   * @see docs/feature.md#More room
   */
  popupHeader: v.optional(v.picklist(['full', 'compact'], '"full" or "compact"'), 'full'),
}));

export const configSchema = once(() => object('an object with "providers"', configEntries()));
