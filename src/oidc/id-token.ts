// The checks of an ID token (OpenID Connect Core 3.1.3.7): its claims, its times, its signature; that of a renewal; and who is
// `allowed`.

import type { IDToken } from 'oauth4webapi';
import type { Provider } from '../config/provider.ts';
import { isSameValue, toPolicyName } from '../config/allowed.ts';
import { guid } from '../config/issuer.ts';
import { tenantPlaceholder } from '../config/url.ts';
import { detail, type Detail, safe } from '../session/detail.ts';
import { ProblemError } from '../session/problem.ts';
import type { Keys, Metadata } from './discover.ts';
import { expiryToleranceSeconds, futureToleranceSeconds, type ProviderClient } from './http.ts';
import {
  type Key,
  type Members,
  publicKeyAlgorithms,
  readJson,
  toBase64Url,
  toClaims,
  verifyJwt,
} from './jwt.ts';
import { rejectClaim, rejectIdToken as reject, toProblemError } from './problems.ts';
import type { ProfileClaims } from './tokens.ts';

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

/** Checks the claims but for the times, and returns them. Throws {@link ProblemError} `response-rejected`. */
function checkClaims(
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

/**
 * The issuer that an ID token with these claims must name. A provider with many tenants, such as Microsoft Entra, names a template, and
 * each tenant has an issuer of its own: the template filled with `tid`, a GUID. At a renewal it's that of the session. Throws
 * {@link ProblemError} `response-rejected`.
 */
export function toExpectedIssuer({ issuer, sessionIssuer }: Metadata, claims: Members): string {
  if (!isTemplate(issuer)) return issuer;
  const { tid, iss } = claims;
  if (typeof tid !== 'string' || !guid.test(tid))
    throw rejectClaim('tid', claims, detail`its tenant is not a GUID`);
  const filled = issuer.replace(tenantPlaceholder, tid);
  return iss === filled ? (sessionIssuer ?? filled) : filled;
}

/** Whether metadata name a template for the tenants' issuers. */
export function isTemplate(issuer: string): boolean {
  return issuer.includes(tenantPlaceholder);
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
function toAuthTime({ auth_time: time }: Pick<IDToken, 'auth_time'> | Members): number | null {
  const text = typeof time === 'string' ? time.trim() : '';
  const seconds = /^[\d.]+$/.test(text) ? Number(text) : Date.parse(text) / 1000;
  const read = typeof time === 'number' ? time : seconds;
  return read >= 0 && read < Infinity ? read : null;
}

/** Finds the provider's keys: cached ones, or fresh ones if the cached ones don't fit. */
export type KeySource = (wanted: 'cached' | 'fresh') => Promise<Keys>;

/**
 * Checks an ID token that came with `accessToken` (OpenID Connect Core 3.1.3.7 and 3.1.3.8), except its times and its signature,
 * and returns its claims. Throws {@link ProblemError} `response-rejected`.
 */
export async function checkIdToken(
  client: ProviderClient,
  metadata: Metadata,
  idToken: ReadIdToken,
  accessToken: string,
): Promise<IDToken> {
  const { provider } = client;
  const claims = checkClaims(client, metadata, idToken);
  // With the ID token itself as the response there is no access token (3.2.2.11).
  if (provider.responseType !== 'id_token') await checkAccessTokenHash(idToken, claims, accessToken);
  if (![claims.aud].flat().every((audience) => isTrusted(audience, provider))) {
    throw rejectClaim('aud', claims, detail`an audience that is not in "trustedAudiences"`);
  }
  if (!/^[\x20-\x7e]{1,255}$/.test(claims.sub)) {
    throw rejectClaim('sub', claims, detail`not a subject`);
  }
  return claims;
}

/**
 * A token with an audience that the client doesn't trust is rejected (OpenID Connect Core 3.1.3.7, rule 3), so that a token for another
 * client can't be used here. "any", for Zitadel, which names all clients of a project, is still safe: the ID token comes from the token
 * endpoint itself, names us as the authorized party, and goes only to the provider. The configuration refuses "any" where it comes through
 * the browser and may go to APIs.
 */
function isTrusted(audience: unknown, { clientId, trustedAudiences }: Provider): boolean {
  if (typeof audience !== 'string') return false;
  return audience === clientId || trustedAudiences === 'any' || trustedAudiences.includes(audience);
}

/**
 * Verifies the signature of an ID token whose claims were checked. If no cached key has signed it, fetches the keys once more (OpenID
 * Connect Core 10.1.1). Throws {@link ProblemError} `response-rejected`, with the cause `refuted` if the key that the token names hasn't
 * made it, or what an exchange throws if the keys can't be fetched.
 */
export async function verifySignature(
  metadata: Metadata,
  keys: KeySource,
  { iss }: Pick<IDToken, 'iss'>,
  idToken: string,
): Promise<void> {
  // A key with an `issuer` of its own, as at Entra, only signs for that issuer.
  const issuers: readonly unknown[] = [undefined, metadata.issuer, iss];
  const isOfTenant = isTemplate(metadata.issuer);
  const maySign = (key: Key) => !isOfTenant || issuers.includes(key['issuer']);
  const verify = async (wanted: 'cached' | 'fresh') => {
    const { keys: all, algorithms = metadata.id_token_signing_alg_values_supported } = await keys(wanted);
    const outcome = await verifyJwt(idToken, all.filter(maySign), algorithms);
    if (outcome !== 'unknown') return outcome;
    const others = all.filter((key) => !maySign(key));
    return (await verifyJwt(idToken, others, algorithms)) === 'verified' ? 'refuted' : outcome;
  };
  const cached = await verify('cached');
  const outcome = cached === 'verified' ? cached : await verify('fresh');
  if (outcome === 'verified') return;
  throw reject(signatureFaults[outcome], outcome);
}

const signatureFaults = {
  refuted: detail`JWT signature verification failed`,
  unreadable: detail`its key or its signature cannot be read`,
  unknown: detail`none of the provider's keys fits`,
  unannounced: detail`its algorithm is none of those that the provider names`,
} as const;

/** Compares `at_hash` with the left half of the access token's hash, which uses the hash of the signature. */
async function checkAccessTokenHash(
  { header }: ReadIdToken,
  claims: IDToken,
  accessToken: string,
): Promise<void> {
  const atHash = claims['at_hash'];
  if (atHash === undefined) return;
  const alg = String(header['alg']);
  // Ed25519 uses SHA-512; the other names end in the number of bits.
  const bits = alg.startsWith('Ed') ? '512' : alg.slice(-3);
  if (!['256', '384', '512'].includes(bits)) {
    throw rejectClaim('at_hash', claims, detail`no hash is known for its algorithm`);
  }
  const digest = await crypto.subtle.digest(`SHA-${bits}`, new TextEncoder().encode(accessToken));
  if (atHash !== toBase64Url(new Uint8Array(digest, 0, digest.byteLength / 2))) {
    throw rejectClaim('at_hash', claims, detail`not of this access token`);
  }
}

// The ID token that a renewal may bring. The tokens that came with it are from the token endpoint itself, in response to the session's
// own refresh token, so only a sign of a different user or client counts against them. With any other fault, it isn't used.

type RenewedIdToken =
  | { readonly outcome: 'verified' | 'unverified' }
  | { readonly outcome: 'rejected' | 'ended'; readonly problem: ProblemError };

/**
 * Checks an ID token that came with `accessToken`, and compares it with the original one (OpenID Connect Core 12.2):
 * - `verified`: every check passed;
 * - `unverified`: it isn't used: its times are wrong, the provider's keys aren't available or don't have the one that signed it, it tells
 *   of another authentication of the same user, or it can't be read;
 * - `rejected`: it names another user, issuer or client, or the key that it names hasn't signed it;
 * - `ended`: its user is no longer allowed.
 */
export async function checkRenewedIdToken(
  client: ProviderClient,
  metadata: Metadata,
  keys: KeySource,
  authentication: Authentication,
  idToken: string,
  accessToken: string,
): Promise<RenewedIdToken> {
  try {
    const read = readIdToken(idToken);
    const { claims } = read;
    let isSigned;
    try {
      expectSameParties(client, metadata, authentication, claims);
      isSigned = await verifySignature(metadata, keys, claims as IDToken, idToken).then(
        () => true,
        // Any other fault, such as missing keys, says nothing against the tokens that came with it.
        (error: unknown) => {
          if (error instanceof ProblemError && error.cause === 'refuted') throw error;
          return false;
        },
      );
    } catch (error) {
      return { outcome: 'rejected', problem: toProblemError(client, detail`renewal`, error) };
    }
    const problem = findExclusion(client.provider, { ...claims, sub: authentication.subject });
    if (problem !== null) return { outcome: 'ended', problem };
    const checked = await checkIdToken(client, metadata, read, accessToken);
    checkTimes(client, checked);
    return { outcome: isSigned && isSameAuthentication(authentication, checked) ? 'verified' : 'unverified' };
  } catch {
    return { outcome: 'unverified' };
  }
}

/** Throws {@link ProblemError} `response-rejected` for claims that name another user, issuer or client. */
function expectSameParties(
  { provider: { clientId } }: ProviderClient,
  metadata: Metadata,
  { subject }: Authentication,
  claims: Members,
): void {
  const { iss, sub, aud, azp } = claims;
  const parties = [
    ['sub', sub === subject, detail`another subject than at the sign-in`],
    ['iss', iss === toExpectedIssuer(metadata, claims), detail`another issuer`],
    ['aud', [aud].flat().includes(clientId), detail`not for this client`],
    ['azp', azp === clientId, detail`another party's`],
  ] as const;
  for (const [claim, isSame, reason] of parties)
    if (claims[claim] !== undefined && !isSame) throw rejectClaim(claim, claims, reason);
}

/** Claims of the ID token that the provider issued when it last signed the user in, in the window or silently. */
export interface OriginalClaims {
  readonly audiences: readonly string[];
  /** `azp`; null if there was none. */
  readonly authorizedParty: string | null;
  readonly nonce: string;
  /** `auth_time`, in seconds since the epoch; null if there was none. */
  readonly authTimeSeconds: number | null;
}

/** The authentication that a session rests on. */
export interface Authentication {
  readonly subject: string;
  /** Null without an ID token at the sign-in; then they aren't compared. */
  readonly claims: OriginalClaims | null;
}

/** The claims to remember from a verified ID token. */
export function toOriginalClaims(claims: IDToken): OriginalClaims {
  const { aud, azp, nonce } = claims;
  return {
    audiences: [aud].flat(),
    authorizedParty: azp ?? null,
    // One that wasn't asked for hasn't been compared, and may be anything.
    nonce: typeof nonce === 'string' ? nonce : '',
    authTimeSeconds: toAuthTime(claims),
  };
}

/**
 * Whether a renewed ID token belongs to this authentication. `aud` must name all the audiences, and `nonce` may be missing. Some providers
 * send another `auth_time`: that of the renewal (Azure AD B2C) or of a later sign-in.
 */
function isSameAuthentication({ claims: original }: Authentication, claims: IDToken): boolean {
  if (original === null) return true;
  const { audiences, authorizedParty, nonce, authTimeSeconds } = original;
  const authTime = toAuthTime(claims);
  return (
    audiences.every((audience) => [claims.aud].flat().includes(audience)) &&
    (claims.azp ?? null) === authorizedParty &&
    (claims.nonce === undefined || claims.nonce === nonce) &&
    (authTime === null || authTimeSeconds === null || authTime === authTimeSeconds)
  );
}

/**
 * Returns a `not-permitted` error that names the first claim to violate `allowed` (never its value), or null if the user may sign in. If
 * the build would let the user in, it names the policy. An unverified email never matches, because it proves nothing.
 */
export function findExclusion(
  { allowed, policy }: Provider,
  claims: ProfileClaims,
  source: 'ID token' | 'user API' = 'ID token',
): ProblemError | null {
  const find = (rules: Provider['allowed']): Detail | null => {
    for (const [claim, values] of Object.entries(rules)) {
      const isUnverified = claim === 'email' && claims['email_verified'] !== true;
      const actual = [claims[claim]].flat();
      const isAllowed = (value: unknown) => values.some((one) => isSameValue(claim, value, one));
      if (!isUnverified && actual.some(isAllowed)) continue;
      const fault = isUnverified ? detail`not verified` : detail`none of those allowed`;
      return detail`${safe(source)}: "${safe(claim)}" is ${fault}`;
    }
    return null;
  };
  const ofBuild = find(policy?.allowedByBuild ?? allowed);
  const ofPolicy = policy && find(allowed);
  const reason = ofBuild ?? (ofPolicy ? detail`${toPolicyName(policy.by)}: ${ofPolicy}` : null);
  return reason && new ProblemError('not-permitted', reason);
}
