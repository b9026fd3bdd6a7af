// Why a sign-in page failed. A browser says only that it did, so this looks around: whether the provider can be
// reached, and what its authorization endpoint answers to the same request when it comes without a window.

import { ProblemError, type ProblemCode } from '../session/problem.ts';
import { createAuthorizationRequest } from './authorize.ts';
import type { ProviderClient } from './provider-client.ts';
import type { Metadata } from './discover.ts';
import type { VisitedPage } from './exchange.ts';
import { withDiagnosis, findError, diagnosis, readFinding, type Asked } from './diagnosis.ts';

/** The person waits for this. */
const timeoutMs = 5_000;

/** What has been found out: each is what came back, or why nothing did. */
interface Evidence {
  /** The metadata that the window was opened by… */
  readonly used: Metadata;
  /** …and as it is now. */
  readonly metadata: Metadata | ProblemError;
  /** Null where the endpoint redirects to a place beyond our hosts, as it does when it can answer. */
  readonly page: VisitedPage | ProblemError | null;
}

/**
 * The problem behind a sign-in page that failed, with a finding where there is one; null where nothing speaks for
 * another than the page itself. `refresh` asks for the metadata anew. What is asked with has no effect: a fresh
 * request, without cookies, that lets the provider show nothing (`prompt=none`).
 */
export async function diagnose(
  client: ProviderClient,
  used: Metadata,
  redirectUri: string,
  refresh: () => Promise<Metadata>,
): Promise<ProblemError | null> {
  if (!client.world.isOnline()) return new ProblemError('offline');
  const asked = { redirectUri, clientId: client.provider.clientId };
  const fetchPage = async () => {
    const { url } = await withDiagnosis(asked, () =>
      createAuthorizationRequest(client, used, redirectUri, { prompt: 'none' }),
    );
    return client.fetchPage(url);
  };
  const [metadata, page] = await Promise.all([inTime(refresh), inTime(fetchPage)]);
  return judge({ used, metadata, page }, asked);
}

function judge({ used, metadata, page }: Evidence, asked: Asked): ProblemError | null {
  const refusal = findRefusal(page, asked);
  if (refusal !== null) return refusal;
  if (metadata instanceof ProblemError) {
    // Whatever the endpoint answered, it may be something in between that did.
    return isSilence(metadata) ? withFinding(metadata, 'network', 'guess', asked) : metadata;
  }
  // It has moved, and the next attempt knows where to.
  if (metadata.authorization_endpoint !== used.authorization_endpoint) return null;
  if (page instanceof ProblemError) {
    return isSilence(page) ? withFinding(page, 'page-down', 'guess', asked) : null;
  }
  return page === null ? null : judgePage(page, asked);
}

/** The refusal that is told in so many words, pushed or on a page. */
function findRefusal(page: Evidence['page'], asked: Asked): ProblemError | null {
  if (page instanceof ProblemError) return page.diagnosis === null ? null : page;
  if (page === null || page.status < 400 || page.status >= 500) return null;
  const found = readFinding(page, asked);
  return found && new ProblemError('provider-misconfigured', describe(page.status), { diagnosis: found });
}

/** What an answer tells by its status alone. */
function judgePage(page: VisitedPage, asked: Asked): ProblemError | null {
  const { status } = page;
  if (status < 400) return null;
  const problem = (code: ProblemCode, found: ReturnType<typeof diagnosis>) =>
    new ProblemError(code, describe(status), { diagnosis: found });
  if (status >= 500 || status === 429) {
    return problem('provider-unreachable', diagnosis('page-down', 'known', asked));
  }
  if (status === 404 || status === 410) {
    return problem('provider-misconfigured', diagnosis('page-missing', 'known', asked));
  }
  // It has understood the request well enough for an error that is none of ours.
  if (findError(page) !== null) return null;
  // Of all mistakes only these two are told on a page and not by a redirect (RFC 6749 section 4.1.2.1), and a redirect
  // URI is forgotten more often than a client is mistaken.
  const cause = status === 400 ? 'redirect-uri' : 'request';
  return problem('provider-misconfigured', diagnosis(cause, 'guess', asked));
}

function isSilence({ code }: ProblemError): boolean {
  return code === 'provider-unreachable' || code === 'timed-out';
}

function withFinding({ detail }: ProblemError, ...found: Parameters<typeof diagnosis>): ProblemError {
  return new ProblemError('provider-unreachable', detail, { diagnosis: diagnosis(...found) });
}

function describe(status: number): string {
  return `sign-in page: HTTP ${status}`;
}

/** What comes of `ask`, or why nothing does, as long as somebody waits for it. */
async function inTime<T>(ask: () => Promise<T>): Promise<T | ProblemError> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<ProblemError>((resolve) => {
    timer = setTimeout(() => resolve(new ProblemError('timed-out', 'No answer.')), timeoutMs);
  });
  try {
    return await Promise.race([ask(), late]);
  } catch (error) {
    if (error instanceof ProblemError) return error;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
