// Names the claim of an ID token that failed a check, as data beside the text for people.

import * as oauth from 'oauth4webapi';
import { safe, detail, type Detail } from '../session/detail.ts';
import { ProblemError } from '../session/problem.ts';

/** A claim that failed a check. It is the `cause` of the error, so its claims stay inside the worker. */
export interface FailedClaim {
  readonly claim: string;
  /** All claims of the ID token, which may be unverified. */
  readonly claims: Readonly<Record<string, unknown>>;
}

/** Creates a `response-rejected` error for a claim of an ID token. `detail` is for people. */
export function rejectClaim(claim: string, claims: FailedClaim['claims'], reason: Detail): ProblemError {
  const cause: FailedClaim = { claim, claims };
  return new ProblemError('response-rejected', detail`ID token: ${reason} [${safe(claim)}]`, { cause });
}

/**
 * Returns the claim that an error or one of its causes blames, for our checks and for those of oauth4webapi;
 * null if there is none. oauth4webapi does not name a claim that is missing or of the wrong type.
 */
export function findFailedClaim(error: unknown): FailedClaim | null {
  for (let current = error; current instanceof Error; current = current.cause) {
    // The cause of other errors may be a provider's answer.
    const isOfCheck = current instanceof ProblemError || current instanceof oauth.OperationProcessingError;
    if (isOfCheck && isFailedClaim(current.cause)) return current.cause;
  }
  return null;
}

function isFailedClaim(cause: unknown): cause is FailedClaim {
  const { claim, claims } = (cause ?? {}) as Partial<Record<keyof FailedClaim, unknown>>;
  return typeof claim === 'string' && typeof claims === 'object' && claims !== null;
}
