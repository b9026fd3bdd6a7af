// The rules for settings of a provider that don't go together: with a user API (plain OAuth 2, without ID tokens), with a response
// type, and with several APIs.

import { describe, type Path, type Rule, quote } from './config-error.ts';
import { isSecret, secretRefusal } from './keys.ts';
import type { Provider } from './provider.ts';
import { scopePattern } from './request-schema.ts';
import { expectedScope } from './schema.ts';

/** Settings about ID tokens, with the reason why each means nothing with a user API. */
const idTokenSettings: readonly (readonly [keyof Provider, string])[] = [
  ['issuerTemplate', 'an ID token would name the tenant'],
  ['maxAgeSeconds', 'an ID token would say when the user was authenticated'],
  ['acrValues', 'an ID token would say how the user was authenticated'],
  ['trustedAudiences', 'only an ID token names audiences'],
  ['profileClaims', 'only an ID token, or UserInfo with it, has claims'],
  ['refreshTokenSeconds', 'plain OAuth 2 has no silent sign-in to replace them before they expire'],
];

/** Members of `metadata` about ID tokens or UserInfo, likewise. */
const idTokenMetadata = [
  ['jwks_uri', 'there is no ID token to verify with the keys'],
  ['userinfo_endpoint', 'the user API takes its place'],
  ['id_token_signing_alg_values_supported', 'there is no ID token to verify'],
] as const;

/** A mistake if a provider without `userApi` doesn't request ID tokens. */
export function findScopeMistakes({ scope, userApi }: Provider): Rule[] {
  // A malformed scope is a mistake of its own, which has been reported.
  const isMissing = userApi === null && scopePattern.test(scope) && !requestsIdToken(scope);
  return [[isMissing, ['scope'], `${describe(scope)}; expected ${expectedScope}`]];
}

/** One mistake for each setting that contradicts `userApi`, or whose header is refused. */
export function findUserApiMistakes(provider: Provider): Rule[] {
  const { scope, userApi, allowed, discoveryUrl, metadata, responseType } = provider;
  if (userApi === null) return [];
  const refuse = (isRefused: boolean, path: Path, reason: string): Rule => [
    isRefused,
    path,
    `not allowed with "userApi": ${reason}; remove it`,
  ];
  return [
    // A provider that grants "openid" vouches for the user in a signed ID token. Using an unsigned response instead would silently
    // give up signature, nonce and silent sign-in.
    [
      requestsIdToken(scope),
      ['scope'],
      `${describe(scope)}; expected scopes without "openid", or "" for none, because "userApi" is for providers without ID tokens; for one with ID tokens remove "userApi"`,
    ],
    refuse(responseType === 'id_token', ['responseType'], 'plain OAuth 2 has no ID token'),
    ...idTokenSettings.map(([name, reason]) => refuse(isSet(provider[name]), [name], reason)),
    ...idTokenMetadata.map(([name, reason]) => refuse(isSet(metadata?.[name]), ['metadata', name], reason)),
    // A provider without OpenID Connect needn't publish metadata, so it's only looked for if configured.
    ...(['authorization_endpoint', 'token_endpoint'] as const).map((name): Rule => [
      discoveryUrl === null && metadata?.[name] === undefined,
      ['metadata', name],
      'missing; expected the endpoint, because of "userApi", or the metadata document (RFC 8414) in "discoveryUrl"',
    ]),
    [
      allowed['email'] !== undefined && !(userApi.email && userApi.emailVerified),
      ['allowed', 'email'],
      'an email counts only if it is verified; expected "email" and "emailVerified" in "userApi"',
    ],
    ...findHeaderRules(Object.keys(userApi.headers)),
  ];
}

function requestsIdToken(scope: string): boolean {
  return scope.split(' ').includes('openid');
}

function isSet(value: unknown): boolean {
  return value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);
}

/** Headers that the worker sets itself. A browser ignores those that it sets. */
const ownHeaders: readonly string[] = ['authorization', 'dpop'];

