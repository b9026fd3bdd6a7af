// What oauth4webapi throws, as a problem: which check failed, or which error the provider named. Its `cause`
// may hold parameters and bodies, so it stays inside and only names get out.

import * as oauth from 'oauth4webapi';
import { ProblemError, toProblem, type ProblemCode } from '../session/problem.ts';
import { toUnreadableCode } from './exchange.ts';

/** OAuth errors that speak of the registration or the request, which the person cannot mend. */
const misconfigurations: readonly unknown[] = [
  'invalid_client',
  'unauthorized_client',
  'invalid_request',
  'invalid_scope',
  'invalid_target',
  'unsupported_response_type',
  'unsupported_grant_type',
  'request_not_supported',
  'request_uri_not_supported',
  // Of no standard for this request, and in use all the same.
  'invalid_redirect_uri',
  'redirect_uri_mismatch',
  'redirect_mismatch',
];

/** Runs one step with a provider and turns whatever it throws into a {@link ProblemError}. */
export async function toProblemErrors<T>(step: string, run: () => Promise<T> | T): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw toProblemError(step, error);
  }
}

/** The provider's own error code in what was thrown: RFC 6749 sections 4.1.2.1 and 5.2. */
export function findOAuthError(error: unknown): string | null {
  const cause = error instanceof ProblemError ? error.cause : error;
  return cause instanceof oauth.ResponseBodyError || cause instanceof oauth.AuthorizationResponseError
    ? cause.error
    : null;
}

/** Whether a step failed for what a network does, and not a provider. */
export function isTransient(error: unknown): boolean {
  return transientCodes.includes(toProblem(error).code);
}

const transientCodes: readonly ProblemCode[] = ['offline', 'timed-out', 'provider-unreachable'];

/** Whether a silent request was refused because the person is needed for it (OpenID Connect Core 3.1.2.6). */
export function isInteractionRequired(error: unknown): boolean {
  return interactions.includes(findOAuthError(error));
}

const interactions: readonly (string | null)[] = [
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

/** What an OAuth error means for the person. */
export function toErrorCode(error: unknown): ProblemCode {
  if (error === 'access_denied') return 'denied';
  if (error === 'server_error' || error === 'temporarily_unavailable') return 'provider-unreachable';
  return misconfigurations.includes(error) ? 'provider-misconfigured' : 'response-rejected';
}

function toRejectionCode({ code, cause }: Error & { code?: string }): ProblemCode {
  if (cause instanceof Response) return toUnreadableCode(cause);
  // The metadata has been read with a schema, so an endpoint that is there is a good one.
  return code === oauth.MISSING_SERVER_METADATA ? 'provider-misconfigured' : 'response-rejected';
}

/** The library's own sentence, which names the check and quotes nothing, and the claim or status it is about. */
function describeCheck({ message, cause }: Error): string {
  if (cause instanceof Response) return `${message} (HTTP ${cause.status})`;
  if (typeof cause === 'object' && cause !== null && 'claim' in cause)
    return `${message} [${String(cause.claim)}]`;
  return message;
}

/** Wire text of the provider's, which may say anything, as one inert line. */
function describe(step: string, error: string, description: string | undefined): string {
  const line = `${step}: ${error}${description ? ` (${description})` : ''}`;
  return line.replace(/[^\x20-\x7e]+/g, ' ').replace(/\?\S*/g, '?…');
}
