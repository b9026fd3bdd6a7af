// Converts the errors of oauth4webapi into problems that name the failed check or the provider's error code.
// The `cause` may hold parameters and bodies, so it never leaves the worker.

import * as oauth from 'oauth4webapi';
import { ProblemError, toProblem, type ProblemCode } from '../session/problem.ts';
import { findFailedClaim } from './claim-error.ts';
import { toUnreadableCode } from './exchange.ts';
import { toSafeLine } from './safe-line.ts';

/** OAuth errors about the registration or the request, which the person cannot fix. */
const configurationErrors: readonly unknown[] = [
  'invalid_client',
  'unauthorized_client',
  'invalid_request',
  'invalid_scope',
  'invalid_target',
  'unsupported_response_type',
  'unsupported_grant_type',
  'request_not_supported',
  'request_uri_not_supported',
  // Not standardized for this request, but in use.
  'invalid_redirect_uri',
  'redirect_uri_mismatch',
  'redirect_mismatch',
];

/** Runs one step of the protocol and converts whatever it throws into a {@link ProblemError}. */
export async function toProblemErrors<T>(step: string, run: () => Promise<T> | T): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw toProblemError(step, error);
  }
}

/** Returns the OAuth error code of a provider's response (RFC 6749 sections 4.1.2.1 and 5.2), or null. */
export function findOAuthError(error: unknown): string | null {
  const cause = error instanceof ProblemError ? error.cause : error;
  return cause instanceof oauth.ResponseBodyError || cause instanceof oauth.AuthorizationResponseError
    ? cause.error
    : null;
}

/** Whether the provider could not be reached or was unavailable, so that a retry may succeed. */
export function isTransient(error: unknown): boolean {
  return transientCodes.includes(toProblem(error).code);
}

const transientCodes: readonly ProblemCode[] = ['offline', 'timed-out', 'provider-unreachable'];

/** Whether a silent request failed because the person has to interact (OpenID Connect Core 3.1.2.6). */
export function isInteractionRequired(error: unknown): boolean {
  return interactionErrors.includes(findOAuthError(error));
}

const interactionErrors: readonly (string | null)[] = [
  'login_required',
  'interaction_required',
  'consent_required',
  'account_selection_required',
];

function toProblemError(step: string, error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError) {
    return new ProblemError(toErrorCode(error.error), describe(step, error.error, error.error_description), {
      cause: error,
    });
  }
  if (error instanceof oauth.OperationProcessingError || error instanceof oauth.UnsupportedOperationError) {
    return new ProblemError(toRejectionCode(error), `${step}: ${describeCheck(error)}`, { cause: error });
  }
  if (error instanceof oauth.WWWAuthenticateChallengeError) {
    return new ProblemError('response-rejected', `${step}: HTTP ${error.status}`, { cause: error });
  }
  return new ProblemError('unexpected', `${step}: ${error instanceof Error ? error.name : typeof error}`, {
    cause: error,
  });
}

/** Returns the problem code for an OAuth error code. */
export function toErrorCode(error: unknown): ProblemCode {
  if (error === 'access_denied') return 'denied';
  if (error === 'server_error' || error === 'temporarily_unavailable') return 'provider-unreachable';
  return configurationErrors.includes(error) ? 'provider-misconfigured' : 'response-rejected';
}

function toRejectionCode({ code, cause }: Error & { code?: string }): ProblemCode {
  if (cause instanceof Response) return toUnreadableCode(cause);
  // Metadata is validated with a schema, so the endpoint can only be absent.
  return code === oauth.MISSING_SERVER_METADATA ? 'provider-misconfigured' : 'response-rejected';
}

/** The message of oauth4webapi, which quotes no value, followed by the claim or HTTP status. */
function describeCheck(error: Error): string {
  if (error.cause instanceof Response) return `${error.message} (HTTP ${error.cause.status})`;
  const failed = findFailedClaim(error);
  return failed === null ? error.message : `${error.message} [${failed.claim}]`;
}

/** Text from the provider is untrusted. */
function describe(step: string, error: string, description: string | undefined): string {
  return toSafeLine(`${step}: ${error}${description ? ` (${description})` : ''}`);
}
