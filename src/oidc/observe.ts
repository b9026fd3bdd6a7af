// Finds what is secret or personal in the requests and responses of a provider.

import { fromBase64Url } from './base64url.ts';
import { parseUrl } from '../session/parse-url.ts';
import { parseObject } from './json-object.ts';
import type { Secrets } from './secrets.ts';

/** Parameters and members whose values are secret, or of use to nobody else. */
const secretNames: readonly string[] = [
  'access_token',
  'assertion',
  'client_assertion',
  'code',
  'code_verifier',
  'id_token',
  'id_token_hint',
  'nonce',
  'refresh_token',
  'request_uri',
  'state',
  'subject_token',
  'token',
];

/** Members of a response that are secret. */
const issuedNames: readonly string[] = ['access_token', 'id_token', 'refresh_token', 'request_uri'];

/** Claims that say nothing about the person. The nonce, another one at each sign-in, is remembered as a secret. */
const impersonalClaims: readonly string[] = [
  'acr',
  'amr',
  'at_hash',
  'aud',
  'auth_time',
  'azp',
  'c_hash',
  'exp',
  'iat',
  'iss',
  'nbf',
  'nonce',
  'scope',
  'scp',
  'token_type',
  'typ',
  'updated_at',
];

/** Claims that are taken first, because a provider may send more than are remembered. */
const firstClaims: readonly string[] = ['email', 'name', 'sub', 'preferred_username', 'phone_number'];

/** The maximum number of values remembered of one set of claims, so that one set cannot push out all others. */
const maxClaimValues = 100;
const maxWordsOfName = 10;

/** Remembers the secrets and the login hint among the parameters of a request or of a redirect. */
export function observeParameters(secrets: Secrets, parameters: URLSearchParams): void {
  observeTokens(
    secrets,
    secretNames.map((name) => parameters.get(name)),
  );
  observeClaims(secrets, { email: parameters.get('login_hint') });
}

/** Remembers the secrets in the query and the fragment of a URL. Text that is not a URL has none. */
export function observeUrl(secrets: Secrets, text: string): void {
  const url = parseUrl(text);
  if (url === null) return;
  observeParameters(secrets, url.searchParams);
  observeParameters(secrets, new URLSearchParams(url.hash.slice(1)));
}

/** Remembers tokens, and the claims of those that are JWTs (RFC 7519), verified or not. */
export function observeTokens(secrets: Secrets, tokens: readonly (string | null)[]): void {
  for (const token of tokens) {
    if (token === null) continue;
    secrets.addSecrets([token]);
    const claims = readClaims(token);
    if (claims !== null) observeClaims(secrets, claims);
  }
}

/** The claims of a JWT (RFC 7519), which nobody has verified here; null if the token is none. */
export function readClaims(token: string): Readonly<Record<string, unknown>> | null {
  const [, payload, ...others] = token.split('.', 4);
  return payload === undefined || others.length !== 1 ? null : parseObject(decode(payload));
}

/** Remembers the values of claims, at any depth. */
export function observeClaims(secrets: Secrets, claims: Readonly<Record<string, unknown>>): void {
  const names = [...firstClaims.filter((name) => Object.hasOwn(claims, name)), ...Object.keys(claims)];
  const personal = [...new Set(names)].filter((name) => !impersonalClaims.includes(name));
  secrets.addPersonal(toValues(personal.map((name) => claims[name])));
  const { name, email, nonce } = claims;
  if (typeof nonce === 'string') secrets.addSecrets([nonce]);
  // A part of a name or of an address is personal as well.
  if (typeof name === 'string') secrets.addPersonal(name.split(/\s+/, maxWordsOfName));
  if (typeof email === 'string') secrets.addPersonal(email.split('@', 1));
}

/** Remembers the secrets of a request: in its URL, its body and its `Authorization`. */
export function observeRequest(secrets: Secrets, url: string, headers: Headers, body: unknown): void {
  observeUrl(secrets, url);
  if (body instanceof URLSearchParams) observeParameters(secrets, body);
  observeTokens(secrets, [headers.get('authorization')?.split(' ', 2)[1] ?? null]);
}

/**
 * Remembers the secrets of a successful response: the tokens and, if the request carried a token, which is how UserInfo
 * is asked, all values of the body.
 */
export function observeResponse(secrets: Secrets, request: Headers, response: Headers, body: string): void {
  secrets.addSecrets([response.get('dpop-nonce') ?? '']);
  const members = parseObject(body);
  if (members === null) return;
  if (request.has('authorization')) observeClaims(secrets, members);
  const tokens = issuedNames.map((name) => (Object.hasOwn(members, name) ? members[name] : null));
  observeTokens(
    secrets,
    tokens.map((token) => (typeof token === 'string' ? token : null)),
  );
}

/** The texts and long numbers in these values, and in the objects and lists among them. */
function toValues(values: readonly unknown[]): string[] {
  const found: string[] = [];
  const waiting = [...values];
  for (let index = 0; index < waiting.length && found.length < maxClaimValues; index += 1) {
    const value = waiting[index];
    if (typeof value === 'string') found.push(value);
    else if (typeof value === 'number') found.push(String(value));
    else if (typeof value === 'object' && value !== null)
      waiting.push(...Object.values(value).slice(0, maxClaimValues));
    if (waiting.length > maxClaimValues * 10) break;
  }
  return found;
}

function decode(payload: string): string {
  try {
    const binary = fromBase64Url(payload);
    const bytes = new Uint8Array(binary.length);
    // `Uint8Array.from` takes ten times as long for a text.
    for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
    return new TextDecoder().decode(bytes);
  } catch {
    // Not base64url, so it holds no claims.
    return '';
  }
}
