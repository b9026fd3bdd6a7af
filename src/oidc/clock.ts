// Tells a device whose clock is wrong from a provider whose times are.

import { ProblemError } from '../session/problem.ts';
import type { ProviderClient } from './provider-client.ts';

/** No clock that sets itself is off by more. */
const wrongBySeconds = 10 * 60;

/**
 * Runs the checks of an ID token. Where one fails for its times, and what else is known of the provider's clock
 * speaks against this device's, that is thrown as `clock-wrong`.
 */
export async function detectWrongClock<T>(client: ProviderClient, check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    throw findWrongClock(client, error) ?? error;
  }
}

/**
 * The token was issued just now for this very request, so its `iat` tells the provider's time as the `Date` of an
 * answer does. A provider whose `Date` agrees with this device has dated its token wrongly.
 */
function findWrongClock({ world, skewSeconds }: ProviderClient, error: unknown): ProblemError | null {
  const issuedAt = findIssuedAt(error);
  if (issuedAt === null) return null;
  const device = world.nowMs() / 1000;
  const skew = skewSeconds();
  if (Math.abs(issuedAt - device) <= wrongBySeconds) return null;
  if (skew !== null && Math.abs(skew) <= wrongBySeconds) return null;
  const provider = skew === null ? issuedAt : device + skew;
  if (Number.isNaN(toDate(provider).getTime())) return null;
  const [here, there] = [toUtc(device), toUtc(provider)];
  return new ProblemError('clock-wrong', `This device says ${here}, the provider says ${there}.`, {
    cause: error,
  });
}

/** The `iat` of a token that failed for its times. Both oauth4webapi and our own checks name the claim in the cause. */
function findIssuedAt(error: unknown): number | null {
  const { claim, claims } = (error instanceof Error && (error.cause as FailedCheck | undefined)) || {};
  return ['exp', 'nbf', 'iat'].includes(String(claim)) && typeof claims?.iat === 'number' ? claims.iat : null;
}

interface FailedCheck {
  readonly claim?: unknown;
  readonly claims?: { readonly iat?: unknown };
}

function toUtc(seconds: number): string {
  return `${toDate(seconds).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function toDate(seconds: number): Date {
  return new Date(seconds * 1000);
}
