// The rules for a provider with a user API, which is one without ID tokens (plain OAuth 2), and the rule that any other
// requests them.

import type { Mistake, Path } from './config-error.ts';
import { describe } from './describe.ts';
import type { Provider } from './provider.ts';
import { expectedScope, scopePattern } from './schema.ts';

/** Settings about ID tokens, with the reason why each means nothing beside a user API. */
const idTokenSettings: readonly (readonly [keyof Concerned, string])[] = [
  ['issuerTemplate', 'an ID token would name the tenant'],
  ['maxAgeSeconds', 'an ID token would say when the person was authenticated'],
  ['acrValues', 'an ID token would say how the person was authenticated'],
  ['trustedAudiences', 'only an ID token names audiences'],
  ['refreshTokenSeconds', 'plain OAuth 2 has no silent sign-in to go before their end'],
];

/** Members of `metadata` about ID tokens or UserInfo, likewise. */
const idTokenMetadata = [
  ['jwks_uri', 'there is no ID token to verify with the keys'],
  ['userinfo_endpoint', 'the user API takes its place'],
  ['id_token_signing_alg_values_supported', 'there is no ID token to verify'],
] as const;

/** The part of a provider that the rules concern. */
type Concerned = Pick<
  Provider,
  | 'scope'
  | 'discoveryUrl'
  | 'issuerTemplate'
  | 'maxAgeSeconds'
  | 'acrValues'
  | 'trustedAudiences'
  | 'refreshTokenSeconds'
  | 'allowed'
  | 'metadata'
  | 'responseType'
  | 'userApi'
>;

/** Returns one mistake for each provider without `userApi` that does not request ID tokens. */
export function findScopeMistakes(providers: readonly Pick<Concerned, 'scope' | 'userApi'>[]): Mistake[] {
  return providers.flatMap(({ scope, userApi }, index) =>
    // A malformed scope is another mistake, which has been found.
    userApi !== null || requestsIdToken(scope) || !scopePattern.test(scope)
      ? []
      : { path: ['providers', index, 'scope'], text: `${describe(scope)}; expected ${expectedScope}` },
  );
}

/** Returns one mistake for each setting that contradicts the `userApi` of its provider. */
export function findUserApiMistakes(providers: readonly Concerned[]): Mistake[] {
  return providers.flatMap((provider, index) =>
    provider.userApi === null
      ? []
      : findContradictions(provider).map(({ path, text }) => ({
          path: ['providers', index, ...path],
          text,
        })),
  );
}

function findContradictions(provider: Concerned): Mistake[] {
  return [
    ...findOpenid(provider),
    ...findIdTokenSettings(provider),
    ...findMissingEndpoints(provider),
    ...findUnverifiableEmail(provider),
    ...findRepeatedHeaders(provider),
  ];
}

/**
 * A provider that grants "openid" signs who the person is. Taking that from an unsigned answer instead would give up
 * signature, nonce and silent sign-in without anybody noticing.
 */
function findOpenid({ scope }: Concerned): Mistake[] {
  if (!requestsIdToken(scope)) return [];
  return [
    {
      path: ['scope'],
      text: `${describe(scope)}; expected scopes without "openid", or "" for none, because "userApi" is for providers without ID tokens; for one with ID tokens remove "userApi"`,
    },
  ];
}

function findIdTokenSettings(provider: Concerned): Mistake[] {
  const { metadata } = provider;
  const refuse = (path: Path, reason: string) => ({
    path,
    text: `refused beside "userApi": ${reason}; remove it`,
  });
  return [
    ...(provider.responseType === 'id_token'
      ? [refuse(['responseType'], 'no ID token is to be expected')]
      : []),
    ...idTokenSettings.flatMap(([name, reason]) => (isSet(provider[name]) ? refuse([name], reason) : [])),
    ...idTokenMetadata.flatMap(([name, reason]) =>
      isSet(metadata?.[name]) ? refuse(['metadata', name], reason) : [],
    ),
  ];
}

function isSet(value: unknown): boolean {
  return value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);
}

/** A provider without OpenID Connect need not publish metadata, so none are looked for unasked. */
function findMissingEndpoints({ discoveryUrl, metadata }: Concerned): Mistake[] {
  if (discoveryUrl !== null) return [];
  return (['authorization_endpoint', 'token_endpoint'] as const).flatMap((name) =>
    metadata?.[name] === undefined
      ? {
          path: ['metadata', name],
          text: 'missing; expected the endpoint, because of "userApi", or the metadata document (RFC 8414) in "discoveryUrl"',
        }
      : [],
  );
}

function findUnverifiableEmail({ allowed, userApi }: Concerned): Mistake[] {
  if (allowed['email'] === undefined || (userApi?.email && userApi.emailVerified)) return [];
  return [
    {
      path: ['allowed', 'email'],
      text: 'an email counts only if it is verified; expected "email" and "emailVerified" in "userApi"',
    },
  ];
}

/** Names of headers have no case, and one value would be appended to the other. */
function findRepeatedHeaders({ userApi }: Concerned): Mistake[] {
  const names = Object.keys(userApi?.headers ?? {});
  return names.flatMap((name, position) => {
    const first = names.findIndex((other) => other.toLowerCase() === name.toLowerCase());
    return first === position
      ? []
      : {
          path: ['userApi', 'headers', name],
          text: `the same header as "${names[first]}"; remove one of the two`,
        };
  });
}

function requestsIdToken(scope: string): boolean {
  return scope.split(' ').includes('openid');
}
