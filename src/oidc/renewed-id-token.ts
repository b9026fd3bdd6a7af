// Checks the ID token that a renewal may bring. If it's for another user, neither it nor the tokens beside it may be used. If
// it's merely late or can't be verified now, the session can do without it.

import * as oauth from 'oauth4webapi';
import { detail, type Detail } from '../session/detail.ts';
import type { ProblemError } from '../session/problem.ts';
import { findExclusion } from './allowed.ts';
import { rejectClaim } from './claim-error.ts';
import { checkAge, checkIdToken, verifySignature, type KeySource } from './id-token.ts';
import type { ProviderClient } from './provider-client.ts';
import type { Metadata } from './discover.ts';
import { toProblemErrors } from './rejection.ts';

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
    return await toProblemErrors(client, detail`renewal`, async () => {
      const copy = response.clone();
      // Tolerates any time.
      const tolerant = { ...client.oauthClient(), [oauth.clockTolerance]: Number.MAX_SAFE_INTEGER };
      const answer = await oauth.processRefreshTokenResponse(metadata, tolerant, response);
      const claims = await checkIdToken(client, answer);
      const change = findChange(authentication, claims);
      if (change !== null) throw change;
      const isVerified = await canVerify(client, metadata, keys, claims, response);
      const problem = findExclusion(client.provider, claims);
      if (problem !== null) return { outcome: 'ended', problem };
      const isUsable =
        isVerified &&
        hasSameAuthTime(authentication, claims) &&
        (await isTimely(client, metadata, claims, copy));
      return { outcome: isUsable ? 'verified' : 'unverified' };
    });
  } catch (error) {
    return { outcome: 'rejected', problem: error as ProblemError };
  }
}

/**
 * False if the provider's keys aren't available now, for whatever reason. Throws {@link ProblemError} for a wrong
 * signature.
 */
async function canVerify(
  client: ProviderClient,
  metadata: Metadata,
  keys: KeySource,
  claims: oauth.IDToken,
  response: Response,
): Promise<boolean> {
  let areKeysMissing = false;
  const watched: KeySource = (wanted) =>
    keys(wanted).catch((error: unknown) => {
      areKeysMissing = true;
      throw error;
    });
  try {
    await verifySignature(client, metadata, watched, claims, response);
    return true;
  } catch (error) {
    if (areKeysMissing) return false;
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
  /** Null if a session of an older version did not keep them; then they are not compared. */
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
  const reject = (claim: string, reason: Detail) =>
    rejectClaim(claim, claims, detail`another ${reason} than at the sign-in`);
  if (claims.sub !== subject) return reject('sub', detail`subject`);
  if (original === null) return null;
  const { audiences, authorizedParty, nonce } = original;
  if (!audiences.every((audience) => [claims.aud].flat().includes(audience)))
    return reject('aud', detail`audience`);
  if ((claims.azp ?? null) !== authorizedParty) return reject('azp', detail`authorized party`);
  if (claims.nonce !== undefined && claims.nonce !== nonce) return reject('nonce', detail`nonce`);
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
