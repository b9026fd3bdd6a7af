// The redirect whose answer is in the fragment (OAuth 2.0 Multiple Response Type Encoding Practices, section 2.1).

import { words } from '../session/detail.ts';
import { rejectRedirect, repeatsName, splitFragment } from './redirect.ts';

/**
 * Validates a redirect and returns the parameters of its fragment. Like `readRedirect` it compares origin and path, and
 * rejects repeated parameters. An answer in the query is none: the browser would have sent it to a server. So a query is
 * rejected, whatever the fragment holds.
 *
 * Throws {@link ProblemError} `response-rejected`.
 */
export function readFragment(redirectUri: string, responseUrl: string): URLSearchParams {
  const { url, fragment } = splitFragment(responseUrl);
  // Comparing the whole text also rejects ports, credentials and other spellings.
  if (url !== redirectUri) {
    const isQuery = url.startsWith(`${redirectUri}?`);
    throw rejectRedirect(
      isQuery
        ? words`a query, where the answer has to be in the fragment`
        : words`not the redirect URI of this provider`,
    );
  }
  if (fragment === null) throw rejectRedirect(words`no fragment, where the answer has to be`);
  // URLSearchParams would skip a "?" at the beginning.
  if (fragment.includes('#') || fragment.startsWith('?'))
    throw rejectRedirect(words`a fragment without parameters`);
  const parameters = new URLSearchParams(fragment);
  if (repeatsName(parameters)) throw rejectRedirect(words`a parameter is repeated`);
  return parameters;
}
