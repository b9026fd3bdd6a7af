// Secrets sent through a browser window, the redirect that comes back, and the texts in it: base64url, JSON and JWTs.

import { detail, safe, type Detail } from '../session/detail.ts';
import { ProblemError } from '../session/problem.ts';
import type { Environment } from './http.ts';

/** Creates an unguessable string of 256 bits, for a state, nonce or code verifier. */
export function createSecret({ randomBytes }: Environment): string {
  return toBase64Url(randomBytes(32));
}

/** The part of a redirect in which a response stands. */
export type Place = 'query' | 'fragment';

/** A redirect with one of these parameters is a response. The others only come with one. */
const answers = ['error', 'code', 'id_token', 'access_token', 'refresh_token', 'response'];
/** The parameters that mean nothing if they're repeated (RFC 6749 section 3.1). Others are ignored (section 4.1.2). */
const unrepeatable = [...answers, 'state', 'iss'];

/**
 * Validates a redirect and returns the parameters of its response, which stands in `place`: the query, or the fragment
 * (OAuth 2.0 Multiple Response Type Encoding Practices, section 2.1). Browsers match only the host or a prefix, so this compares
 * origin and path. A parameter without a value counts as missing (RFC 6749 section 3.1).
 *
 * The other part may hold anything but a response: a browser carries the fragment of an earlier page over a redirect (RFC 9110
 * section 10.2.2). Only a refusal counts in either part, because it reveals nothing: Twitch sends it in the query.
 *
 * Throws {@link ProblemError} `response-rejected` for another address, a second response, a code or token in the wrong part,
 * and a repeated parameter.
 */
export function readRedirect(
  redirectUri: string,
  responseUrl: string,
  place: Place = 'query',
): URLSearchParams {
  const [address, inFragment] = splitAt(responseUrl, '#');
  const [uri, inQuery] = splitAt(address, '?');
  // Comparing the text also rejects ports, credentials and other spellings.
  if (uri !== redirectUri) throw rejectRedirect(detail`not the redirect URI of this provider`);
  const parts = { query: readParameters(inQuery), fragment: readParameters(inFragment) };
  const otherPlace = place === 'query' ? 'fragment' : 'query';
  const [own, other] = [parts[place], parts[otherPlace]];
  const found = hasAnswer(own) || !isRefusal(other) ? own : other;
  if (found === own && hasAnswer(other) && !(isRefusal(own) && isRefusal(other)))
    throw rejectRedirect(detail`an answer in the ${safe(otherPlace)}`);
  if (unrepeatable.some((name) => found.getAll(name).length > 1))
    throw rejectRedirect(detail`a parameter is repeated`);
  return found;
}

/** Splits a text at the first `mark`. */
function splitAt(text: string, mark: string): readonly [before: string, after: string] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** ORCID refuses a silent request with this word alone. */
const bareRefusal = 'login_required';
/** Facebook names some errors by this parameter alone. */
const errorNumber = 'error_code';

function readParameters(text: string): URLSearchParams {
  // URLSearchParams would skip a "?" at the beginning.
  const all = [...new URLSearchParams(text.startsWith('?') ? '' : text)];
  const parameters = new URLSearchParams(all.filter(([, value]) => value !== ''));
  const isBare = all.some(([name, value]) => name === bareRefusal && value === '');
  const code = isBare ? bareRefusal : parameters.get(errorNumber);
  if (code !== null && !hasAnswer(parameters)) parameters.set('error', code);
  return parameters;
}

function hasAnswer(parameters: URLSearchParams): boolean {
  return answers.some((name) => parameters.has(name));
}

function isRefusal(parameters: URLSearchParams): boolean {
  return answers.every((name) => parameters.has(name) === (name === 'error'));
}

/** Whether two parameters have the same name. */
export function repeatsName(parameters: URLSearchParams): boolean {
  return new Set(parameters.keys()).size !== parameters.size;
}

/** Creates the error for a redirect that fails a check. */
export function rejectRedirect(reason: Detail): ProblemError {
  return new ProblemError('response-rejected', detail`redirect: ${reason}`);
}

// Texts as providers write them: base64url, JSON and JWTs.

/** Encodes bytes as base64url without padding (RFC 4648 section 5). */
export function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** Decodes base64url to a binary string: one character per byte. */
export function fromBase64Url(text: string): string {
  return atob(text.replaceAll('-', '+').replaceAll('_', '/'));
}

/** The members of a response, or the claims of a token. */
export type Members = Readonly<Record<string, unknown>>;

/** Parses a JSON object; null for any other text. The caller knows what that means. */
export function parseObject(text: string): Members | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && !Array.isArray(value) ? (value as Members | null) : null;
  } catch {
    return null;
  }
}

/** The claims of a JWT (RFC 7519), which aren't verified here; null if the token isn't one. */
export function readClaims(token: string): Members | null {
  const [, payload, ...others] = token.split('.', 4);
  const claims = payload === undefined || others.length !== 1 ? null : readJson(payload);
  return claims && toClaims(claims);
}

/** Reads a part of a JWT: base64url-encoded JSON of an object; null for any other text. */
export function readJson(part: string): Members | null {
  try {
    const binary = fromBase64Url(part);
    const bytes = new Uint8Array(binary.length);
    // `Uint8Array.from` takes ten times as long for a text.
    for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
    return parseObject(new TextDecoder().decode(bytes));
  } catch {
    // Not base64url, so it holds no JSON.
    return null;
  }
}

/** Claims with one value, but for those that say whose token it is and how long it's valid. */
const singleClaims =
  /^(?:acr|at_hash|auth_time|azp|nonce|picture|email(?:_verified)?|(?:\w+_)?name|preferred_username)$/;

/**
 * The claims of an ID token or of UserInfo as the standard has them: null and an empty list count as no claim, a list of one stands
 * for its value, as Keycloak writes an attribute; "true" for the boolean in `email_verified`, as Cognito's UserInfo has it
 * (https://github.com/zitadel/oidc/pull/139); and a text of digits for a time (https://github.com/openid/AppAuth-iOS/issues/713).
 */
export function toClaims(members: Members): Members {
  const claims: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(members)) {
    const [first, ...others] = [value].flat() as unknown[];
    const single = singleClaims.test(name) && others.length === 0 ? first : value;
    if (first === undefined || single === null) continue;
    claims[name] = ['exp', 'iat', 'nbf'].includes(name)
      ? toSeconds(single)
      : name === 'email_verified'
        ? toFlag(single)
        : single;
  }
  return claims;
}

/** The number that a text of digits stands for; any other value stays as it is. */
function toSeconds(value: unknown): unknown {
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
}

/** The boolean that a text stands for; any other value stays as it is. */
export function toFlag(value: unknown): unknown {
  const text = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return text === 'true' || text === 'false' ? text === 'true' : value;
}
