// The valibot schema of a configuration. Unknown keys are checked in keys.ts. Each message says what was
// expected; `readConfig` adds the path and what was found. schema.json, for editors, is generated from this
// schema.

import * as v from 'valibot';
import { checkIssuerTemplate } from './issuer-template.ts';
import { once } from '../concurrency/once.ts';
import { listOf, object, plainObject } from './object-schema.ts';
import { checkedString, matching, text } from './text-schema.ts';
import { checkEndpoint, checkIssuer, checkOrigin } from './url.ts';

const endpoint = () => checkedString('an endpoint, such as "https://id.example.com/token"', checkEndpoint);
const optionalEndpoint = () =>
  v.exactOptional(
    v.nullable(checkedString('an endpoint, such as "https://id.example.com/token", or null', checkEndpoint)),
  );
const origin = () => checkedString('an origin, such as "https://api.example.com"', checkOrigin);
const origins = () =>
  v.optional(v.array(origin(), 'a list of origins, such as ["https://api.example.com"]'), []);

/** Public-key algorithms only: `none` and `HS…` prove nothing to a client without a secret. */
const signingAlgorithm = () =>
  matching(/^([RPE]S(256|384|512)|Ed25519|EdDSA)$/, 'a public-key algorithm, such as "RS256" or "ES256"');

const maxSeconds = 100 * 365 * 24 * 60 * 60;
const wholeSeconds = `a whole number of seconds, 0 to ${maxSeconds} (100 years)`;
const seconds = () =>
  v.pipe(
    v.number(wholeSeconds),
    v.integer(wholeSeconds),
    v.minValue(0, wholeSeconds),
    v.maxValue(maxSeconds, wholeSeconds),
  );

/** OpenID Connect Core, section 3.1.2.1. */
const prompt = () =>
  matching(
    /^(?!none\b)[a-z_]{1,40}( (?!none\b)[a-z_]{1,40}){0,4}$/,
    'what the provider shows, separated by single spaces, such as "consent", "login" or "select_account"; not "none"',
  );

const allowedValue = 'a string, a number, true or false';
const exact = `a number of at most ${Number.MAX_SAFE_INTEGER}, because larger ones are rounded`;
/** Rounded numbers would be equal although the provider's are different. */
const exactNumber = () =>
  v.pipe(v.number(), v.minValue(Number.MIN_SAFE_INTEGER, exact), v.maxValue(Number.MAX_SAFE_INTEGER, exact));
const allowedValues = () =>
  listOf(
    v.union([text(allowedValue), exactNumber(), v.boolean()], allowedValue),
    1,
    1000,
    'a list of 1 to 1000 values, such as ["example.com"]',
  );

const audiences = '"any" or a list of audiences, such as ["123456789", "another-client"]';

/** The metadata that may be configured, by its names in discovery. */
export const metadataEntries = once(() => ({
  authorization_endpoint: v.exactOptional(endpoint()),
  token_endpoint: v.exactOptional(endpoint()),
  jwks_uri: v.exactOptional(endpoint()),
  userinfo_endpoint: optionalEndpoint(),
  revocation_endpoint: optionalEndpoint(),
  end_session_endpoint: optionalEndpoint(),
  pushed_authorization_request_endpoint: optionalEndpoint(),
  device_authorization_endpoint: optionalEndpoint(),
  id_token_signing_alg_values_supported: v.exactOptional(
    listOf(signingAlgorithm(), 1, 20, 'a list of 1 to 20 algorithms, such as ["RS256"]'),
  ),
}));

/** The parameters of the end-session request (RP-Initiated Logout 1.0, section 2), by what they carry. */
export const logoutEntries = once(() => ({
  idToken: logoutParameter('id_token_hint'),
  clientId: logoutParameter('client_id'),
  redirectUri: logoutParameter('post_logout_redirect_uri'),
  state: logoutParameter('state'),
}));

