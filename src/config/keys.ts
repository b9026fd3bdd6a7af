// Rejects unknown and forbidden keys. The strict objects of valibot would report only the first unknown key
// and suggest nothing.

import type { Mistake, Path } from './config-error.ts';
import { findNearest } from './nearest.ts';
import { configEntries, logoutEntries, metadataEntries, providerEntries, userApiEntries } from './schema.ts';
import { isObject } from './object-schema.ts';

const perSignIn = 'the extension sets it for each sign-in';
const previousPerson = 'the extension sets it to the person who was signed in';
const replacesRequest = 'it would replace the request that the response is checked against';

/** Authorization parameters that the extension sets itself, each with the reason given to the developer. */
export const reservedParameters: Readonly<Record<string, string>> = {
  client_id: 'set "clientId" of the provider instead',
  scope: 'set "scope" of the provider instead',
  resource: 'set "resource" of the provider instead',
  audience: 'set "audience" of the provider instead',
  response_type: 'set "responseType" of the provider instead',
  response_mode: perSignIn,
  redirect_uri: perSignIn,
  state: perSignIn,
  nonce: perSignIn,
  code_challenge: perSignIn,
  code_challenge_method: perSignIn,
  dpop_jkt: perSignIn,
  prompt: 'set "signInPrompt" or "otherAccountPrompt" of the provider instead',
  login_hint: previousPerson,
  id_token_hint: previousPerson,
  max_age: 'set "maxAgeSeconds" of the provider instead',
  request: replacesRequest,
  request_uri: replacesRequest,
};

/** Returns one mistake for each key that is not allowed. None repeats a value. */
export function findKeyMistakes(json: unknown): Mistake[] {
  const providers = memberOf(json, 'providers');
  return [
    ...unknownKeys(json, [], configEntries()),
    ...(Array.isArray(providers) ? providers : []).flatMap((provider: unknown, index) => {
      const path = ['providers', index];
      const parameters = memberOf(provider, 'authorizationParameters');
      const userApi = memberOf(provider, 'userApi');
      const headers = memberOf(userApi, 'headers');
      const headersPath = [...path, 'userApi', 'headers'];
      return [
        ...unknownKeys(provider, path, providerEntries()),
        ...unknownKeys(memberOf(provider, 'metadata'), [...path, 'metadata'], metadataEntries()),
        ...unknownKeys(
          memberOf(provider, 'logoutParameters'),
          [...path, 'logoutParameters'],
          logoutEntries(),
        ),
        ...refusedParameters(parameters, [...path, 'authorizationParameters']),
        ...droppedNames(parameters, [...path, 'authorizationParameters'], 'not a parameter name'),
        ...droppedNames(memberOf(provider, 'allowed'), [...path, 'allowed'], 'not a claim name'),
        ...unknownKeys(userApi, [...path, 'userApi'], userApiEntries()),
        ...refusedHeaders(headers, headersPath),
        ...droppedNames(headers, headersPath, 'not a header name'),
      ];
    }),
  ];
}

/** Returns one mistake for each key of an object that is none of `entries`. */
export function unknownKeys(value: unknown, path: Path, entries: object): Mistake[] {
  const known = Object.keys(entries);
  return keysOf(value)
    .filter((key) => !known.includes(key))
    .map((key) => ({ path: [...path, key], text: explainRefusal(key, known) }));
}

function explainRefusal(key: string, known: readonly string[]): string {
  if (isSecret(key)) return secretRefusal;
  const suggestion = findNearest(key, known);
  if (suggestion !== undefined) return `unknown key; did you mean "${suggestion}"?`;
  return `unknown key; expected one of ${known.map((name) => `"${name}"`).join(', ')}`;
}

function refusedParameters(parameters: unknown, path: Path): Mistake[] {
  return keysOf(parameters).flatMap((name) => {
    const refusal = explainParameterRefusal(name);
    return refusal === null ? [] : { path: [...path, name], text: refusal };
  });
}

function explainParameterRefusal(name: string): string | null {
  if (isSecret(name)) return secretRefusal;
  return Object.hasOwn(reservedParameters, name) ? `refused: ${reservedParameters[name]}` : null;
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

/** Names that valibot silently drops from a record. */
function droppedNames(record: unknown, path: Path, refusal: string): Mistake[] {
  return keysOf(record)
    .filter((name) => ['__proto__', 'constructor', 'prototype'].includes(name))
    .map((name) => ({ path: [...path, name], text: refusal }));
}

const secretRefusal =
  'refused: everyone who installs the extension could read it; ' +
  'register a public client (PKCE, no secret), remove this key, and rotate the secret at the provider';

function isSecret(key: string): boolean {
  return /secret|password|assertion|private_?key/i.test(key);
}

function keysOf(value: unknown): string[] {
  return isObject(value) ? Object.keys(value) : [];
}

function memberOf(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
