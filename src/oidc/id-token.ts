// The ID token checks that oauth4webapi leaves to its caller: signature, at_hash, additional audiences, azp
// with a single audience, age and the form of sub. oauth4webapi has checked iss, exp, nonce and auth_time by then,
// that this client is among the audiences, and that azp is this client if there are others.

import * as oauth from 'oauth4webapi';
import type { Provider } from '../config/provider.ts';
import { detail, type Detail, safe } from '../session/detail.ts';
import { ProblemError } from '../session/problem.ts';
import { fromBase64Url, toBase64Url } from './redirect.ts';
import { rejectClaim, toProblemError } from './problems.ts';
import { futureToleranceSeconds, type ProviderClient } from './http.ts';
import { type Keys, type Metadata, isTemplate } from './discover.ts';
import { type Key, verifyJwt } from './keys.ts';
import { isSameValue } from '../config/allowed.ts';
import type { ProfileClaims } from './tokens.ts';

/** Finds the provider's keys: cached ones, or fresh ones if the cached ones don't fit. */
export type KeySource = (wanted: 'cached' | 'fresh') => Promise<Keys>;

/** The token is issued for this request, so an older one belongs to another. */
const maxTokenAgeSeconds = 10 * 60;

/**
 * Checks the claims of the ID token in a token response that oauth4webapi has processed, and returns them
 * (OpenID Connect Core 3.1.3.7 and 3.1.3.8), except their age. Throws {@link ProblemError} `response-rejected`.
 */
export async function checkIdToken(
  { provider }: ProviderClient,
  tokenResponse: oauth.TokenEndpointResponse,
): Promise<oauth.IDToken> {
  const claims = oauth.getValidatedIdTokenClaims(tokenResponse);
  if (claims === undefined) throw reject(detail`missing`);
  // oauth4webapi accepts spaces, which a JWT can't have (RFC 7515 section 2). An API may get this token.
  if (/\s/.test(tokenResponse.id_token ?? '')) throw reject(detail`a space in it`);
  // With the ID token itself as the answer there is no access token (3.2.2.11).
  if (provider.responseType !== 'id_token') await checkAccessTokenHash(tokenResponse, claims);
  if (![claims.aud].flat().every((audience) => isTrusted(audience, provider))) {
    throw rejectClaim('aud', claims, detail`an audience that is not in "trustedAudiences"`);
  }
  if (claims.azp !== undefined && claims.azp !== provider.clientId) {
    throw rejectClaim('azp', claims, detail`another party's`);
  }
  if (!/^[\x20-\x7e]{1,255}$/.test(claims.sub)) {
    throw rejectClaim('sub', claims, detail`not a subject`);
  }
  return claims;
}

/** Checks that an ID token was issued just now, for this request. Throws `response-rejected`. */
export function checkAge({ nowSeconds }: ProviderClient, claims: oauth.IDToken): void {
  const age = nowSeconds() - claims.iat;
  if (age > maxTokenAgeSeconds) throw rejectClaim('iat', claims, detail`issued too long ago`);
  if (age < -futureToleranceSeconds) {
    throw rejectClaim('iat', claims, detail`issued in the future`);
  }
}

/**
 * A token with an audience that the client does not trust is rejected (OpenID Connect Core 3.1.3.7, rule 3), so that a token
 * for another client can't be used here. "any" is still safe: each of our ID tokens comes from the token endpoint
 * itself, names us as the authorized party, and goes only to the provider, so no other audience can get it from us.
 * The configuration refuses "any" where the ID token comes through the browser and may go to APIs.
 * Zitadel names all clients of a project, so with a list no one could sign in once the project gets another client.
 */
function isTrusted(audience: unknown, { clientId, trustedAudiences }: Provider): boolean {
  if (typeof audience !== 'string') return false;
  return audience === clientId || trustedAudiences === 'any' || trustedAudiences.includes(audience);
}

/** The cause of a problem with a signature that is neither right nor wrong. */
class UndecidedError extends Error {
  override readonly name = 'UndecidedError';
}

/**
 * Whether an ID token's signature is neither right nor wrong: none of the provider's keys fits, or it can't be read. That says nothing
 * against the tokens beside it.
 */
function isUndecided(error: unknown): boolean {
  return error instanceof ProblemError && error.cause instanceof UndecidedError;
}

/**
 * Verifies the signature of an ID token whose claims were checked. If no cached key has signed it, fetches the keys once
 * more (OpenID Connect Core 10.1.1). Throws {@link ProblemError} `response-rejected`, which {@link isUndecided} tells apart,
 * or what an exchange throws if the keys cannot be fetched.
 */