/** RFC 6749, section 3.3; may be empty. A separator is in no name, so that there is one way to match, in linear time. */
export const scopePattern = /^([!#-[\]-~]+( [!#-[\]-~]+)*)?$/;
export const expectedScope = 'scopes separated by single spaces, including "openid"';

const memberPath = () =>
  matching(
    /^[\w-]{1,60}(\.[\w-]{1,60}){0,7}$/,
    'the path of a member of the answer, such as "id", "data.id" or "images.0.url"',
  );

/** The API that says who has signed in, at a provider without ID tokens. */
export const userApiEntries = once(() => ({
  url: checkedString(
    'the address of the API that says who has signed in, such as "https://api.example.com/user"',
    checkEndpoint,
  ),
  subject: memberPath(),
  name: v.nullish(memberPath(), null),
  email: v.nullish(memberPath(), null),
  /** The member that is `true` if the person owns the email. */
  emailVerified: v.nullish(memberPath(), null),
  picture: v.nullish(memberPath(), null),
  /** Additional headers of the request. */
  headers: v.optional(
    v.pipe(
      plainObject('an object with a string for each header'),
      v.record(
        matching(/^[A-Za-z\d-]{1,60}$/, 'a header name of letters, digits and "-"'),
        matching(/^[!-~]([ -~]{0,198}[!-~])?$/, '1 to 200 ASCII characters'),
      ),
    ),
    {},
  ),
}));

/** The provider, and the kind of client that the extension is there. */
const clientEntries = () => ({
  id: matching(
    /^[a-z\d-]{1,40}$/,
    '1 to 40 characters of a-z, 0-9 and "-", because the id is part of the redirect URI',
  ),
  name: matching(/^\S(.{0,98}\S)?$/, 'the name on the sign-in button, 1 to 100 characters on one line'),
  profile: v.nullish(matching(/^[a-z\d-]{1,40}$/, 'the name of a profile, such as "entra", or null'), null),
  /** Exactly as written, because issuers are compared as strings. */
  issuer: checkedString(
    'the issuer, exactly as the provider writes it in its discovery document',
    checkIssuer,
  ),
  /** Where the discovery document is; null for the place below `issuer` (OpenID Connect Discovery 1.0, section 4). */
  discoveryUrl: v.nullish(
    checkedString('the address of the discovery document, or null', checkEndpoint),
    null,
  ),
  /** The issuer of each tenant, with `{tenantid}` in place of the tenant; null if there is one issuer. */
  issuerTemplate: v.nullish(
    checkedString('the issuer with "{tenantid}" in place of the tenant, or null', checkIssuerTemplate),
    null,
  ),
  // The board shows it after a sign-in that the provider refuses, and has a limit of its own.
  clientId: matching(
    /^[!-~]([ -~]{0,248}[!-~])?$/,
    'the id of the public client, as the provider shows it, 1 to 250 characters',
  ),
  // Only user-api.ts knows whether "openid" must be there.
  /** Names separated by spaces; empty only with `userApi`. */
  scope: v.optional(matching(scopePattern, expectedScope), 'openid profile email offline_access'),
  /** Origins of the provider's endpoints, apart from the issuer's. */
  origins: origins(),
  /** Origins of the APIs to which the feature's requests carry the `apiToken`. */
  apiOrigins: origins(),
  /** The token that the feature's requests carry; `id_token` exactly if `responseType` is, where an API takes one. */
  apiToken: v.optional(
    v.picklist(['access_token', 'id_token'], '"access_token" or "id_token"'),
    'access_token',
  ),
  /**
   * The sign-in page answers with a code, to be redeemed for tokens (OpenID Connect Core 3.1), or with the ID token itself
   * and no other token (3.2).
   */
  responseType: v.optional(v.picklist(['code', 'id_token'], '"code" or "id_token"'), 'code'),
  /** The redirect URI in Firefox: the extension's own host, or an address on this device that Firefox takes instead. */
  firefoxRedirect: v.optional(
    v.picklist(['extensions.allizom.org', 'loopback'], '"extensions.allizom.org" or "loopback"'),
    'extensions.allizom.org',
  ),
});

/** The requests to the provider, and the answers that are accepted. */
const requestEntries = () => ({
  /** Additional parameters for every authorization request. */
  authorizationParameters: v.optional(
    v.pipe(
      plainObject('an object with a string for each parameter'),
      v.record(matching(/^[A-Za-z\d._-]+$/, 'a name of letters, digits, ".", "_" and "-"'), text('a string')),
    ),
    {},
  ),
  /** The `prompt` of a sign-in in a window; null for none. */
  signInPrompt: v.nullish(prompt(), null),
  /** The `prompt` for another account; null for `select_account`, and what `signInPrompt` names besides. */
  otherAccountPrompt: v.nullish(prompt(), null),
  // RFC 8707, section 2.
  /** The API that the access token is for (RFC 8707). */
  resource: v.nullish(
    matching(
      /^[A-Za-z][A-Za-z\d+.-]*:[^#\s]+$/,
      'an absolute URI without a fragment, such as "https://api.example.com"',
    ),
    null,
  ),
  /** The same, for providers that use `audience` instead of `resource`. */
  audience: v.nullish(matching(/\S/, 'the name of the API at the provider'), null),
  /** Maximum age of the person's authentication at the provider; null accepts any. */
  maxAgeSeconds: v.nullish(seconds(), null),
  /** Lifetime of the refresh tokens, counted from the sign-in even if they are renewed; null if unlimited. */
  refreshTokenSeconds: v.nullish(seconds(), null),
  /** Accepted authentication contexts (`acr`), separated by spaces; null requests none. */
  acrValues: v.nullish(
    matching(/^[!-~]+( [!-~]+)*$/, 'authentication contexts separated by single spaces'),
    null,
  ),
  /** Audiences that an ID token may name beside the client; `any` leaves the choice to the provider. */
  trustedAudiences: v.optional(
    v.union([v.literal('any'), listOf(matching(/\S/, 'an audience'), 0, 1000, audiences)], audiences),
    [],
  ),
  /** Rules for who may sign in: each named claim must equal or contain one of its values. */
  allowed: v.optional(
    v.pipe(
      plainObject('an object with a list of values for each claim'),
      v.record(matching(/^\S{1,200}$/, 'a claim name'), allowedValues()),
    ),
    {},
  ),
  /** When to push the authorization request (RFC 9126): `auto` if the provider requires it. */
  par: v.optional(v.picklist(['auto', 'always', 'off'], '"auto", "always" or "off"'), 'auto'),
  /** When to bind tokens to a key with DPoP (RFC 9449): `auto` if the provider supports it. */
  dpop: v.optional(v.picklist(['off', 'auto', 'required'], '"off", "auto" or "required"'), 'off'),
  /**
   * When the person signs in with a code, on a page that they open themselves (RFC 8628): `fallback` where the browser has
   * no sign-in window, `only` always.
   */
  deviceFlow: v.optional(v.picklist(['off', 'fallback', 'only'], '"off", "fallback" or "only"'), 'off'),
  logoutParameters: v.optional(object('an object of parameter names', logoutEntries()), {}),
  /**
   * Overrides the discovery document; null for an endpoint that is not to be used. With every endpoint that a sign-in
   * needs, discovery is not needed: `authorization_endpoint`, `jwks_uri` unless there is a `userApi`, and, to redeem a code,
   * `token_endpoint`.
   */
  metadata: v.nullish(object('an object of endpoints', metadataEntries()), null),
  /** Says who has signed in, at a provider without ID tokens (plain OAuth 2); null for OpenID Connect. */
  userApi: v.nullish(object('an object with "url" and "subject"', userApiEntries()), null),
});

export const providerEntries = once(() => ({ ...clientEntries(), ...requestEntries() }));

export const configEntries = once(() => ({
  $schema: v.exactOptional(v.string('the path of the JSON Schema')),
  providers: listOf(object('a provider object', providerEntries()), 1, 100, 'a list of 1 to 100 providers'),
  /** `device`: the session survives a browser restart. `browser`: it is kept in memory only. */
  persistence: v.optional(v.picklist(['device', 'browser'], '"device" or "browser"'), 'device'),
  /** Origins that a managed policy may use in addition to the providers'. */
  policyOrigins: origins(),
}));

export const configSchema = once(() => object('an object with "providers"', configEntries()));

function logoutParameter(standardName: string) {
  const expected = `the name of a parameter, such as "${standardName}", or null`;
  return v.optional(v.nullable(matching(/^[A-Za-z\d._-]+$/, expected)), standardName);
}
