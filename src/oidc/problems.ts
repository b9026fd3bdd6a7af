// The one table of error codes, and the conversion of anything that a step throws into a problem. The `cause` may
// hold parameters and bodies, so it never leaves the worker.

import * as oauth from 'oauth4webapi';
import { safe, detail, type Detail } from '../session/detail.ts';
import { isPassing, ProblemError, toProblem, type ProblemCode } from '../session/problem.ts';
import type { ProviderClient } from './http.ts';
import type { Members } from './jwt.ts';

/**
 * The meaning of an error:
 * - `refused`: what was sent (a code, a refresh token) doesn't work, or the person isn't let in;
 * - `registration-broken`: the request or the registration is wrong, which a user can't fix. In response to a refresh token it
 *   counts as a refusal, because many servers use it for a dead one;
 * - `passing`: the same request may work later;
 * - `unknown`: nothing about what was sent. The proof of possession is wrong (RFC 9449).
 */
type Refusal = 'refused' | 'registration-broken' | 'passing' | 'unknown';

/**
 * The codes of RFC 6749 (sections 4.1.2.1 and 5.2), OpenID Connect Core (3.1.2.6), RFC 6750 (3.1), RFC 7009 (2.2.1), RFC 8628
 * (3.5), RFC 8707 (2), RFC 9449 (5 and 8), RFC 9470 (3) and Unmet Authentication Requirements 1.0, and `invalid_redirect…` and
 * `redirect_…mismatch`, which several providers use without a standard.
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

const byCode: ReadonlyMap<unknown, readonly [Refusal, ProblemCode]> = new Map(
  table.flatMap(([refusal, problem, codes]) =>
    codes.split(/\s+/).map((code) => [code, [refusal, problem]] as const),
  ),
);

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
 * with `unknown_error` (https://github.com/amazon-connect/amazon-connect-salesforce-lambda/issues/43); limits with 400 at Cognito and
 * Exact Online; and AADSTS90033 and AADSTS50196 of Entra. If they're ever about a dead token, the session stays until the provider says
 * something else. The opposite mistake would sign people out whenever a connection is lost at the wrong moment.
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
  const isPassingAnswer = status === 429 || status >= 500 || passingWords.test(said);
  if (isPassingAnswer || response.headers.has('retry-after')) return 'passing';
  const refusal = byCode.get(code)?.[0] ?? 'refused';
  return refusal === 'registration-broken' && deadWords.test(said) ? 'refused' : refusal;
}

/** Returns the OAuth error code of a provider's response (RFC 6749 sections 4.1.2.1 and 5.2), or null. */
export function findOAuthError(error: unknown): string | null {
  const cause = error instanceof ProblemError ? error.cause : error;
  return isErrorAnswer(cause) ? cause.error : null;
}

/** Whether this is an error that the provider has responded with. */
export function isErrorAnswer(
  error: unknown,
): error is oauth.ResponseBodyError | oauth.AuthorizationResponseError {
  return error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError;
}

/** Whether the provider couldn't be reached or was unavailable, so that a retry may succeed. */
export function isTransient(error: unknown): boolean {
  return isPassing(toProblem(error).code);
}

const interactionErrors: readonly (string | null)[] = [
  'login_required',
  'interaction_required',
  'consent_required',
  'account_selection_required',
];

/** Whether a silent request failed because the user has to interact (OpenID Connect Core 3.1.2.6). */
export function isInteractionRequired(error: unknown): boolean {
  return interactionErrors.includes(findOAuthError(error));
}

/** Whether a silent request failed because the user isn't signed in at the provider. */
export function isLoginRequired(error: unknown): boolean {
  return findOAuthError(error) === 'login_required';
}

/**
 * The problem code of a response that can't be used: `provider-misconfigured` if nothing is at this address
 * or the provider rejects extensions (some refuse their `Origin` with a 403), `provider-unreachable` for a
 * web page, which may as well come from a captive portal, and `response-rejected` for anything else.
 */
export function toUnreadableCode({ status, headers }: Response): ProblemCode {
  if (status === 403 || status === 404) return 'provider-misconfigured';
  return headers.get('content-type')?.includes('html') ? 'provider-unreachable' : 'response-rejected';
}

/**
 * Converts whatever a step of the protocol has thrown: `clock-wrong` if this device's clock made an ID token fail a check. The
 * provider's own words never get into a problem.
 */
export function toProblemError(client: ProviderClient, step: Detail, error: unknown): ProblemError {
  tellDevelopers(client, step, error);
  const wrongClock = findWrongClock(client, error);
  if (wrongClock !== null) return wrongClock;
  if (error instanceof ProblemError) return error;
  const [code, fault] = judge(error);
  return new ProblemError(code, detail`${step}: ${fault}`, { cause: error });
}

/**
 * Puts an error of the provider on the console, unless it occurs regularly when everything is fine: its code and those words of its
 * description that are on our own list. Nothing else prints what a provider says.
 */