export async function verifySignature(
  metadata: Metadata,
  keys: KeySource,
  { iss }: oauth.IDToken,
  idToken: string,
): Promise<void> {
  // A key with an `issuer` of its own, as at Entra, only signs for that issuer.
  const issuers: readonly unknown[] = [undefined, metadata.issuer, iss];
  const maySign = (key: Key) => !isTemplate(metadata.issuer) || issuers.includes(key['issuer']);
  const verify = async (wanted: 'cached' | 'fresh') => {
    const { keys: all, algorithms = metadata.id_token_signing_alg_values_supported } = await keys(wanted);
    const [own, others] = [all.filter(maySign), all.filter((key) => !maySign(key))];
    const outcome = await verifyJwt(idToken, own, algorithms);
    const isAnothers = outcome === 'unknown' && (await verifyJwt(idToken, others, algorithms)) === 'verified';
    return isAnothers ? 'refuted' : outcome;
  };
  const cached = await verify('cached');
  const outcome = cached === 'verified' ? cached : await verify('fresh');
  if (outcome === 'verified') return;
  const cause = outcome === 'refuted' ? undefined : new UndecidedError();
  throw reject(signatureFaults[outcome], { cause });
}

const signatureFaults = {
  refuted: detail`JWT signature verification failed`,
  unreadable: detail`its key or its signature cannot be read`,
  unknown: detail`none of the provider's keys fits`,
  unannounced: detail`its algorithm is none of those that the provider names`,
} as const;

/** Compares `at_hash` with the left half of the access token's hash, which uses the hash of the signature. */
async function checkAccessTokenHash(
  { id_token, access_token }: oauth.TokenEndpointResponse,
  claims: oauth.IDToken,
): Promise<void> {
  const atHash = claims['at_hash'];
  if (atHash === undefined) return;
  const [header] = String(id_token).split('.', 1);
  const { alg } = JSON.parse(fromBase64Url(String(header))) as { alg: string };
  // Ed25519 uses SHA-512; the other names end in the number of bits.
  const bits = alg.startsWith('Ed') ? '512' : alg.slice(-3);
  if (!['256', '384', '512'].includes(bits)) {
    throw rejectClaim('at_hash', claims, detail`no hash is known for its algorithm`);
  }
  const digest = await crypto.subtle.digest(`SHA-${bits}`, new TextEncoder().encode(access_token));
  if (atHash !== toBase64Url(new Uint8Array(digest, 0, digest.byteLength / 2))) {
    throw rejectClaim('at_hash', claims, detail`not of this access token`);
  }
}

function reject(reason: Detail, options?: ErrorOptions): ProblemError {
  return new ProblemError('response-rejected', detail`ID token: ${reason}`, options);
}

// Checks the ID token that a renewal may bring. If it's for another user, neither it nor the tokens beside it may be used. If
// it's merely late or can't be verified now, the session can do without it.

/**
 * The result of the check:
 * - `verified`: every check passed;
 * - `unverified`: it belongs to this authentication, but its times are wrong, or the provider's keys aren't available now;
 * - `rejected`: it is not a valid ID token of this issuer for this client and this authentication;
 * - `ended`: it belongs to this authentication, but its user is no longer allowed.
 */
type RenewedIdToken =
  | { readonly outcome: 'verified' | 'unverified' }
  | { readonly outcome: 'rejected' | 'ended'; readonly problem: ProblemError };

/**
 * Checks the ID token of a successful token response by itself, and compares it with the original one (OpenID Connect
 * Core 12.2). Never rejects.
 */
export async function checkRenewedIdToken(
  client: ProviderClient,
  metadata: Metadata,
  keys: KeySource,
  authentication: Authentication,
  response: Response,
): Promise<RenewedIdToken> {
  try {
    const copy = response.clone();
    // Tolerates any time.
    const tolerant = { ...client.oauthClient(), [oauth.clockTolerance]: Number.MAX_SAFE_INTEGER };
    const answer = await oauth.processRefreshTokenResponse(metadata, tolerant, response);
    const claims = await checkIdToken(client, answer);
    const change = findChange(authentication, claims);
    if (change !== null) throw change;
    const isVerified = await canVerify(metadata, keys, claims, String(answer.id_token));
    const problem = findExclusion(client.provider, claims);
    if (problem !== null) return { outcome: 'ended', problem };
    const isUsable =
      isVerified &&
      hasSameAuthTime(authentication, claims) &&
      (await isTimely(client, metadata, claims, copy));
    return { outcome: isUsable ? 'verified' : 'unverified' };
  } catch (error) {
    return { outcome: 'rejected', problem: toProblemError(client, detail`renewal`, error) };
  }
}

