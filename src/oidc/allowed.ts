// Checks the configured `allowed` rules against the claims of a verified ID token, or the answer of a user API.

import { isSameValue } from '../config/allowed.ts';
import type { Provider } from '../config/provider.ts';
import { safe, detail } from '../session/detail.ts';
import { ProblemError } from '../session/problem.ts';
import type { ProfileClaims } from './tokens.ts';

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
