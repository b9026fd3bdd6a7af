// Every HTTP exchange with a provider goes through here: to configured hosts alone, without cookies, within a
// deadline and a byte cap, and with an eye on the provider's clock. It knows HTTP and no protocol.

import { ProblemError, type ProblemCode } from '../session/problem.ts';

/** What this room asks of the world. */
export interface World {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly nowMs: () => number;
  readonly randomBytes: (length: number) => Uint8Array<ArrayBuffer>;
  readonly isOnline: () => boolean;
  /** Whether the browser lets the extension reach a host: in Firefox a person can take that permission away. */
  readonly mayReach: (origin: string) => Promise<boolean>;
}

/** A request as oauth4webapi makes it; how it travels is decided here. */
interface ExchangeRequest {
  readonly method?: string | undefined;
  readonly headers?: HeadersInit | undefined;
  readonly body?: BodyInit | null | undefined;
}

export interface VisitedPage {
  readonly status: number;
  /** Where the redirects have led. */
  readonly url: string;
  readonly text: string;
}

export interface Exchange {
  /** Sends one request and returns its answer with the body already read. Throws {@link ProblemError}. */
  readonly fetch: (url: string, request: ExchangeRequest) => Promise<Response>;
  /**
   * Looks at a page as a browser without cookies finds it, whatever its status, and goes where it redirects to. Null
   * where that is beyond our hosts. Throws {@link ProblemError} as `fetch` does.
   */
  readonly fetchPage: (url: string) => Promise<VisitedPage | null>;
  /** How far the provider's clock is ahead of ours, by the `Date` of its last answer; null while none had one. */
  readonly clockSkewSeconds: () => number | null;
}

/** Below 30 s, after which Chromium stops a worker that waits for headers. */
export const deadlineMs = 25_000;
export const maxBodyBytes = 256 * 1024;
/** `Date` has whole seconds and travels; a smaller difference tells nothing. */
const smallestSkewSeconds = 5;
/** A host that asks to be left alone for longer is asked again after this all the same. */
const maxWaitMs = 5 * 60 * 1000;

/**
 * An exchange with the hosts of `origins`.
 *
 * Its `fetch` throws a {@link ProblemError}: `host-permission-missing` for another host, or one that the browser
 * keeps from us, `offline`, `timed-out`, `provider-unreachable` when nothing came, or a 429, or a 5xx, and without
 * a request while the host has asked to be left alone (RFC 9110 section 10.2.3), `provider-misconfigured` for a
 * redirect (these are endpoints, not pages), and `response-rejected` for a body over the cap.
 */
export function createExchange(world: World, origins: readonly string[]): Exchange {
  let skewSeconds: number | null = null;
  const notBeforeMs = new Map<string, number>();

  const send = async <T>(
    url: string,
    { method = 'GET', headers = {}, body = null }: ExchangeRequest,
    redirect: RequestRedirect,
    read: (response: Response, host: string) => Promise<T>,
  ): Promise<T> => {
    const { origin, host } = new URL(url);
    if (!origins.includes(origin)) throw new ProblemError('host-permission-missing', host);

    const sentAtMs = world.nowMs();
    const restMs = (notBeforeMs.get(origin) ?? 0) - sentAtMs;
    // More than the longest wait only remains when the clock was set back. What was no number is never more than 0.
    if (restMs > 0 && restMs <= maxWaitMs) {
      throw new ProblemError('provider-unreachable', `${host} asked to be left alone for a while.`);
    }
    const deadline = AbortSignal.timeout(deadlineMs);
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
      skewSeconds = readSkewSeconds(response, sentAtMs, world.nowMs()) ?? skewSeconds;
      notBeforeMs.set(origin, sentAtMs + readWaitMs(response));
      return await read(response, host);
    } catch (cause) {
      if (cause instanceof ProblemError) throw cause;
      if (deadline.aborted) throw new ProblemError('timed-out', host, { cause });
      if (!world.isOnline()) throw new ProblemError('offline', null, { cause });
      if (!(await world.mayReach(origin))) throw new ProblemError('host-permission-missing', host, { cause });
      throw new ProblemError('provider-unreachable', `${host} did not answer.`, { cause });
    }
  };

  return {
    clockSkewSeconds: () => skewSeconds,
    fetch: (url, request) =>
      send(url, request, 'manual', async (response, host) => {
        rejectTransportFailure(response, host);
        return withBodyRead(response, host);
      }),
    async fetchPage(url) {
      // The error of a provider can be read more surely where it comes as data.
      const request = { headers: { accept: 'application/json, text/html;q=0.9, */*;q=0.1' } };
      const toPage = async (response: Response, host: string): Promise<VisitedPage | null> => {
        if (isRedirect(response) || !origins.includes(new URL(response.url || url).origin)) return null;
        const { status } = response;
        return { status, url: response.url || url, text: await (await withBodyRead(response, host)).text() };
      };
      const page = await send(url, request, 'manual', toPage);
      // Where it leads cannot be seen without going there. Beyond our hosts the browser does not let us go.
      return page ?? send(url, request, 'follow', toPage).catch(() => null);
    },
  };
}

