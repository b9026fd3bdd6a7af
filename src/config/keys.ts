// Which keys a configuration may hold. Valibot's strict objects would name the first unknown key alone, without
// what was meant.

import { findNearest } from './nearest.ts';
import { configEntries, isObject, metadataEntries, providerEntries } from './schema.ts';

/** Keys that are planned and do nothing yet; to accept them in silence would be a lie. */
const notYet = ['profile'];

const ofTheProvider = 'it is a key of the provider itself';
const ofTheSignIn = 'each sign-in sets its own';
const wholeRequest = 'it would replace the request that the answer is checked against';

/** Authorization parameters that a configuration must leave to Latchkey, and why. */
export const reservedParameters: Readonly<Record<string, string>> = {
  client_id: `${ofTheProvider}, "clientId"`,
  scope: `${ofTheProvider}, "scope"`,
  resource: `${ofTheProvider}, "resource"`,
  audience: `${ofTheProvider}, "audience"`,
  response_type: ofTheSignIn,
  response_mode: ofTheSignIn,
  redirect_uri: ofTheSignIn,
  state: ofTheSignIn,
  nonce: ofTheSignIn,
  code_challenge: ofTheSignIn,
  code_challenge_method: ofTheSignIn,
  dpop_jkt: ofTheSignIn,
  prompt: 'Latchkey sets it, for a sign-in without a window and for another account',
  login_hint: 'Latchkey sets it, to the person who was signed in',
  id_token_hint: 'Latchkey sets it, to the person who was signed in',
  max_age: `${ofTheProvider}, "maxAgeSeconds"`,
  request: wholeRequest,
  request_uri: wholeRequest,
};

/** One line for each key that the configuration may not hold. No line repeats a value. */
export function keyProblems(json: unknown): string[] {
  const providers = memberOf(json, 'providers');
  return [
    ...unknownKeys(json, '', configEntries),
    ...(Array.isArray(providers) ? providers : []).flatMap((provider: unknown, index) => {
      const path = `providers[${index}]`;
      const parameters = memberOf(provider, 'authorizationParameters');
      return [
        ...unknownKeys(provider, path, providerEntries),
        ...unknownKeys(memberOf(provider, 'metadata'), `${path}.metadata`, metadataEntries),
        ...refusedParameters(parameters, `${path}.authorizationParameters`),
        ...droppedNames(parameters, `${path}.authorizationParameters`, "not a parameter's name"),
        ...droppedNames(memberOf(provider, 'allowed'), `${path}.allowed`, "not a claim's name"),
      ];
    }),
  ];
}

/** The path of a member as it is written in JavaScript: `providers[0].issuer`. */
export function toPath(parent: string, key: unknown): string {
  if (typeof key === 'number') return `${parent}[${key}]`;
  const name = String(key).slice(0, 60);
  if (!/^[\w$]+$/.test(name)) return `${parent}[${JSON.stringify(name)}]`;
  return parent === '' ? name : `${parent}.${name}`;
}

function unknownKeys(value: unknown, path: string, entries: object): string[] {
  const known = Object.keys(entries);
  return keysOf(value)
    .filter((key) => !known.includes(key))
    .map((key) => `${toPath(path, key)}: ${refusalOf(key, known)}`);
}

function refusalOf(key: string, known: readonly string[]): string {
  if (isSecret(key)) return secretRefusal;
  if (notYet.includes(key)) return 'not supported yet; remove it';
  const meant = findNearest(key, known);
  if (meant !== undefined) return `unknown key; did you mean "${meant}"?`;
  return `unknown key; expected one of ${known.map((name) => `"${name}"`).join(', ')}`;
}

function refusedParameters(parameters: unknown, path: string): string[] {
  return keysOf(parameters).flatMap((name) => {
    const refusal = parameterRefusalOf(name);
    return refusal === null ? [] : `${toPath(path, name)}: ${refusal}`;
  });
}

function parameterRefusalOf(name: string): string | null {
  if (isSecret(name)) return secretRefusal;
  return Object.hasOwn(reservedParameters, name) ? `refused, because ${reservedParameters[name]}` : null;
}

/** Names that valibot leaves out of a record without a word. */
function droppedNames(record: unknown, path: string, refusal: string): string[] {
  return keysOf(record)
    .filter((name) => ['__proto__', 'constructor', 'prototype'].includes(name))
    .map((name) => `${toPath(path, name)}: ${refusal}`);
}

const secretRefusal =
  'refused: whoever installs an extension can read it, so it cannot keep a secret; ' +
  'register a public client (PKCE, no secret), remove this key, and have the provider replace the secret';

function isSecret(key: string): boolean {
  return /secret|password|assertion|private_?key/i.test(key);
}

function keysOf(value: unknown): string[] {
  return isObject(value) ? Object.keys(value) : [];
}

function memberOf(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
