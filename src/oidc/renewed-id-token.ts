// Checks the ID token that a renewal may bring. One for another person must not be used, nor the tokens beside it; one
// that is merely late or cannot be verified now is not needed.

import * as oauth from 'oauth4webapi';
import { words } from '../session/detail.ts';
import type { ProblemError } from '../session/problem.ts';
import { checkIdToken, verifySignature, toTenantKeys, type KeySource } from './id-token.ts';
import type { ProviderClient } from './provider-client.ts';
import type { Metadata } from './discover.ts';
import { findChange, hasSameAuthTime, type Authentication } from './original-claims.ts';
import { toProblemErrors } from './rejection.ts';

/**
 * The result of the check:
 * - `verified`: every check passed;
 * - `unverified`: it is one of this authentication, but its times are wrong, or the provider's keys cannot be had now;
 * - `rejected`: it is not a valid ID token of this issuer for this client and this authentication.
 */
type RenewedIdToken =
  | { readonly outcome: 'verified' | 'unverified'; readonly claims: oauth.IDToken }
  | { readonly outcome: 'rejected'; readonly problem: ProblemError };

/**
 * Checks the ID token of a successful token response by itself, and compares it with the original one (OpenID Connect
 * Core 12.2). Whether its person is still allowed, the caller must check. Never rejects.
 */
export async function checkRenewedIdToken(
  client: ProviderClient,
  metadata: Metadata,
  keys: KeySource,
  authentication: Authentication,
  response: Response,
): Promise<RenewedIdToken> {
  try {
    return await toProblemErrors(client, words`renewal`, async () => {
      const copy = response.clone();
      const claims = await checkAtAnyTime(client, metadata, response);
      const change = findChange(authentication, claims);
      if (change !== null) throw change;
      const isVerified = await canVerify(
        client,
        metadata,
        toTenantKeys(keys, metadata, claims.iss),
        response,
      );
      const isUsable =
        isVerified && hasSameAuthTime(authentication, claims) && (await isTimely(client, metadata, copy));
      return { outcome: isUsable ? 'verified' : 'unverified', claims };
    });
  } catch (error) {
    return { outcome: 'rejected', problem: error as ProblemError };
  }
}

/** Checks everything but the times: with any tolerance, and at the time of the token itself. */
async function checkAtAnyTime(
  client: ProviderClient,
  metadata: Metadata,
  response: Response,
): Promise<oauth.IDToken> {
  const tolerant = { ...client.oauthClient(), [oauth.clockTolerance]: Number.MAX_SAFE_INTEGER };
  const answer = await oauth.processRefreshTokenResponse(metadata, tolerant, response);
  const issuedAt = oauth.getValidatedIdTokenClaims(answer)?.iat;
  return checkIdToken({ ...client, nowSeconds: () => issuedAt ?? client.nowSeconds() }, answer);
}

/**
 * False if the provider's keys cannot be had now, for whatever reason. Throws {@link ProblemError} for a wrong
 * signature.
 */
async function canVerify(
  client: ProviderClient,
  metadata: Metadata,
  keys: KeySource,
  response: Response,
): Promise<boolean> {
  let areKeysMissing = false;
  const orMissing = (found: Promise<Awaited<ReturnType<KeySource['current']>>>) =>
    found.catch((error: unknown) => {
      areKeysMissing = true;
      throw error;
    });
  const watched: KeySource = {
    current: () => orMissing(keys.current()),
    refetch: () => orMissing(keys.refetch()),
  };
  try {
    await verifySignature(client, metadata, watched, response);
    return true;
  } catch (error) {
    if (areKeysMissing) return false;
    throw error;
  }
}

/** Whether the token is valid now and was issued for this request. */
async function isTimely(client: ProviderClient, metadata: Metadata, response: Response): Promise<boolean> {
  try {
    await checkIdToken(
      client,
      await oauth.processRefreshTokenResponse(metadata, client.oauthClient(), response),
    );
    return true;
  } catch {
    // It passed the same checks at any time, so only its times can be wrong.
    return false;
  }
}