/**
 * False if the provider's keys aren't available now, for whatever reason, or none of them fits. Throws {@link ProblemError} for a
 * wrong signature.
 */
async function canVerify(
  metadata: Metadata,
  keys: KeySource,
  claims: oauth.IDToken,
  idToken: string,
): Promise<boolean> {
  let areKeysMissing = false;
  const watched: KeySource = (wanted) =>
    keys(wanted).catch((error: unknown) => {
      areKeysMissing = true;
      throw error;
    });
  try {
    await verifySignature(metadata, watched, claims, idToken);
    return true;
  } catch (error) {
    if (areKeysMissing || isUndecided(error)) return false;
    throw error;
  }
}

/** Whether the token is valid now and was issued for this request. It has passed all other checks. */
async function isTimely(
  client: ProviderClient,
  metadata: Metadata,
  claims: oauth.IDToken,
  response: Response,
): Promise<boolean> {
  try {
    await oauth.processRefreshTokenResponse(metadata, client.oauthClient(), response);
    checkAge(client, claims);
    return true;
  } catch {
    return false;
  }
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
  /** Null without an ID token at the sign-in; then they are not compared. */
  readonly claims: OriginalClaims | null;
}

/** The claims to remember from a verified ID token. */
export function toOriginalClaims({ aud, azp, nonce, auth_time }: oauth.IDToken): OriginalClaims {
  return {
    audiences: [aud].flat(),
    authorizedParty: azp ?? null,
    // One that was not asked for has not been compared, and may be anything.
    nonce: typeof nonce === 'string' ? nonce : '',
    authTimeSeconds: auth_time ?? null,
  };
}

/**
 * Returns why a renewed ID token doesn't belong to this authentication; null if it does. Its `sub` and `azp` must be the
 * same, and `azp` must be missing if it was missing before. Its `aud` must name all the audiences. Its `nonce` must be missing
 * or the same. Its `iss` has been compared with the provider's issuer, which is that of the session.
 */
function findChange(
  { subject, claims: original }: Authentication,
  claims: oauth.IDToken,
): ProblemError | null {
  const rejectChange = (claim: string, reason: Detail) =>
    rejectClaim(claim, claims, detail`another ${reason} than at the sign-in`);
  if (claims.sub !== subject) return rejectChange('sub', detail`subject`);
  if (original === null) return null;
  const { audiences, authorizedParty, nonce } = original;
  if (!audiences.every((audience) => [claims.aud].flat().includes(audience)))
    return rejectChange('aud', detail`audience`);
  if ((claims.azp ?? null) !== authorizedParty) return rejectChange('azp', detail`authorized party`);
  if (claims.nonce !== undefined && claims.nonce !== nonce) return rejectChange('nonce', detail`nonce`);
  return null;
}

/**
 * Whether the `auth_time` of a renewed ID token is the original's, if both have one. Some providers send the time of the renewal
 * (Azure AD B2C) or of a later sign-in, so a different one makes the ID token useless, but says nothing against the tokens
 * beside it.
 */
function hasSameAuthTime({ claims: original }: Authentication, { auth_time }: oauth.IDToken): boolean {
  const authTimeSeconds = original?.authTimeSeconds ?? null;
  return auth_time === undefined || authTimeSeconds === null || auth_time === authTimeSeconds;
}

// Checks the configured `allowed` rules against the claims of a verified ID token, or the answer of a user API.

/**
 * Returns a `not-permitted` error that names the first claim to violate `allowed` (never its value), or null
 * if the user may sign in. An unverified email proves nothing, so it never matches.
 */
export function findExclusion(
  { allowed }: Provider,
  claims: ProfileClaims,
  source: 'ID token' | 'user API' = 'ID token',
): ProblemError | null {
  for (const [claim, values] of Object.entries(allowed)) {
    const isUnverified = claim === 'email' && claims['email_verified'] !== true;
    const actual = [claims[claim]].flat();
    const isAllowed = (value: unknown) => values.some((one) => isSameValue(claim, value, one));
    if (!isUnverified && actual.some(isAllowed)) continue;
    const fault = isUnverified ? detail`not verified` : detail`none of those allowed`;
    const reason = detail`${safe(source)}: "${safe(claim)}" is ${fault}`;
    return new ProblemError('not-permitted', reason);
  }
  return null;
}
