// Converts the errors of oauth4webapi into problems that name the failed check or the error code of the standards.
// The `cause` may hold parameters and bodies, so it never leaves the worker.

import * as oauth from 'oauth4webapi';
import { safe, detail, type Detail } from '../session/detail.ts';
import { isPassing, ProblemError, toProblem, type ProblemCode } from '../session/problem.ts';
import { toUnreadableCode, type ProviderClient } from './http.ts';
import { findRefusal, isListed, toErrorCode } from './refusal.ts';
import { toKnownWords } from './known-words.ts';

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
 * Puts an error of the provider on the console, unless it is an ordinary response: its code and those words of its description that
 * are on our own list. Nothing else prints what a provider says.
 */
function tellDevelopers({ world }: ProviderClient, step: Detail, thrown: unknown): void {
  if (!isErrorAnswer(thrown) || ordinaryAnswers.includes(thrown.error)) return;
  const { error, error_description } = thrown;
  const status = thrown instanceof oauth.ResponseBodyError ? [`HTTP ${thrown.status}`] : [];
  const code = isListed(error) ? error : toKnownWords(error.replaceAll('_', ' '));
  const said = typeof error_description === 'string' ? [toKnownWords(error_description)] : [];
  world.warn?.(`${step}: the provider answered ${[...status, code, ...said].join(', ')}`);
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

/** Whether a silent request failed because the user has to interact (OpenID Connect Core 3.1.2.6). */
export function isInteractionRequired(error: unknown): boolean {
  return interactionErrors.includes(findOAuthError(error));
}

/** Whether a silent request failed because the user isn't signed in at the provider. */
export function isLoginRequired(error: unknown): boolean {
  return findOAuthError(error) === 'login_required';
}

const interactionErrors: readonly (string | null)[] = [
  'login_required',
  'interaction_required',
  'consent_required',
  'account_selection_required',
];

/** Error codes that occur regularly when everything is fine. */
const ordinaryAnswers = [...interactionErrors, 'authorization_pending', 'slow_down'];

function judge(error: unknown): readonly [ProblemCode, Detail] {
  if (isErrorAnswer(error)) {
    const mayWorkLater = findRefusal(error) === 'passing';
    return [mayWorkLater ? 'provider-unreachable' : toErrorCode(error.error), toSafeCode(error.error)];
  }
  if (error instanceof oauth.OperationProcessingError || error instanceof oauth.UnsupportedOperationError)
    return [toRejectionCode(error), describeCheck(error)];
  return ['unexpected', safe(error instanceof Error ? error.name : typeof error)];
}

/** An error code as a detail: itself, if the table has it. */
function toSafeCode(code: string): Detail {
  return isListed(code) ? safe(code) : detail`an error code of its own`;
}

function toRejectionCode({ code, cause }: Error & { code?: string }): ProblemCode {
  if (cause instanceof Response) return toUnreadableCode(cause);
  // Metadata is validated with a schema, so the endpoint can only be absent.
  return code === oauth.MISSING_SERVER_METADATA ? 'provider-misconfigured' : 'response-rejected';
}

/** The message of oauth4webapi, which quotes no value, followed by the claim or HTTP status. */
function describeCheck(error: Error): Detail {
  const message = safe(error.message);
  if (error.cause instanceof Response) return detail`${message} (HTTP ${error.cause.status})`;
  const failed = findFailedClaim(error);
  return failed === null ? message : detail`${message} [${safe(failed.claim)}]`;
}

// Names the claim of an ID token that failed a check, as data, in addition to the text for people.

/** A claim that failed a check. It is the `cause` of the error, so its claims stay inside the worker. */
export interface FailedClaim {
  readonly claim: string;
  /** All claims of the ID token, which may be unverified. */
  readonly claims: Readonly<Record<string, unknown>>;
}

/** Creates a `response-rejected` error for a claim of an ID token. `detail` is for people. */
export function rejectClaim(claim: string, claims: FailedClaim['claims'], reason: Detail): ProblemError {
  const cause: FailedClaim = { claim, claims };
  return new ProblemError('response-rejected', detail`ID token: ${reason} [${safe(claim)}]`, { cause });
}

/**
 * Returns the claim that an error or one of its causes blames, for our checks and for those of oauth4webapi;
 * null if there is none. oauth4webapi doesn't name a claim that is missing or of the wrong type.
 */
export function findFailedClaim(error: unknown): FailedClaim | null {
  for (let current = error; current instanceof Error; current = current.cause) {
    // The cause of other errors may be a provider's response.
    const isOfCheck = current instanceof ProblemError || current instanceof oauth.OperationProcessingError;
    if (isOfCheck && isFailedClaim(current.cause)) return current.cause;
  }
  return null;
}

function isFailedClaim(cause: unknown): cause is FailedClaim {
  const { claim, claims } = (cause ?? {}) as Partial<Record<keyof FailedClaim, unknown>>;
  return typeof claim === 'string' && typeof claims === 'object' && claims !== null;
}

// Distinguishes a wrong clock on this device from wrong times in a token.

/** A clock that synchronizes itself is never off by more. */
const maxSynchronizedSkewSeconds = 10 * 60;

/**
 * Returns `clock-wrong` if an ID token failed a check because of a time, and the provider's clock shows that this device's clock is
 * wrong; otherwise null. The token was issued for this request, so its `iat` shows the provider's time, as the `Date` header of a
 * response does. If `Date` agrees with this device, the provider dated the token wrongly.
 */
function findWrongClock(
  { world, skewSeconds }: Pick<ProviderClient, 'world' | 'skewSeconds'>,
  error: unknown,
): ProblemError | null {
  const issuedAt = findIssuedAt(error);
  if (issuedAt === null) return null;
  const device = world.nowMs() / 1000;
  const skew = skewSeconds();
  if (Math.abs(issuedAt - device) <= maxSynchronizedSkewSeconds) return null;
  if (skew !== null && Math.abs(skew) <= maxSynchronizedSkewSeconds) return null;
  const provider = skew === null ? issuedAt : device + skew;
  if (Number.isNaN(toDate(provider).getTime())) return null;
  const reason = detail`This device says ${toUtc(device)}, the provider says ${toUtc(provider)}.`;
  return new ProblemError('clock-wrong', reason, { cause: error });
}

/** Returns the `iat` of a token that failed a time check; null for any other error. */
function findIssuedAt(error: unknown): number | null {
  const failed = findFailedClaim(error);
  if (failed === null || !['exp', 'nbf', 'iat'].includes(failed.claim)) return null;
  const issuedAt = failed.claims['iat'];
  return typeof issuedAt === 'number' ? issuedAt : null;
}

function toUtc(seconds: number): Detail {
  return safe(`${toDate(seconds).toISOString().slice(0, 16).replace('T', ' ')} UTC`);
}

function toDate(seconds: number): Date {
  return new Date(seconds * 1000);
}
