// Finds out why a sign-in page failed. The browser reports only that it did, so this checks whether the
// provider is reachable and how its authorization endpoint answers the same request outside the window.

import { withTimeout } from '../concurrency/timeout.ts';
import { words, type Detail } from '../session/detail.ts';
import { ProblemError, type Cause, type Diagnosis, type ProblemCode } from '../session/problem.ts';
import { createAuthorizationRequest } from './authorize.ts';
import type { ProviderClient } from './provider-client.ts';
import type { Metadata } from './discover.ts';
import type { FetchedPage } from './exchange.ts';
import type { Flow } from './flow.ts';
import {
  createDiagnosis,
  findError,
  readDiagnosis,
  withDiagnosis,
  withRemedy,
  type Registration,
} from './diagnosis.ts';

/** The person is waiting meanwhile. */
const timeoutMs = 5_000;

/** The evidence: each probe has a result or the error that prevented one. */
interface Evidence {
  /** The metadata used for the failed request. */
  readonly used: Metadata;
  /** The metadata as it is now. */
  readonly metadata: Metadata | ProblemError;
  /** Null if the endpoint redirects beyond the configured hosts, as it does when it accepts the request. */
  readonly page: FetchedPage | ProblemError | null;
}

/**
 * Returns the problem behind a failed sign-in page, with a diagnosis where the evidence allows one; null if
 * nothing points beyond the page itself. `refresh` fetches the metadata again. The probe has no side effects:
 * a fresh request of the same flow with `prompt=none` and without cookies.
 */
export async function diagnose(
  client: ProviderClient,
  used: Metadata,
  redirectUri: string,
  refresh: () => Promise<Metadata>,
  createRequest: Flow['createRequest'] = createAuthorizationRequest,
): Promise<ProblemError | null> {
  if (!client.world.isOnline()) return new ProblemError('offline');
  const registration = { redirectUri, clientId: client.provider.clientId };
  const fetchPage = async () => {
    const { url } = await withDiagnosis(registration, () =>
      createRequest(client, used, redirectUri, { prompt: 'none' }, null),
    );
    return client.fetchPage(url);
  };
  const [metadata, page] = await Promise.all([runProbe(refresh), runProbe(fetchPage)]);
  return assess({ used, metadata, page }, registration);
}

function assess({ used, metadata, page }: Evidence, registration: Registration): ProblemError | null {
  const refusal = findRefusal(page, registration);
  if (refusal !== null) return refusal;
  if (metadata instanceof ProblemError) {
    // If discovery fails too, a captive portal or proxy may have produced the page.
    return isUnanswered(metadata) ? toUnreachable(metadata, 'network', 'guess', registration) : metadata;
  }
  // The endpoint has moved; the next attempt uses the new address.
  if (metadata.authorization_endpoint !== used.authorization_endpoint) return null;
  if (page instanceof ProblemError) {
    return isUnanswered(page) ? toUnreachable(page, 'page-down', 'guess', registration) : null;
  }
  return page === null ? null : diagnosePage(page, registration);
}

/** Returns the provider's explicit refusal, from pushing the request or from its page. */
function findRefusal(page: Evidence['page'], registration: Registration): ProblemError | null {
  if (page instanceof ProblemError) return page.diagnosis === null ? null : page;
  if (page === null || page.status < 400 || page.status >= 500) return null;
  const diagnosis = readDiagnosis(page, registration);
  const detail = diagnosis && withRemedy(describe(page.status), diagnosis);
  return diagnosis && new ProblemError('provider-misconfigured', detail, { diagnosis });
}

/** Diagnoses a response by its status alone. */
function diagnosePage(page: FetchedPage, registration: Registration): ProblemError | null {
  const { status } = page;
  if (status < 400) return null;
  const problem = (code: ProblemCode, cause: Cause, certainty: Diagnosis['certainty']) =>
    new ProblemError(code, describe(status), { diagnosis: createDiagnosis(cause, certainty, registration) });
  if (status >= 500 || status === 429) {
    return problem('provider-unreachable', 'page-down', 'known');
  }
  if (status === 404 || status === 410) {
    return problem('provider-misconfigured', 'page-missing', 'known');
  }
  // Any other error code, such as login_required, shows that the provider accepted the request.
  if (findError(page) !== null) return null;
  // Only an invalid redirect URI or client is shown on a page instead of being sent in a redirect (RFC 6749
  // section 4.1.2.1), and the redirect URI is the likelier mistake.
  return problem('provider-misconfigured', status === 400 ? 'redirect-uri' : 'request', 'guess');
}

function isUnanswered({ code }: ProblemError): boolean {
  return code === 'provider-unreachable' || code === 'timed-out';
}

function toUnreachable({ detail }: ProblemError, ...args: Parameters<typeof createDiagnosis>): ProblemError {
  return new ProblemError('provider-unreachable', detail, { diagnosis: createDiagnosis(...args) });
}

function describe(status: number): Detail {
  return words`sign-in page: HTTP ${status}`;
}

/** Runs a probe. Returns its result, its {@link ProblemError}, or `timed-out` after {@link timeoutMs}. */
async function runProbe<T>(probe: () => Promise<T>): Promise<T | ProblemError> {
  try {
    return await withTimeout(probe(), timeoutMs, () => new ProblemError('timed-out', words`No answer.`));
  } catch (error) {
    if (error instanceof ProblemError) return error;
    throw error;
  }
}