function findHeaderRules(names: readonly string[]): Rule[] {
  const lower = names.map((name) => name.toLowerCase());
  return lower.flatMap((name, at): Rule[] => {
    const path = ['userApi', 'headers', names[at] ?? ''];
    const first = lower.indexOf(name);
    const namesSecret = isSecret(name) || /token|api-?key/.test(name);
    return [
      [namesSecret, path, secretRefusal],
      [ownHeaders.includes(name), path, 'refused: the extension sets it; remove it'],
      // Names of headers have no case, and one value would be appended to the other.
      [first !== at, path, `the same header as "${names[first]}"; remove one of the two`],
    ];
  });
}

/** One mistake for each setting that has no meaning with the response type `code`. */
export function findCodeMistakes({ responseType, apiToken }: Provider): Rule[] {
  const isBroken = responseType === 'code' && apiToken !== 'access_token';
  const reason = 'because a renewal may return no ID token; set "responseType" to "id_token" too';
  return [[isBroken, ['apiToken'], `${describe(apiToken)}; expected "access_token", ${reason}`]];
}

/** One mistake for each setting that has no meaning with the response type `id_token`, or is unsafe with it. */
export function findIdTokenMistakes(provider: Provider): Rule[] {
  if (provider.responseType !== 'id_token') return [];
  const { apiToken, apiOrigins, deviceFlow, dpop } = provider;
  const { resource, audience, refreshTokenSeconds, trustedAudiences } = provider;
  const without = (token: string) => `because "responseType" "id_token" brings no ${token}`;
  const rule = (isBroken: boolean, key: keyof Provider, expected: string): Rule => [
    isBroken,
    [key],
    `${describe(provider[key])}; expected ${expected}`,
  ];
  return [
    rule(
      apiToken === 'access_token' && apiOrigins.length > 0,
      'apiToken',
      `"id_token", ${without('access token')} for "apiOrigins"; an API must then accept the ID token as Bearer, and without such an API remove "apiOrigins"`,
    ),
    rule(
      deviceFlow !== 'off',
      'deviceFlow',
      '"off", because its tokens come from the token endpoint, which "responseType" "id_token" doesn\'t use',
    ),
    rule(dpop !== 'off', 'dpop', `"off", ${without('access token')} that could be bound to a key`),
    rule(resource !== null, 'resource', `no value, ${without('access token')}`),
    rule(audience !== null, 'audience', `no value, ${without('access token')}`),
    rule(refreshTokenSeconds !== null, 'refreshTokenSeconds', `no value, ${without('refresh token')}`),
    rule(
      trustedAudiences === 'any',
      'trustedAudiences',
      'a list, because with "responseType" "id_token" the ID token comes through the browser and not from the provider itself',
    ),
  ];
}

/** One mistake for each API that can't have a token of its own, or needs none, and for each origin of two APIs. */
export function findApiMistakes({ apiOrigins, apis, responseType }: Provider): Rule[] {
  const isRefused = apis.length > 0 && responseType === 'id_token';
  const places = apis.flatMap(({ origins }, at) =>
    origins.map((origin, position) => ({
      origin,
      api: `apis[${at}]`,
      path: ['apis', at, 'origins', position],
    })),
  );
  const listed = [...apiOrigins.map((origin) => ({ origin, api: '"apiOrigins"' })), ...places];
  return [
    [
      isRefused,
      ['apis'],
      'not allowed with "responseType" "id_token", which returns no access token; list the origins in "apiOrigins"',
    ],
    ...apis.map(({ scope, resource, audience }, at): Rule => [
      !isRefused && scope === null && resource === null && audience === null,
      ['apis', at],
      'expected "scope", "resource" or "audience", which says what the token is for; an API that takes the token of the sign-in belongs in "apiOrigins"',
    ]),
    ...places.map(({ origin, api, path }): Rule => {
      const first = listed.find((other) => other.origin === origin)?.api;
      return [
        first !== api,
        path,
        `found ${quote(origin)}; expected an origin of one API, but ${first} lists it too`,
      ];
    }),
  ];
}
