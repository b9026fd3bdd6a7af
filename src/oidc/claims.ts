// The checks of an ID token's claims (OpenID Connect Core 3.1.3.7). Signature and `at_hash` are checked elsewhere.

import { _expectedIssuer as expectedIssuer, type IDToken } from 'oauth4webapi';
import { detail, safe, type Detail } from '../session/detail.ts';
import { ProblemError } from '../session/problem.ts';
import type { Metadata } from './discover.ts';
import { expiryToleranceSeconds, futureToleranceSeconds, type ProviderClient } from './http.ts';
import { publicKeyAlgorithms } from './keys.ts';
import { rejectClaim } from './problems.ts';
import { type Members, readJson, toClaims } from './redirect.ts';

/** An ID token that was read, and not checked. Its claims have no null and no empty list: those count as missing. */
export interface ReadIdToken {
  readonly text: string;
  readonly header: Members;
  readonly claims: Members;
}

/** The request's demands on the ID token. */
export interface Expected {
  /** Null if none was sent. Then the token may have any or none. */
  readonly nonce: string | null;
  /** How long ago the authentication may be, in seconds; null for any time. */
  readonly maxAgeSeconds: number | null;
}

/** Reads a signed JWT (RFC 7515 section 7.1). Throws {@link ProblemError} `response-rejected`. */
export function readIdToken(text: string | undefined): ReadIdToken {
  if (text === undefined) throw reject(detail`"id_token" is missing`);
  const parts = text.split('.', 6);
  if (parts.length === 5) throw reject(detail`it is encrypted`);
  // A JWT has no space, and an API may get this token.
  if (parts.length !== 3 || /\s/.test(text)) throw reject(detail`not a signed JWT`);
  const [header, claims] = parts.map(readJson);
  if (!header || !claims) throw reject(detail`its header or its claims are no JSON object`);
  return { text, header, claims: toClaims(claims) };
}

/**
 * Checks everything but the times, and returns the claims. Throws {@link ProblemError} `response-rejected`.
 */
export function checkClaims(
  { provider: { clientId } }: ProviderClient,
  metadata: Metadata,
  { header, claims }: ReadIdToken,
): IDToken {
  const { alg, crit } = header;
  // Which of them the provider uses is checked with the signature, and its newest metadata.
  if (!publicKeyAlgorithms.some((one) => one === alg)) throw reject(detail`unexpected "alg" in its header`);
  if (crit !== undefined) throw reject(detail`a critical header that is not known`);
  for (const [name, types] of Object.entries(requiredClaims)) {
    if (claims[name] === undefined) throw reject(detail`"${safe(name)}" is missing`);
    const type = Array.isArray(claims[name]) ? 'list' : typeof claims[name];
    if (!types.includes(type)) throw reject(detail`"${safe(name)}" has the wrong type`);
  }
  const { iss, aud, azp } = claims;
  if (iss !== toExpectedIssuer(metadata, claims)) throw rejectClaim('iss', claims, detail`another issuer`);
  const audiences = [aud].flat();
  if (!audiences.includes(clientId)) throw rejectClaim('aud', claims, detail`not for this client`);
  if (audiences.length > 1 && azp === undefined)
    throw rejectClaim('aud', claims, detail`further audiences and no authorized party`);
  if (azp !== undefined && azp !== clientId) throw rejectClaim('azp', claims, detail`another party's`);
  // The forms have been checked.
  return claims as unknown as IDToken;
}

/** The issuer that an ID token with these claims must name. Throws {@link ProblemError} `response-rejected`. */
export function toExpectedIssuer(metadata: Metadata, claims: Members): string {
  return metadata[expectedIssuer]?.({ claims }) ?? metadata.issuer;
}

/** The claims that every ID token has (section 2), with their types. */
const requiredClaims: Readonly<Record<string, readonly string[]>> = {
  aud: ['string', 'list'],
  exp: ['number'],
  iat: ['number'],
  iss: ['string'],
  sub: ['string'],
};

/** The token is issued for this request, so an older one belongs to another. */
const maxTokenAgeSeconds = 10 * 60;

/**
 * Checks that an ID token is valid now, and was issued just now, for this request. Throws {@link ProblemError}
 * `response-rejected`.
 */
export function checkTimes({ nowSeconds }: Pick<ProviderClient, 'nowSeconds'>, claims: IDToken): void {
  const now = nowSeconds();
  const { exp, nbf = now, iat } = claims;
  if (exp <= now - expiryToleranceSeconds) throw rejectClaim('exp', claims, detail`it has expired`);
  if (typeof nbf !== 'number') throw reject(detail`"nbf" has the wrong type`);
  if (nbf > now + futureToleranceSeconds) throw rejectClaim('nbf', claims, detail`it is not valid yet`);
  if (now - iat > maxTokenAgeSeconds) throw rejectClaim('iat', claims, detail`issued too long ago`);
  if (iat > now + futureToleranceSeconds) throw rejectClaim('iat', claims, detail`issued in the future`);
}

/** Checks that an ID token is the response to this request. Throws {@link ProblemError} `response-rejected`. */
export function checkExpected(
  { nowSeconds }: Pick<ProviderClient, 'nowSeconds'>,
  claims: IDToken,
  { nonce, maxAgeSeconds }: Expected,
): void {
  if (nonce !== null && claims.nonce === undefined) throw reject(detail`"nonce" is missing`);
  if (nonce !== null && claims.nonce !== nonce) throw rejectClaim('nonce', claims, detail`another nonce`);
  if (maxAgeSeconds === null) return;
  // Without one, it's too long ago.
  const age = nowSeconds() - (toAuthTime(claims) ?? -Infinity);
  if (age > maxAgeSeconds + expiryToleranceSeconds)
    throw rejectClaim('auth_time', claims, detail`authenticated too long ago`);
}

/**
 * When the user was authenticated, in seconds since the epoch; null if that can't be read. Some send a text: with a number or, at
 * AD FS, a date (https://github.com/panva/jose/issues/73).
 */
export function toAuthTime({ auth_time: time }: Pick<IDToken, 'auth_time'> | Members): number | null {
  const text = typeof time === 'string' ? time.trim() : '';
  const seconds = /^[\d.]+$/.test(text) ? Number(text) : Date.parse(text) / 1000;
  const read = typeof time === 'number' ? time : seconds;
  return read >= 0 && read < Infinity ? read : null;
}

function reject(reason: Detail): ProblemError {
  return new ProblemError('response-rejected', detail`ID token: ${reason}`);
}
