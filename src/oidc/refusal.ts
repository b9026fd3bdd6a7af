// The one table of error codes: what a provider's error says about what was sent, and which problem people see. Renewals, tokens of
// APIs, revocations, the device flow, pushed requests and silent sign-ins read it.

import * as oauth from 'oauth4webapi';
import { ProblemError, type ProblemCode } from '../session/problem.ts';

/**
 * The meaning of an error:
 * - `refused`: what was sent (a code, a refresh token) doesn't work, or the person isn't let in;
 * - `registration-broken`: the request or the registration is wrong, which a user can't fix. In response to a refresh token it
 *   counts as a refusal, because many servers use it for a dead one;
 * - `passing`: the same request may work later;
 * - `unknown`: nothing about what was sent. The proof of possession is wrong (RFC 9449).
 */
export type Refusal = 'refused' | 'registration-broken' | 'passing' | 'unknown';

/**
 * The codes of RFC 6749 (sections 4.1.2.1 and 5.2), OpenID Connect Core (3.1.2.6), RFC 6750 (3.1), RFC 7009 (2.2.1), RFC 8628
 * (3.5), RFC 8707 (2), RFC 9449 (5 and 8), RFC 9470 (3) and Unmet Authentication Requirements 1.0, and those that providers use
 * without a standard:
 * `invalid_redirect…` and `redirect_…mismatch` of several.
 *
 * An unlisted code of a 4xx is a refusal: a provider could put anything in its place, so a detail doesn't repeat it.
 */
const table: readonly (readonly [Refusal, ProblemCode, codes: string])[] = [
  ['refused', 'denied', 'access_denied'],
  ['passing', 'provider-unreachable', 'server_error temporarily_unavailable authorization_pending slow_down'],
  [
    'registration-broken',
    'provider-misconfigured',
    `invalid_client invalid_request invalid_scope invalid_target unauthorized_client unsupported_grant_type
    unsupported_response_type request_not_supported request_uri_not_supported
    invalid_redirect invalid_redirect_uri redirect_mismatch redirect_uri_mismatch`,
  ],
  [
    'refused',
    'response-rejected',
    `account_selection_required consent_required expired_token insufficient_scope insufficient_user_authentication
    interaction_required invalid_grant invalid_request_object invalid_request_uri invalid_token login_required
    registration_not_supported unmet_authentication_requirements unsupported_token_type`,
  ],
  ['unknown', 'response-rejected', 'invalid_dpop_proof use_dpop_nonce'],
];

/** Codes of single providers that stand for one of the table's. */
const otherNames: Readonly<Record<string, string>> = {
  // https://docs.github.com/en/apps/oauth-apps/maintaining-oauth-apps/troubleshooting-oauth-app-access-token-request-errors
  bad_verification_code: 'invalid_grant',
  bad_refresh_token: 'invalid_grant',
  incorrect_client_credentials: 'invalid_client',
  application_suspended: 'unauthorized_client',
  // https://docs.slack.dev/reference/methods/oauth.v2.access
  invalid_refresh_token: 'invalid_grant',
  token_revoked: 'invalid_grant',
  // https://github.com/ory/hydra/issues/3004
  token_inactive: 'invalid_grant',
  // https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-device-code
  authorization_declined: 'access_denied',
  code_expired: 'expired_token',
  // https://dev.twitch.tv/docs/authentication/getting-tokens-oauth/#device-code-grant-flow
  'invalid device code': 'expired_token',
  // https://developers.google.com/identity/protocols/oauth2/web-server
  deleted_client: 'invalid_client',
};

/**
 * Codes for a fault or a limit of the server itself: `internal_failure` at Google
 * (https://github.com/googleapis/google-auth-library-python/pull/368), `internal_error`, `service_unavailable` and `ratelimited` at Slack
 * (https://docs.slack.dev/reference/methods/oauth.v2.access), `too_many_requests` at Auth0, `rate_limit_exceeded` at Google.
 */
const passingCode = /^(?:internal|backend)_|service_?unavailable|rate_?limit|too_?many/;

/** The table's name for the code of a provider, in whatever case it's written. Most have none but their own. */
export function toStandardCode(code: string): string {
  const name = code.trim().toLowerCase();
  const standard = Object.hasOwn(otherNames, name) ? String(otherNames[name]) : name;
  if (isListed(standard)) return standard;
  return passingCode.test(name) ? 'temporarily_unavailable' : code;
}

const byCode: ReadonlyMap<unknown, readonly [Refusal, ProblemCode]> = new Map(
  table.flatMap(([refusal, problem, codes]) =>
    codes.split(/\s+/).map((code) => [code, [refusal, problem]] as const),
  ),
);

/** The words of all codes in the table. */
export const listedWords = () => [...byCode.keys()].join('_').split('_');

/** Whether the table has this code, so that a detail may repeat it. */
export function isListed(code: string): boolean {
  return byCode.has(code);
}

/** Returns the problem code for an OAuth error code. */
export function toErrorCode(error: unknown): ProblemCode {
  return byCode.get(error)?.[1] ?? 'response-rejected';
}

/**
 * Words for faults that pass, with codes that don't say so: Salesforce's for a lock that lasts seconds, with `invalid_grant`, while
 * an earlier request with the same refresh token is still running (https://github.com/segmentio/action-destinations/pull/2300), and
 * with
 * `unknown_error` (https://github.com/amazon-connect/amazon-connect-salesforce-lambda/issues/43); limits with 400 at Cognito and Exact
 * Online; and AADSTS90033 and AADSTS50196 of Entra. Only the words distinguish them from a dead token. If they're ever about one,
 * the session stays until the provider says something else. The opposite mistake would sign people out whenever a connection is
 * lost at the wrong moment.
 */
const passingWords =
  /already being processed|refresh in progress|\b(?:retry|repeat) (?:your|the) request|too many requests|rate.{0,9} exceeded|request limit|transient error|client request loop/i;

/**
 * Words for a dead refresh token, with codes that blame the registration: at Atlassian, which is plain OAuth 2 and has no silent
 * sign-in that would show the truth.
 */
const deadWords =
  /token\b.{0,60}\b(?:invalid|expired|revoked)|(?:invalid|expired) refresh|(?:user|session|refresh token) not found|no longer valid/i;

/**
 * The meaning of a failed request's error code; null if the provider returned none. A 429, a 5xx and any error with
 * `Retry-After` are passing, whatever the code.
 */
export function findRefusal(error: unknown): Refusal | null {
  const cause = error instanceof ProblemError ? error.cause : error;
  if (cause instanceof oauth.AuthorizationResponseError) return byCode.get(cause.error)?.[0] ?? 'refused';
  if (!(cause instanceof oauth.ResponseBodyError)) return null;
  const { status, error: code, error_description: words, response } = cause;
  const said = `${code} ${words}`.slice(0, 500);
  const isPassing = status === 429 || status >= 500 || passingWords.test(said);
  if (isPassing || response.headers.has('retry-after')) return 'passing';
  const refusal = byCode.get(code)?.[0] ?? 'refused';
  return refusal === 'registration-broken' && deadWords.test(said) ? 'refused' : refusal;
}
