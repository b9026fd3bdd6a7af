// The claims of a sign-in's ID token that a renewed one must repeat (OpenID Connect Core 12.2).

import type * as oauth from 'oauth4webapi';
import { trusted, words, type Detail } from '../session/detail.ts';
import { ProblemError } from '../session/problem.ts';
import { ClaimError } from './claim-error.ts';
import { rejectClaim } from './id-token.ts';

/** Claims of the ID token that the provider issued when it last signed the person in, in the window or silently. */
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

/** The claims to remember of an ID token that was issued for the request with `nonce`. */
export function toOriginalClaims({ aud, azp, auth_time }: oauth.IDToken, nonce: string): OriginalClaims {
  return {
    audiences: [aud].flat(),
    authorizedParty: azp ?? null,
    nonce,
    authTimeSeconds: auth_time ?? null,
  };
}

/**
 * Returns why a renewed ID token is not one of this authentication; null if it is. Its `sub` and `azp` must be the
 * same, and `azp` must be missing if it was. Its `aud` must name all the audiences. Its `nonce` must be missing or the
 * same. Its `iss` has been compared with the provider's issuer, which is that of the session.
 */
export function findChange(
  { subject, claims: original }: Authentication,
  claims: oauth.IDToken,
): ProblemError | null {
  if (claims.sub !== subject) {
    const cause = new ClaimError('sub', 'mismatch', claims);
    return new ProblemError('response-rejected', words`renewal: another subject [sub]`, { cause });
  }
  if (original === null) return null;
  const { audiences, authorizedParty, nonce } = original;
  const reject = (detail: Detail, claim: string) =>
    rejectClaim(words`another ${detail} than at the sign-in [${trusted(claim)}]`, claim, 'mismatch', claims);
  if (!audiences.every((audience) => [claims.aud].flat().includes(audience)))
    return reject(words`audience`, 'aud');
  if ((claims.azp ?? null) !== authorizedParty) return reject(words`authorized party`, 'azp');
  if (claims.nonce !== undefined && claims.nonce !== nonce) return reject(words`nonce`, 'nonce');
  return null;
}

/**
 * Whether a renewed ID token has no other `auth_time` than the original. Some providers send the time of the renewal
 * (Azure AD B2C) or of a later sign-in, so another one makes the ID token useless, but says nothing against the tokens
 * beside it.
 */
export function hasSameAuthTime({ claims: original }: Authentication, { auth_time }: oauth.IDToken): boolean {
  const authTimeSeconds = original?.authTimeSeconds ?? null;
  return auth_time === undefined || authTimeSeconds === null || auth_time === authTimeSeconds;
}
