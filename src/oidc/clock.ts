// Distinguishes a wrong clock on this device from wrong times in a token.

import { safe, detail, type Detail } from '../session/detail.ts';
import { ProblemError } from '../session/problem.ts';
import { findFailedClaim } from './claim-error.ts';
import type { ProviderClient } from './provider-client.ts';

/** A clock that synchronizes itself is never off by more. */
const maxSynchronizedSkewSeconds = 10 * 60;

/**
 * Returns `clock-wrong` if an ID token failed a check because of a time, and the provider's clock shows that this device's clock is
 * wrong; otherwise null. The token was issued for this request, so its `iat` shows the provider's time, as the `Date` header of a
 * response does. If `Date` agrees with this device, the provider dated the token wrongly.
 */
export function findWrongClock(
  { world, skewSeconds }: Pick<ProviderClient, 'world' | 'skewSeconds'>,
  error: unknown,
): ProblemError | null {
  const issuedAt = findIssuedAt(error);
  if (issuedAt === null) return null;
  const device = world.nowMs() / 1000;
  const skew = skewSeconds();
  if (Math.abs(issuedAt - device) <= maxSynchronizedSkewSeconds) return null;
  if (skew !== null && Math.abs(skew) <= maxSynchronizedSkewSeconds) return null;
  const provider = skew === null ? issuedAt : device + skew;
  if (Number.isNaN(toDate(provider).getTime())) return null;
  const reason = detail`This device says ${toUtc(device)}, the provider says ${toUtc(provider)}.`;
  return new ProblemError('clock-wrong', reason, { cause: error });
}

/** Returns the `iat` of a token that failed a time check; null if the error is another one. */
function findIssuedAt(error: unknown): number | null {
  const failed = findFailedClaim(error);
  if (failed === null || !['exp', 'nbf', 'iat'].includes(failed.claim)) return null;
  const issuedAt = failed.claims['iat'];
  return typeof issuedAt === 'number' ? issuedAt : null;
}

function toUtc(seconds: number): Detail {
  return safe(`${toDate(seconds).toISOString().slice(0, 16).replace('T', ' ')} UTC`);
}

function toDate(seconds: number): Date {
  return new Date(seconds * 1000);
}
