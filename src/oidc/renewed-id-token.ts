// Checks the ID token that a renewal may bring. One for somebody else must not be used, nor the tokens beside it; one
// that is merely late or cannot be verified now is not needed.

import * as oauth from 'oauth4webapi';
import type { ProblemError } from '../session/problem.ts';
import { checkIdToken, verifySignature, type KeySource } from './id-token.ts';
import { clockToleranceSeconds, type ProviderClient } from './provider-client.ts';
import type { Metadata } from './discover.ts';
import { toProblemErrors } from './rejection.ts';

/**
 * The result of the check:
 * - `verified`: every check passed;
 * - `unverified`: it is one for this client, but its times are wrong, or the provider's keys cannot be had now;
 * - `rejected`: it is not a valid ID token of this issuer for this client.
 */
type RenewedIdToken =
  | { readonly outcome: 'verified' | 'unverified'; readonly claims: oauth.IDToken }
  | { readonly outcome: 'rejected'; readonly problem: ProblemError };

/**
 * Checks the ID token of a successful token response (OpenID Connect Core 12.2). Whose it is, the caller must check.
 * Never rejects.
 */
export async function checkRenewedIdToken(
  client: ProviderClient,
  metadata: Metadata,
  keys: KeySource,
  response: Response,
): Promise<RenewedIdToken> {
  try {
    return await toProblemErrors('renewal', async () => {
      const answer = await processAtAnyTime(client, metadata, response);
      const claims = await checkAtAnyTime(client, answer);
      const isVerified = await canVerify(metadata, keys, response);
      const isUsable = isVerified && (await isTimely(client, answer, claims));
      return { outcome: isUsable ? 'verified' : 'unverified', claims };
    });
  } catch (error) {
    return { outcome: 'rejected', problem: error as ProblemError };
  }
}

/** Lets oauth4webapi check everything but the times. */
function processAtAnyTime(
  { oauthClient }: ProviderClient,
  metadata: Metadata,
  response: Response,
): Promise<oauth.TokenEndpointResponse> {
  const tolerant = { ...oauthClient(), [oauth.clockTolerance]: Number.MAX_SAFE_INTEGER };
  return oauth.processRefreshTokenResponse(metadata, tolerant, response);
}

/** Our own checks, at the time of the token itself. */
function checkAtAnyTime(client: ProviderClient, answer: oauth.TokenEndpointResponse): Promise<oauth.IDToken> {
  const issuedAt = oauth.getValidatedIdTokenClaims(answer)?.iat;
  return checkIdToken({ ...client, nowSeconds: () => issuedAt ?? client.nowSeconds() }, answer);
}

/**
 * False if the provider's keys cannot be had now, for whatever reason. Throws {@link ProblemError} for a wrong
 * signature.
 */
async function canVerify(metadata: Metadata, keys: KeySource, response: Response): Promise<boolean> {
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
    await verifySignature(metadata, watched, response);
    return true;
  } catch (error) {
    if (areKeysMissing) return false;
    throw error;
  }
}

/** Whether the token is valid now and was issued for this request. */
async function isTimely(
  client: ProviderClient,
  answer: oauth.TokenEndpointResponse,
  { exp, nbf }: oauth.IDToken,
): Promise<boolean> {
  const now = client.nowSeconds();
  if (exp <= now - clockToleranceSeconds || (nbf ?? 0) > now + clockToleranceSeconds) return false;
  try {
    await checkIdToken(client, answer);
    return true;
  } catch {
    // It passed the same check at its own time, so only its age can be wrong.
    return false;
  }
}
