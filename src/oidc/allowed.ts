// Checks the configured `allowed` rules against the claims of a verified ID token, or the answer of a user API.

import type { Provider } from '../config/provider.ts';
import { trusted, words } from '../session/detail.ts';
import { ProblemError } from '../session/problem.ts';
import { toLowerAscii } from './encoding.ts';
import type { ProfileClaims } from './tokens.ts';

/**
 * Returns a `not-permitted` error that names the first claim to violate `allowed` (never its value), or null
 * if the person may sign in. An unverified email proves nothing, so it never matches. Case counts, except for A to Z in an
 * email: providers send it as the person once typed it, and no mail service treats two spellings as different people.
 */
export function findExclusion(
  { allowed }: Provider,
  claims: ProfileClaims,
  source: 'ID token' | 'user API' = 'ID token',
): ProblemError | null {
  for (const [claim, values] of Object.entries(allowed)) {
    const isUnverified = claim === 'email' && claims['email_verified'] !== true;
    const toCompared = claim === 'email' ? ignoreCase : (value: unknown) => value;
    const actual = [claims[claim]].flat().map(toCompared);
    if (!isUnverified && values.some((value) => actual.includes(toCompared(value)))) continue;
    const fault = isUnverified ? words`not verified` : words`none of those allowed`;
    const detail = words`${trusted(source)}: "${trusted(claim)}" is ${fault}`;
    return new ProblemError('not-permitted', detail);
  }
  return null;
}

/** Letters beyond ASCII stay, because a few of them would become one of A to Z. */
function ignoreCase(value: unknown): unknown {
  return typeof value === 'string' ? toLowerAscii(value) : value;
}
