// The redirect that comes back from a browser window.

import { detail, safe, type Detail } from '../session/detail.ts';
import { ProblemError } from '../session/problem.ts';

/** The part of a redirect in which a response stands. */
export type Place = 'query' | 'fragment';

/** A redirect with one of these parameters is a response. The others only come with one. */
const answers = ['error', 'code', 'id_token', 'access_token', 'refresh_token', 'response'];
/** The parameters that mean nothing if they're repeated (RFC 6749 section 3.1). Others are ignored (section 4.1.2). */
const unrepeatable = [...answers, 'state', 'iss'];

/**
 * Validates a redirect and returns the parameters of its response, which stands in `place`: the query, or the fragment
 * (OAuth 2.0 Multiple Response Type Encoding Practices, section 2.1). Browsers match only the host or a prefix, so this compares
 * origin and path. A parameter without a value counts as missing (RFC 6749 section 3.1).
 *
 * The other part may hold anything but a response: a browser carries the fragment of an earlier page over a redirect (RFC 9110
 * section 10.2.2). Only a refusal counts in either part, because it reveals nothing: Twitch sends it in the query.
 *
 * Throws {@link ProblemError} `response-rejected` for another address, a second response, a code or token in the wrong part,
 * and a repeated parameter.
 */
export function readRedirect(
  redirectUri: string,
  responseUrl: string,
  place: Place = 'query',
): URLSearchParams {
  const [address = '', ...inFragment] = responseUrl.split('#');
  const [uri, ...inQuery] = address.split('?');
  // Comparing the text also rejects ports, credentials and other spellings.
  if (uri !== redirectUri) throw rejectRedirect(detail`not the redirect URI of this provider`);
  const parts = { query: readParameters(inQuery.join('?')), fragment: readParameters(inFragment.join('#')) };
  const otherPlace = place === 'query' ? 'fragment' : 'query';
  const [own, other] = [parts[place], parts[otherPlace]];
  const found = hasAnswer(own) || !isRefusal(other) ? own : other;
  if (found === own && hasAnswer(other) && !(isRefusal(own) && isRefusal(other)))
    throw rejectRedirect(detail`an answer in the ${safe(otherPlace)}`);
  if (unrepeatable.some((name) => found.getAll(name).length > 1))
    throw rejectRedirect(detail`a parameter is repeated`);
  return found;
}

/** ORCID refuses a silent request with this word alone. */
const bareRefusal = 'login_required';
/** Facebook names some errors by this parameter alone. */
const errorNumber = 'error_code';

function readParameters(text: string): URLSearchParams {
  // URLSearchParams would skip a "?" at the beginning.
  const all = [...new URLSearchParams(text.startsWith('?') ? '' : text)];
  const parameters = new URLSearchParams(all.filter(([, value]) => value !== ''));
  const isBare = all.some(([name, value]) => name === bareRefusal && value === '');
  const code = isBare ? bareRefusal : parameters.get(errorNumber);
  if (code !== null && !hasAnswer(parameters)) parameters.set('error', code);
  return parameters;
}

function hasAnswer(parameters: URLSearchParams): boolean {
  return answers.some((name) => parameters.has(name));
}

function isRefusal(parameters: URLSearchParams): boolean {
  return answers.every((name) => parameters.has(name) === (name === 'error'));
}

/** Creates the error for a redirect that fails a check. */
export function rejectRedirect(reason: Detail): ProblemError {
  return new ProblemError('response-rejected', detail`redirect: ${reason}`);
}
