// Secrets sent through a browser window, and the redirect that comes back.

import { detail, type Detail } from '../session/detail.ts';
import { ProblemError } from '../session/problem.ts';
import type { Environment } from './http.ts';

/** Creates an unguessable string of 256 bits, for a state, nonce or code verifier. */
export function createSecret({ randomBytes }: Environment): string {
  return toBase64Url(randomBytes(32));
}

/**
 * Validates a redirect and returns its parameters. Browsers match only the host or a prefix, so this compares
 * origin and path, and rejects repeated parameters (RFC 6749 section 3.1).
 *
 * Providers and browsers append meaningless fragments: Google's redirects end in "#", Facebook's in "#_=_", and a
 * browser carries a fragment over from an earlier redirect (RFC 9110 section 10.2.2). So a fragment without any parameter
 * is ignored. One with a parameter is rejected, because it may be a different response from the one in the query.
 *
 * Throws {@link ProblemError} `response-rejected`.
 */
export function readRedirect(redirectUri: string, responseUrl: string): URLSearchParams {
  const { url, fragment } = splitFragment(responseUrl);
  // Comparing the text up to the query also rejects ports, credentials and other spellings.
  if (url.split('?', 1)[0] !== redirectUri) throw rejectRedirect(notOurUri);
  if (mayHoldParameter(fragment ?? '')) throw rejectRedirect(detail`a parameter in the fragment`);
  const parameters = new URL(url).searchParams;
  if (repeatsName(parameters)) throw rejectRedirect(detail`a parameter is repeated`);
  return parameters;
}

/** Why a redirect to any other address is rejected. */
export const notOurUri = detail`not the redirect URI of this provider`;

/** Splits a URL at its first "#"; the fragment is null without one. */
export function splitFragment(url: string): { readonly url: string; readonly fragment: string | null } {
  const at = url.indexOf('#');
  return at === -1 ? { url, fragment: null } : { url: url.slice(0, at), fragment: url.slice(at + 1) };
}

/** Whether two parameters have the same name. */
export function repeatsName(parameters: URLSearchParams): boolean {
  return new Set(parameters.keys()).size !== parameters.size;
}

/** "%" may begin an encoded "=". */
function mayHoldParameter(fragment: string): boolean {
  return fragment !== '_=_' && /[=%]/.test(fragment);
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

/** The members of an answer, or the claims of a token. */
export type Members = Readonly<Record<string, unknown>>;

/** Parses a JSON object or list; null for any other text. The caller knows what that means. */
export function parseObject(text: string): Members | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? (value as Members | null) : null;
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

/** Reads a part of a JWT: base64url-encoded JSON of an object or a list; null for any other text. */
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
 * The claims of an ID token or of UserInfo as the standard has them: null and an empty list are no claim, a list of one stands for its
 * value, as Keycloak writes an attribute, and "true" for the boolean in `email_verified`, as Cognito's UserInfo has it
 * (https://github.com/zitadel/oidc/pull/139).
 */
export function toClaims(members: Members): Members {
  const claims: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(members)) {
    const [first, ...others] = [value].flat() as unknown[];
    const single = singleClaims.test(name) && others.length === 0 ? first : value;
    if (first === undefined || single === null) continue;
    claims[name] = name === 'email_verified' ? toFlag(single) : single;
  }
  return claims;
}

/** The boolean that a text stands for; any other value stays as it is. */
export function toFlag(value: unknown): unknown {
  const text = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return text === 'true' || text === 'false' ? text === 'true' : value;
}
