// Sends every HTTP request to a provider: to configured hosts only, without cookies, with a timeout and a
// size limit. Knows only HTTP, and no protocol above it.

import { safe, detail, type Detail } from '../session/detail.ts';
import { ProblemError, type ProblemCode } from '../session/problem.ts';
import { createProviderClock, readDateMs } from './provider-clock.ts';
import { bufferBody } from './body.ts';

/** The environment of the protocol code. Tests replace it. */
export interface Environment {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly nowMs: () => number;
  readonly randomBytes: (length: number) => Uint8Array<ArrayBuffer>;
  readonly isOnline: () => boolean;
  /** Whether the extension has permission for a host: in Firefox a user can revoke it. */
  readonly mayReach: (origin: string) => Promise<boolean>;
  /** Set if the content security policy keeps redirects to the configured hosts. Otherwise redirects mustn't be followed. */
  readonly redirects?: 'confined' | undefined;
  /** Writes on the console, for developers. Missing where there is none. */
  readonly warn?: (line: string) => void;
}

/** A request as oauth4webapi makes it; `createExchange` adds the rest. */
interface ExchangeRequest {
  readonly method?: string | undefined;
  readonly headers?: HeadersInit | undefined;
  readonly body?: BodyInit | null | undefined;
}

/** A page of the provider, fetched to diagnose a failure. */
export interface FetchedPage {
  readonly status: number;
  /** The URL after redirects. */
  readonly url: string;
  readonly text: string;
}

/** The cause of a problem that arose before anything was sent. */
export class UnsentError extends Error {
  override readonly name = 'UnsentError';
}

/** HTTP access to the hosts of one provider. Each call throws {@link ProblemError}s. */
export interface Exchange {
  /** Sends one request and returns the response with its body already read. */
  readonly fetch: (url: string, request: ExchangeRequest) => Promise<Response>;
  /**
   * The same, even while the endpoint asks to be left alone: for a request that cannot be repeated later,
   * because the provider may have recovered and nothing is lost by asking.
   */
  readonly fetchAtOnce: Exchange['fetch'];
  /**
   * Fetches a page without cookies, whatever its status, and follows redirects if they are confined to the configured hosts.
   * Returns null if they aren't, or if they lead beyond those hosts.
   */
  readonly fetchPage: (url: string) => Promise<FetchedPage | null>;
}

/** Chromium stops a worker whose request gets no headers within 30 s. */
export const timeoutMs = 25_000;
/** A longer `Retry-After` is shortened to this. */
const maxRetryAfterMs = 5 * 60 * 1000;

/**
 * Creates an exchange with the hosts of `origins`. Each response sets `clock`.
 *
 * Its `fetch` throws a {@link ProblemError}: `host-permission-missing` for any other host, or if the browser
 * withholds the permission; `offline`; `timed-out`; `provider-unreachable` if there is no response, for a 429
 * or 5xx, and without a request until the `Retry-After` of this very endpoint has passed (RFC 9110 section
 * 10.2.3);
 * `provider-misconfigured` for a redirect, because these are endpoints and not pages; `response-rejected` for
 * a body over `maxBodyBytes`.
 */
