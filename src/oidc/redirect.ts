// What goes out in a window of the browser and comes back as a redirect, whatever its purpose.

import { ProblemError } from '../session/problem.ts';
import { toBase64Url } from './base64url.ts';
import type { World } from './exchange.ts';

/** A text that nobody can guess: 256 bits, for state, nonce and verifier. */
export function createSecret({ randomBytes }: World): string {
  return toBase64Url(randomBytes(32));
}

/**
 * The parameters of a redirect. The browsers match only its host or its beginning, so all of it is judged here:
 * origin and path, no fragment, no parameter twice (RFC 6749 section 3.1). Throws {@link ProblemError}
 * `response-rejected`.
 */
export function readRedirect(redirectUri: string, responseUrl: string): URLSearchParams {
  // A text comparison up to the query leaves no room for a port, for credentials, or for another spelling.
  if (responseUrl.split(/[?#]/, 1)[0] !== redirectUri)
    throw rejectRedirect('not the redirect URI of this provider');
  if (responseUrl.includes('#')) throw rejectRedirect('a fragment');
  const parameters = new URL(responseUrl).searchParams;
  const names = [...parameters.keys()];
  if (new Set(names).size !== names.length) throw rejectRedirect('a parameter is repeated');
  return parameters;
}

export function rejectRedirect(reason: string): ProblemError {
  return new ProblemError('response-rejected', `redirect: ${reason}`);
}