function tellDevelopers({ world }: ProviderClient, step: Detail, thrown: unknown): void {
  if (!isErrorAnswer(thrown)) return;
  const { error, error_description } = thrown;
  if ([...interactionErrors, 'authorization_pending', 'slow_down'].includes(error)) return;
  const status = thrown instanceof oauth.ResponseBodyError ? [`HTTP ${thrown.status}`] : [];
  const code = isListed(error) ? error : toKnownWords(error.replaceAll('_', ' '));
  const said = typeof error_description === 'string' ? [toKnownWords(error_description)] : [];
  world.warn?.(`${step}: the provider answered ${[...status, code, ...said].join(', ')}`);
}

function judge(error: unknown): readonly [ProblemCode, Detail] {
  if (isErrorAnswer(error)) {
    const code = findRefusal(error) === 'passing' ? 'provider-unreachable' : toErrorCode(error.error);
    return [code, isListed(error.error) ? safe(error.error) : detail`an error code of its own`];
  }
  if (error instanceof oauth.OperationProcessingError || error instanceof oauth.UnsupportedOperationError) {
    // oauth4webapi's messages quote no value.
    const [message, { cause }] = [safe(error.message), error];
    if (cause instanceof Response)
      return [toUnreadableCode(cause), detail`${message} (HTTP ${cause.status})`];
    // The endpoint can only be absent, because the metadata were validated.
    const isAbsent = error.code === oauth.MISSING_SERVER_METADATA;
    return [isAbsent ? 'provider-misconfigured' : 'response-rejected', message];
  }
  return ['unexpected', safe(error instanceof Error ? error.name : typeof error)];
}

// A provider's description of an error, for the console. Some quote what they were sent, and no search finds a token in every
// spelling. So the description is never printed: it only selects words from the list below.

/** The words of the standards' error codes, and others that describe an error. No token consists of them. */
const knownWords: ReadonlySet<unknown> = new Set([
  ...[...byCode.keys()].join('_').split('_'),
  ...`no isn't doesn't cannot only must missing match unknown revoked used disabled blocked allowed registered refresh code client_id
  client_secret secret single-page cross-origin pkce code_verifier code_challenge redirect_uri origin audience admin tenant`.split(
    /\s+/,
  ),
]);

/**
 * The words of a text that are on the list, with "…" for everything between them. An Entra error number at the beginning also
 * stays, because Entra's documentation lists errors by it.
 */
export function toKnownWords(text: string): string {
  const words = text.slice(0, 1_000).match(/[\p{L}\p{N}_](?:[\p{L}\p{N}_-]|'(?=t\b))*/gu) ?? [''];
  return words
    .map((word, at) => {
      if (at === 0 && /^AADSTS\d{4,7}$/.test(word)) return word;
      const lower = word.toLowerCase();
      return knownWords.has(lower) ? lower : '…';
    })
    .filter((word, at, all) => word !== '…' || all[at - 1] !== '…')
    .join(' ');
}

// A claim of an ID token that failed a check, and this device's clock, which may be why.

/** The cause of a problem with a claim of an ID token. The claims, which may be unverified, stay inside the worker. */
class FailedClaim {
  readonly claim: string = '';
  readonly claims: Members = {};
}

/** Creates a `response-rejected` error for a claim of an ID token. `reason` is for people. */
export function rejectClaim(claim: string, claims: Members, reason: Detail): ProblemError {
  const cause = Object.assign(new FailedClaim(), { claim, claims });
  return rejectIdToken(detail`${reason} [${safe(claim)}]`, cause);
}

/** Creates a `response-rejected` error for an ID token. */
export function rejectIdToken(reason: Detail, cause?: unknown): ProblemError {
  return new ProblemError('response-rejected', detail`ID token: ${reason}`, { cause });
}

/** The claim that a problem blames; null if there is none. */
export function findFailedClaim(error: unknown): FailedClaim | null {
  return error instanceof ProblemError && error.cause instanceof FailedClaim ? error.cause : null;
}

/** A clock that synchronizes itself is never off by more. */
const maxSynchronizedSkewSeconds = 10 * 60;

/**
 * Returns `clock-wrong` if an ID token failed a check because of a time, and the provider's clock shows that this device's clock is
 * wrong; otherwise null. The token was issued for this request, so its `iat` shows the provider's time, as the `Date` header of a
 * response does. If `Date` agrees with this device, the provider dated the token wrongly.
 */
function findWrongClock({ world, skewSeconds }: ProviderClient, error: unknown): ProblemError | null {
  const { claim = '', claims = {} } = findFailedClaim(error) ?? {};
  const issuedAt = claims['iat'];
  if (!['exp', 'nbf', 'iat'].includes(claim) || typeof issuedAt !== 'number') return null;
  const device = world.nowMs() / 1000;
  const skew = skewSeconds();
  if (Math.abs(issuedAt - device) <= maxSynchronizedSkewSeconds) return null;
  if (skew !== null && Math.abs(skew) <= maxSynchronizedSkewSeconds) return null;
  const provider = new Date((skew === null ? issuedAt : device + skew) * 1000);
  if (Number.isNaN(provider.getTime())) return null;
  const reason = detail`This device says ${toUtc(new Date(device * 1000))}, the provider says ${toUtc(provider)}.`;
  return new ProblemError('clock-wrong', reason, { cause: error });
}

function toUtc(date: Date): Detail {
  return safe(`${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`);
}