/** The JSON of an answer that must be one. Throws {@link ProblemError} with the code of {@link toUnreadableCode}. */
export async function expectJson(step: string, response: Response): Promise<unknown> {
  if (!response.ok) throw new ProblemError(toUnreadableCode(response), `${step}: HTTP ${response.status}`);
  try {
    return JSON.parse(await response.text());
  } catch (cause) {
    throw new ProblemError(toUnreadableCode(response), `${step}: the answer is not JSON`, { cause });
  }
}

/**
 * What an answer that cannot be read tells: `provider-misconfigured` where there is nothing at this address, or
 * where the provider does not speak with extensions (some refuse their `Origin` with a 403), `provider-unreachable`
 * for a page instead of data, which a network's own sign-in page sends as often as the provider, and
 * `response-rejected` for anything else.
 */
export function toUnreadableCode({ status, headers }: Response): ProblemCode {
  if (status === 403 || status === 404) return 'provider-misconfigured';
  return headers.get('content-type')?.includes('html') ? 'provider-unreachable' : 'response-rejected';
}

function isRedirect({ type, status }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400);
}

function rejectTransportFailure(response: Response, host: string): void {
  if (isRedirect(response)) {
    throw new ProblemError('provider-misconfigured', `${host} redirects where it should answer.`);
  }
  if (response.status === 429 || response.status >= 500) {
    throw new ProblemError('provider-unreachable', `${host} answered with HTTP ${response.status}.`);
  }
}

/** How long the host asks to be left alone, in seconds or as a date, when it is overloaded. No number for nonsense. */
function readWaitMs({ status, headers }: Response): number {
  if (status !== 429 && status !== 503) return 0;
  const wish = headers.get('retry-after');
  const waitMs = Number.isNaN(Number(wish))
    ? readDateMs(wish) - readDateMs(headers.get('date'))
    : Number(wish) * 1000;
  return Math.min(waitMs, maxWaitMs);
}

/** The same answer with its body in memory, so that the deadline has covered it and its size is known. */
async function withBodyRead(response: Response, host: string): Promise<Response> {
  const chunks = response.body === null ? [] : await readChunks(response.body.getReader(), host);
  const { status, statusText, headers } = response;
  // Some statuses allow no body, not even an empty one.
  return new Response(chunks.length === 0 ? null : new Blob(chunks), { status, statusText, headers });
}

async function readChunks(
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
  host: string,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return chunks;
    size += value.byteLength;
    if (size > maxBodyBytes) {
      // Awaiting would hand the wait for a hanging peer to us; nothing depends on the rest of its answer.
      void reader.cancel().catch(() => undefined);
      throw new ProblemError(
        'response-rejected',
        `The answer of ${host} is larger than ${maxBodyBytes} bytes.`,
      );
    }
    chunks.push(value);
  }
}

function readSkewSeconds(response: Response, sentAtMs: number, receivedAtMs: number): number | null {
  const dateMs = readDateMs(response.headers.get('date'));
  if (Number.isNaN(dateMs)) return null;
  const skew = Math.round((dateMs - (sentAtMs + receivedAtMs) / 2) / 1000);
  return Math.abs(skew) < smallestSkewSeconds ? 0 : skew;
}

/** No number for what is no date. */
function readDateMs(date: string | null): number {
  return Date.parse(String(date));
}
