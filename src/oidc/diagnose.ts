// Finds out why a sign-in page failed. The browser reports only that it did, so this checks whether the
// provider is reachable and how its authorization endpoint answers the same request outside the window.

import { withTimeout } from '../concurrency/timeout.ts';
import { detail } from '../session/detail.ts';
import { ProblemError } from '../session/problem.ts';
import { createAuthorizationRequest } from './authorize.ts';
import type { ProviderClient } from './provider-client.ts';
import type { Metadata } from './discover.ts';
import type { FetchedPage } from './exchange.ts';
import type { Flow } from './flow.ts';
import { createDiagnosis, judgePage, withDiagnosis, withRemedy, type Registration } from './diagnosis.ts';

/** The user is waiting all this time. */
const timeoutMs = 5_000;

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
  const [metadata, page] = await Promise.all([
    runProbe(refresh),
    runProbe(async () => {
      const { url } = await withDiagnosis(registration, () =>
        createRequest(client, used, redirectUri, { prompt: 'none' }, null),
      );
      return client.exchange.fetchPage(url);
    }),
  ]);
  const problem = toProblem(page, registration);
  if (problem !== null && isRefusal(problem)) return problem;
  if (metadata instanceof ProblemError) {
    // If discovery fails too, a captive portal or proxy may have produced the page.
    return isUnanswered(metadata) ? toUnreachable(metadata, 'network', 'guess', registration) : metadata;
  }
  // The endpoint has moved; the next attempt uses the new address.
  return metadata.authorization_endpoint === used.authorization_endpoint ? problem : null;
}

/** `page` is null if the endpoint redirects beyond the configured hosts, as it does when it accepts the request. */
function toProblem(page: FetchedPage | ProblemError | null, registration: Registration): ProblemError | null {
  if (page instanceof ProblemError) {
    if (page.diagnosis !== null) return page;
    return isUnanswered(page) ? toUnreachable(page, 'page-down', 'guess', registration) : null;
  }
  const diagnosis = page && judgePage(page, registration);
  if (page === null || diagnosis === null) return null;
  const code = diagnosis.cause === 'page-down' ? 'provider-unreachable' : 'provider-misconfigured';
  const reason = withRemedy(detail`sign-in page: HTTP ${page.status}`, diagnosis);
  return new ProblemError(code, reason, { diagnosis });
}

/** Whether the provider itself says that it refuses the request. */
function isRefusal({ diagnosis }: ProblemError): boolean {
  return diagnosis?.certainty === 'known' && !diagnosis.cause.startsWith('page-');
}

function isUnanswered({ code }: ProblemError): boolean {
  return code === 'provider-unreachable' || code === 'timed-out';
}

function toUnreachable(
  { detail: reason }: ProblemError,
  ...args: Parameters<typeof createDiagnosis>
): ProblemError {
  return new ProblemError('provider-unreachable', reason, { diagnosis: createDiagnosis(...args) });
}

/** Runs a probe. Returns its result, its {@link ProblemError}, or `timed-out` after {@link timeoutMs}. */
async function runProbe<T>(probe: () => Promise<T>): Promise<T | ProblemError> {
  try {
    return await withTimeout(probe(), timeoutMs, () => new ProblemError('timed-out', detail`No answer.`));
  } catch (error) {
    if (error instanceof ProblemError) return error;
    throw error;
  }
}
