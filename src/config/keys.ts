// Rejects unknown and forbidden keys. The strict objects of valibot would report only the first unknown key
// and suggest nothing.

import type { Mistake, Path } from './config-error.ts';
import { findNearest } from './nearest.ts';
import { logoutEntries, metadataEntries } from './endpoint-schema.ts';
import { configEntries, providerEntries, supportEntries } from './schema.ts';
import { isObject } from './value-schema.ts';

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

/** Finds the keys of a provider that are not allowed, in a setting that needs a part of the extension. */
export type KeyRule = (provider: unknown, path: Path) => Mistake[];

/** Returns one mistake for each key that is not allowed, also by `partRules`. None repeats a value. */
export function findKeyMistakes(json: unknown, partRules: readonly KeyRule[]): Mistake[] {
  const providers = memberOf(json, 'providers');
  return [
    ...unknownKeys(json, [], configEntries()),
    ...unknownKeys(memberOf(json, 'support'), ['support'], supportEntries()),
    ...(Array.isArray(providers) ? providers : []).flatMap((provider: unknown, index) => {
      const path = ['providers', index];
      const parameters = memberOf(provider, 'authorizationParameters');
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
        ...partRules.flatMap((find) => find(provider, path)),
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

/** Names that valibot silently drops from a record. */
export function droppedNames(record: unknown, path: Path, refusal: string): Mistake[] {
  return keysOf(record)
    .filter((name) => ['__proto__', 'constructor', 'prototype'].includes(name))
    .map((name) => ({ path: [...path, name], text: refusal }));
}

/** Why a key that names a secret is refused. */
export const secretRefusal =
  'refused: everyone who installs the extension could read it; ' +
  'register a public client (PKCE, no secret), remove this key, and rotate the secret at the provider';

/** Whether a key names a secret. */
export function isSecret(key: string): boolean {
  return /secret|password|assertion|private_?key/i.test(key);
}

/** The keys of an object; none of anything else. */
export function keysOf(value: unknown): string[] {
  return isObject(value) ? Object.keys(value) : [];
}

/** A member of an object; undefined if it has none, or is no object. */
export function memberOf(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
