// Who may sign in, by the configuration's word on the claims of a verified ID token.

import type { Provider } from '../config/provider.ts';
import { ProblemError } from '../session/problem.ts';
import type { ProfileClaims } from './tokens.ts';

/**
 * Why these claims are not let in, as a `not-permitted` that names the claim and not its value; null where they
 * are. An e-mail that the provider has not verified may be anybody's, so it counts for nothing.
 */
export function findExclusion({ allowed }: Provider, claims: ProfileClaims): ProblemError | null {
  for (const [claim, values] of Object.entries(allowed)) {
    if (claim === 'email' && claims['email_verified'] !== true) return exclude('"email" is not verified');
    const found: unknown[] = [claims[claim]].flat();
    if (!values.some((value) => found.includes(value))) return exclude(`"${claim}" is none of those allowed`);
  }
  return null;
}

function exclude(reason: string): ProblemError {
  return new ProblemError('not-permitted', `ID token: ${reason}`);
}
