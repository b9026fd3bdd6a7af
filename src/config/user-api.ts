// The rules for a provider with a user API, which is one without ID tokens (plain OAuth 2), the rule that any other
// requests them, and the keys that a user API may have.

import type { Mistake, Path } from './config-error.ts';
import { describe } from './describe.ts';
import { userApiEntries } from './endpoint-schema.ts';
import { droppedNames, isSecret, keysOf, memberOf, secretRefusal, unknownKeys } from './keys.ts';
import type { Provider } from './provider.ts';
import { expectedScope, scopePattern } from './schema.ts';

/** Settings about ID tokens, with the reason why each means nothing beside a user API. */
const idTokenSettings: readonly (readonly [keyof Concerned, string])[] = [
  ['issuerTemplate', 'an ID token would name the tenant'],
  ['maxAgeSeconds', 'an ID token would say when the person was authenticated'],
  ['acrValues', 'an ID token would say how the person was authenticated'],
  ['trustedAudiences', 'only an ID token names audiences'],
  ['refreshTokenSeconds', 'plain OAuth 2 has no silent sign-in to replace them before they expire'],
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
      ? [refuse(['responseType'], 'plain OAuth 2 has no ID token')]
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

/** Returns one mistake for each key of a provider's `userApi` that is not allowed. */
export function findUserApiKeyMistakes(provider: unknown, path: Path): Mistake[] {
  const userApi = memberOf(provider, 'userApi');
  const headers = memberOf(userApi, 'headers');
  const headersPath = [...path, 'userApi', 'headers'];
  return [
    ...unknownKeys(userApi, [...path, 'userApi'], userApiEntries()),
    ...refusedHeaders(headers, headersPath),
    ...droppedNames(headers, headersPath, 'not a header name'),
  ];
}

/** Headers that the worker or the browser sets itself, or that would change what the request is. */
const ownHeaders: readonly string[] = [
  'authorization',
  'dpop',
  'cookie',
  'cookie2',
  'set-cookie',
  'host',
  'origin',
  'referer',
  'user-agent',
  'accept-encoding',
  'connection',
  'date',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
];
const ownHeaderPrefixes = [
  'access-control-',
  'content-',
  'if-',
  'proxy-',
  'sec-',
  'x-forwarded-',
  'x-http-method',
];

function refusedHeaders(headers: unknown, path: Path): Mistake[] {
  return keysOf(headers).flatMap((name) => {
    const refusal = explainHeaderRefusal(name.toLowerCase());
    return refusal === null ? [] : { path: [...path, name], text: refusal };
  });
}

function explainHeaderRefusal(name: string): string | null {
  if (isSecret(name) || /token|api-?key/.test(name)) return secretRefusal;
  const isOwn = ownHeaders.includes(name) || ownHeaderPrefixes.some((prefix) => name.startsWith(prefix));
  return isOwn ? 'refused: the extension or the browser sets it; remove it' : null;
}
