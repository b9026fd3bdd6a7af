// Names the claim of an ID token that failed a check, as data beside the text for people.

import * as oauth from 'oauth4webapi';
import { trusted, words, type Detail } from '../session/detail.ts';
import { ProblemError } from '../session/problem.ts';

/** How a claim failed its check. */
export type ClaimFailure =
  /** The value is not the expected one. */
  | 'mismatch'
  /** The value does not have the required form. */
  | 'invalid'
  | 'expired'
  | 'too-old'
  | 'in-future'
  /** The check needs an algorithm that Latchkey does not know. */
  | 'unsupported'
  /** The provider has not verified the value. */
  | 'unverified'
  /** The configuration does not allow the value. */
  | 'not-allowed';

export interface FailedClaim {
  readonly claim: string;
  readonly reason: ClaimFailure;
  /** All claims of the ID token, which may be unverified. */
  readonly claims: Readonly<Record<string, unknown>>;
}

/** A claim failed one of our checks. It is the `cause` of a `ProblemError`, so its claims stay inside the worker. */
export class ClaimError extends Error implements FailedClaim {
  override readonly name = 'ClaimError';
  readonly claim: string;
  readonly reason: ClaimFailure;
  readonly claims: FailedClaim['claims'];

  constructor(claim: string, reason: ClaimFailure, claims: FailedClaim['claims']) {
    super(`${claim}: ${reason}`);
    this.claim = claim;
    this.reason = reason;
    this.claims = claims;
  }
}

/** Creates a `response-rejected` error for a claim of an ID token. `detail` is for people. */
export function rejectClaim(
  claim: string,
  reason: ClaimFailure,
  claims: FailedClaim['claims'],
  detail: Detail,
): ProblemError {
  return new ProblemError('response-rejected', words`ID token: ${detail} [${trusted(claim)}]`, {
    cause: new ClaimError(claim, reason, claims),
  });
}

/**
 * Returns the claim that an error or one of its causes blames, for our checks and for those of oauth4webapi;
 * null if there is none. oauth4webapi does not name a claim that is missing or of the wrong type.
 */
export function findFailedClaim(error: unknown): FailedClaim | null {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current instanceof ClaimError) return current;
    if (current instanceof oauth.OperationProcessingError) return readLibraryFailure(current.cause);
  }
  return null;
}

/** The reasons for claims that oauth4webapi compares with the time; it only compares the others for equality. */
const timeFailures: Readonly<Record<string, ClaimFailure>> = {
  exp: 'expired',
  nbf: 'in-future',
  auth_time: 'too-old',
};

function readLibraryFailure(cause: unknown): FailedClaim | null {
  const { claim, claims } = (cause ?? {}) as { readonly claim?: unknown; readonly claims?: unknown };
  if (typeof claim !== 'string' || typeof claims !== 'object' || claims === null) return null;
  return { claim, reason: timeFailures[claim] ?? 'mismatch', claims: claims as FailedClaim['claims'] };
}