export function createExchange(
  world: Environment,
  origins: readonly string[],
  clock = createProviderClock(),
): Exchange {
  /** By endpoint, because providers limit each of them on its own. */
  const notBeforeMs = new Map<string, number>();

  const send = async <T>(
    url: string,
    { method = 'GET', headers = {}, body = null }: ExchangeRequest,
    redirect: RequestRedirect,
    read: (response: Response, host: Detail) => Promise<T>,
    waiting: 'waits' | 'at-once' = 'waits',
  ): Promise<T> => {
    const { origin, host: name, pathname } = new URL(url);
    if (!origins.includes(origin)) {
      throw new ProblemError('host-permission-missing', detail`a host that is not in the configuration`);
    }
    // The configuration has it.
    const host = safe(name);
    const endpoint = origin + pathname;
    const sentAtMs = world.nowMs();
    const waitMs = (notBeforeMs.get(endpoint) ?? 0) - sentAtMs;
    // A longer wait can only mean that the clock was set back.
    if (waiting === 'waits' && waitMs > 0 && waitMs <= maxRetryAfterMs) {
      const reason = detail`${host} asked to be left alone for a while.`;
      throw new ProblemError('provider-unreachable', reason, { cause: new UnsentError() });
    }
    const deadline = AbortSignal.timeout(timeoutMs);
    try {
      const response = await world.fetch(url, {
        method,
        headers,
        body,
        signal: deadline,
        redirect,
        credentials: 'omit',
        cache: 'no-store',
        referrerPolicy: 'no-referrer',
      });
      clock.measure(response.headers, sentAtMs, world.nowMs());
      const retryAfterMs = Math.min(readRetryAfterMs(response), maxRetryAfterMs);
      // NaN compares false.
      if (retryAfterMs > 0) notBeforeMs.set(endpoint, sentAtMs + retryAfterMs);
      else notBeforeMs.delete(endpoint);
      return await read(response, host);
    } catch (cause) {
      if (cause instanceof ProblemError) throw cause;
      if (deadline.aborted) throw new ProblemError('timed-out', host, { cause });
      if (!world.isOnline()) throw new ProblemError('offline', null, { cause });
      if (!(await world.mayReach(origin))) throw new ProblemError('host-permission-missing', host, { cause });
      throw new ProblemError('provider-unreachable', detail`${host} did not answer.`, { cause });
    }
  };

  const readAnswer = async (response: Response, host: Detail) => {
    const { status } = response;
    if (isRedirect(response)) {
      throw new ProblemError('provider-misconfigured', detail`${host} redirects where it should answer.`);
    }
    if (status === 429 || status >= 500) {
      const reason = detail`${host} answered with HTTP ${status}.`;
      throw new ProblemError('provider-unreachable', reason, { cause: response });
    }
    return bufferBody(response, host);
  };

  return {
    fetch: (url, request) => send(url, request, 'manual', readAnswer),
    fetchAtOnce: (url, request) => send(url, request, 'manual', readAnswer, 'at-once'),
    async fetchPage(url) {
      // Asks for JSON first, because an error code as data is more certain than words on a page.
      const request = { headers: { accept: 'application/json, text/html;q=0.9, */*;q=0.1' } };
      const toPage = async (response: Response, host: Detail): Promise<FetchedPage | null> => {
        if (isRedirect(response) || !origins.includes(new URL(response.url || url).origin)) return null;
        const page = await bufferBody(response, host);
        return { status: response.status, url: response.url || url, text: await page.text() };
      };
      const page = await send(url, request, 'manual', toPage);
      if (page !== null || world.redirects !== 'confined') return page;
      // A manual redirect hides its target, so follow it.
      return send(url, request, 'follow', toPage).catch(() => null);
    },
  };
}

/**
 * Parses the JSON body of a successful response of `place`, which is named in the problem; otherwise throws the code of
 * {@link toUnreadableCode}.
 */
export async function readJsonAnswer(step: Detail, place: Detail, response: Response): Promise<unknown> {
  if (!response.ok) {
    throw new ProblemError(toUnreadableCode(response), detail`${step}: HTTP ${response.status} at ${place}`);
  }
  try {
    return JSON.parse(await response.text());
  } catch (cause) {
    const reason = detail`${step}: the answer of ${place} is not JSON`;
    throw new ProblemError(toUnreadableCode(response), reason, { cause });
  }
}

/**
 * The problem code of a response that cannot be used: `provider-misconfigured` if nothing is at this address
 * or the provider rejects extensions (some refuse their `Origin` with a 403), `provider-unreachable` for a
 * web page, which may as well come from a captive portal, and `response-rejected` for anything else.
 */
export function toUnreadableCode({ status, headers }: Response): ProblemCode {
  if (status === 403 || status === 404) return 'provider-misconfigured';
  return headers.get('content-type')?.includes('html') ? 'provider-unreachable' : 'response-rejected';
}

function isRedirect({ type, status }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400);
}

/** How long the host of a failed request has asked to be left alone, in milliseconds; 0 if it has not. */
export function findRetryAfterMs(error: unknown): number {
  const cause = error instanceof ProblemError ? error.cause : null;
  return Math.max((cause instanceof Response && readRetryAfterMs(cause)) || 0, 0);
}

/** Whether a request has failed before anything was sent. */
export function isUnsent(error: unknown): boolean {
  return error instanceof ProblemError && error.cause instanceof UnsentError;
}

/** Reads `Retry-After` of an overloaded host, in milliseconds. NaN if it is neither seconds nor a date. */
function readRetryAfterMs({ status, headers }: Response): number {
  if (status !== 429 && status !== 503) return 0;
  const retryAfter = headers.get('retry-after');
  return Number.isNaN(Number(retryAfter))
    ? readDateMs(retryAfter) - readDateMs(headers.get('date'))
    : Number(retryAfter) * 1000;
}
