// Secrets sent through a browser window, and the redirect that comes back.

import { ProblemError } from '../session/problem.ts';
import { toBase64Url } from './base64url.ts';
import type { World } from './exchange.ts';

/** Creates an unguessable string of 256 bits, for a state, nonce or code verifier. */
export function createSecret({ randomBytes }: World): string {
  return toBase64Url(randomBytes(32));
}

/**
 * Validates a redirect and returns its parameters. Browsers match only the host or a prefix, so this compares
 * origin and path, and rejects fragments and repeated parameters (RFC 6749 section 3.1).
 *
 * Throws {@link ProblemError} `response-rejected`.
 */
export function readRedirect(redirectUri: string, responseUrl: string): URLSearchParams {
  // Comparing the text up to the query also rejects ports, credentials and other spellings.
  if (responseUrl.split(/[?#]/, 1)[0] !== redirectUri)
    throw rejectRedirect('not the redirect URI of this provider');
  if (responseUrl.includes('#')) throw rejectRedirect('a fragment');
  const parameters = new URL(responseUrl).searchParams;
  const names = [...parameters.keys()];
  if (new Set(names).size !== names.length) throw rejectRedirect('a parameter is repeated');
  return parameters;
}

/** Creates the error for a redirect that fails a check. */
export function rejectRedirect(reason: string): ProblemError {
  return new ProblemError('response-rejected', `redirect: ${reason}`);
}
