// Sends every HTTP request to a provider: to configured hosts only, without cookies, with a timeout and a size limit. Then the
// provider's clock, as its responses show it, and the client for oauth4webapi that all steps of the protocol share.

import * as oauth from 'oauth4webapi';
import { safe, detail, type Detail } from '../session/detail.ts';
import { ProblemError } from '../session/problem.ts';
import type { Provider } from '../config/provider.ts';
import { toProviderOrigins } from '../config/manifest.ts';
import { toStandardAnswer, type OnArrival } from './answer.ts';
import { toUnreadableCode } from './problems.ts';

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
export class UnsentError extends Error {}

/** Chromium stops a worker whose request gets no headers within 30 s. */
const timeoutMs = 25_000;
/** A longer `Retry-After` is shortened to this. */
const maxRetryAfterMs = 5 * 60 * 1000;

/**
 * Creates an exchange: HTTP access to the hosts of `origins`, which the configuration has. Each response sets `clock`.
 *
 * Its `fetch` throws a {@link ProblemError}: `host-permission-missing` for any other host, or if the browser withholds the permission;
 * `offline`; `timed-out`; `provider-unreachable` if there is no response, for a 429 or 5xx, and without a request until the
 * `Retry-After` of this very endpoint has passed (RFC 9110 section 10.2.3); `provider-misconfigured` for a redirect, because these are
 * endpoints and not pages; `response-rejected` for a body over `maxBodyBytes`.
 */
export function createExchange(
  world: Environment,
  origins: readonly string[],
  clock = createProviderClock(),
) {
  /** By endpoint, because providers limit each of them on its own. */
  const notBeforeMs = new Map<string, number>();

  const send = async <T>(
    url: string,
    { method = 'GET', headers = {}, body = null }: ExchangeRequest,
    redirect: RequestRedirect,
    read: (response: Response, host: string) => Promise<T>,
    waiting: 'waits' | 'at-once' = 'waits',
  ): Promise<T> => {
    const { origin, host, pathname } = new URL(url);
    if (!origins.includes(origin))
      throw new ProblemError('host-permission-missing', detail`a host that is not in the configuration`);
    const endpoint = origin + pathname;
    const sentAtMs = world.nowMs();
    const waitMs = (notBeforeMs.get(endpoint) ?? 0) - sentAtMs;
    // A longer wait can only mean that the clock was set back.
    if (waiting === 'waits' && waitMs > 0 && waitMs <= maxRetryAfterMs) {
      const reason = detail`${safe(host)} asked to be left alone for a while.`;
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
      const reason = safe(host);
      if (deadline.aborted) throw new ProblemError('timed-out', reason, { cause });
      if (!world.isOnline()) throw new ProblemError('offline', null, { cause });
      if (!(await world.mayReach(origin)))
        throw new ProblemError('host-permission-missing', reason, { cause });
      throw new ProblemError('provider-unreachable', detail`${reason} did not answer.`, { cause });
    }
  };

  return {
    /** Sends one request and returns the response with its body already read. */
    fetch: (url: string, request: ExchangeRequest) => send(url, request, 'manual', readAnswer),
    /**
     * The same, even while the endpoint asks us to wait: for a request that can't be repeated later,
     * because the provider may have recovered and nothing is lost by asking.
     */
    fetchAtOnce: (url: string, request: ExchangeRequest) =>
      send(url, request, 'manual', readAnswer, 'at-once'),
    /**
     * Fetches a page without cookies, whatever its status, and follows redirects if they are confined to the configured hosts.
     * Returns null if they aren't, or if they lead beyond those hosts.
     */
    async fetchPage(url: string): Promise<FetchedPage | null> {
      // Asks for JSON first, because an error code as data is more certain than words on a page.
      const request = { headers: { accept: 'application/json, text/html;q=0.9, */*;q=0.1' } };
      const toPage = async (response: Response, host: string): Promise<FetchedPage | null> => {
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

function isRedirect({ type, status }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400);
}

/** How long the endpoint of a failed request asks to wait, in milliseconds; 0 if it doesn't. */
export function findRetryAfterMs(error: unknown): number {
  const cause = error instanceof ProblemError ? error.cause : null;
  const response = cause instanceof oauth.ResponseBodyError ? cause.response : cause;
  return Math.max((response instanceof Response && readRetryAfterMs(response)) || 0, 0);
}

/** Whether a request has failed before anything was sent. */
export function isUnsent(error: unknown): boolean {
  return error instanceof ProblemError && error.cause instanceof UnsentError;
}

const unitsMs: Readonly<Record<string, number>> = { ms: 1, milli: 1, s: 1000, m: 60_000, h: 3_600_000 };

/**
 * Reads `Retry-After` of an error, in milliseconds (RFC 9110 section 10.2.3). NaN if it can't be read. In addition to seconds and
 * dates, proxies write durations ("1m30s", "500ms", "30 seconds"), a value twice ("30, 30"), or seconds since the epoch.
 */
function readRetryAfterMs({ status, headers }: Response): number {
  const text = headers.get('retry-after')?.slice(0, 64).replaceAll('"', '').trim() ?? '';
  if (status < 400 || text === '') return 0;
  const nowMs = Date.parse(headers.get('date') ?? '');
  if (!/^\d/.test(text) || /^\d\d\d\d-/.test(text)) return Date.parse(text) - nowMs;
  const [first = ''] = text.split(',', 1);
  let [ms, count] = [0, 0];
  for (const part of first.toLowerCase().match(/[\d.]+|milli|ms|[smh]/g) ?? []) {
    const unitMs = unitsMs[part];
    if (unitMs === undefined) count = Number(part);
    else [ms, count] = [ms + count * unitMs, 0];
  }
  ms += count * 1000;
  // No server asks for a pause of 30 years.
  return ms > 1e12 ? ms - nowMs : ms;
}

/** Far more than any metadata, key set or token response needs. */
export const maxBodyBytes = 256 * 1024;

/** Reads the response of an endpoint. Throws {@link ProblemError} for one that says nothing. */
async function readAnswer(response: Response, host: string): Promise<Response> {
  const { status } = response;
  if (isRedirect(response)) {
    throw new ProblemError('provider-misconfigured', detail`${safe(host)} redirects where it should answer.`);
  }
  // A 408 also says that the same request may work later.
  if (status === 408 || status === 429 || status >= 500) {
    const reason = detail`${safe(host)} answered with HTTP ${status}.`;
    throw new ProblemError('provider-unreachable', reason, { cause: response });
  }
  return bufferBody(response, host);
}

/**
 * Reads the body into memory, so that a timeout covers it. Returns the same response with its body unread. Throws
 * {@link ProblemError}: `response-rejected` for a body over {@link maxBodyBytes}.
 */
async function bufferBody({ body, status, headers }: Response, host: string): Promise<Response> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done) break;
    size += value.byteLength;
    if (size > maxBodyBytes) {
      // Not awaited, because the peer may hang and nothing depends on the rest.
      void reader?.cancel().catch(() => undefined);
      const reason = detail`The answer of ${safe(host)} is larger than ${maxBodyBytes} bytes.`;
      throw new ProblemError('response-rejected', reason);
    }
    text += decoder.decode(value, { stream: true });
  }
  text += decoder.decode();
  // Statuses such as 204 don't allow even an empty body.
  return new Response(text || null, { status, headers: withoutLongChallenge(headers) });
}

/** A longer challenge isn't read: oauth4webapi takes quadratic time, and a challenge names an error. */
const maxChallengeLength = 4096;

/** Returns the headers without a challenge (RFC 9110 section 11.6.1) that is too long to be read. */
export function withoutLongChallenge(headers: Headers): Headers {
  const name = 'www-authenticate';
  if ((headers.get(name)?.length ?? 0) <= maxChallengeLength) return headers;
  const others = new Headers(headers);
  others.delete(name);
  return others;
}

// The provider's clock, as far as its responses show it: how far it is ahead of this device's clock.

/** `Date` has whole seconds and takes time to arrive, so a smaller difference is noise. */
const minSkewSeconds = 5;
/** The longest round trip after which a date shows that this device's clock is right. */
const maxRangeSeconds = 60;

/** Creates the clock of one provider. It calls `onChange` after each measurement that differs by more than noise. */
export function createProviderClock(onChange: () => void = () => undefined) {
  let skewSeconds: number | null = null;

  return {
    /** How far the provider's clock is ahead of this device's, in seconds; null while unknown. */
    skewSeconds: () => skewSeconds,
    /**
     * Measures with the `Date` of a response, given this device's times of the request and the response. The provider wrote the
     * date at some time between the two, so what is known stays if it fits: after a standby, hours may lie between them.
     */
    measure(headers: Headers, sentAtMs: number, receivedAtMs: number): void {
      // A cache keeps the origin's `Date` and says in `Age` how old it is (RFC 9111 section 5.1). Such a date is only as exact as the
      // clocks of all caches on the way.
      const isCached = !/^0*$/.test(headers.get('age') ?? '');
      const dateMs = Date.parse(headers.get('date') ?? '');
      // This clock may be set back while a request is under way.
      if (isCached || Number.isNaN(dateMs) || receivedAtMs < sentAtMs) return;
      const [least, most] = [(dateMs - receivedAtMs) / 1000, (dateMs - sentAtMs) / 1000];
      const before = skewSeconds;
      const fitting = Math.round(Math.min(Math.max(before ?? 0, least), most));
      const measured = Math.abs(fitting) < minSkewSeconds ? 0 : fitting;
      // This only shows that the clock may be right, not that it is.
      if (before === null && measured === 0 && most - least > maxRangeSeconds) return;
      skewSeconds = measured;
      if (before === null || isOtherSkew(before, measured)) onChange();
    },
    /** Takes over what an earlier run has measured, if nothing is known yet. */
    restore(stored: number): void {
      skewSeconds ??= stored;
    },
  };
}

/** Whether two skews differ by more than noise. An unknown skew counts as none. */
export function isOtherSkew(one: number | null, other: number | null): boolean {
  return Math.abs((one ?? 0) - (other ?? 0)) >= minSkewSeconds;
}

// The client of one provider: its configuration, an exchange with its hosts, and the values for oauth4webapi.

/** Tolerance for the end of a token or of an authentication, in addition to the known skew. */
export const expiryToleranceSeconds = 30;
/**
 * Tolerance for times in the future (`iat`, `nbf`), in addition to the known skew. They only guard against a
 * wrong clock, and the usual tolerance for that is five minutes.
 */
export const futureToleranceSeconds = 5 * 60;

/**
 * Creates the client of a provider. It remembers the clock skew, unless `clock` is given, and DPoP nonces, so
 * create it once.
 */
export function createProviderClient(world: Environment, provider: Provider, clock = createProviderClock()) {
  const exchange = createExchange(world, toProviderOrigins(provider), clock);
  const nowSeconds = () => Math.floor(world.nowMs() / 1000) + (clock.skewSeconds() ?? 0);
  return {
    provider,
    world,
    /** The current time by the provider's clock, in whole seconds. */
    nowSeconds,
    /** How far the provider's clock is ahead of ours; null while unknown. */
    skewSeconds: clock.skewSeconds,
    /** For all requests but those to OAuth endpoints. */
    exchange,
    /** DPoP state by key thumbprint: the newest nonce of each server. The keys that were used last are in it. */
    dpopHandles: new Map<string, oauth.DPoPHandle>(),
    /** The client for oauth4webapi, which checks no times. */
    oauthClient: { client_id: provider.clientId } as oauth.Client,
    /** How it authenticates: as a public client, without a secret, because every copy of the build would contain it. */
    authentication: oauth.None(),
    /** For requests to OAuth endpoints that bring no tokens. Their responses are converted to standard ones. */
    options: toOptions(provider, exchange.fetch),
  };
}

function toOptions(
  provider: Provider,
  fetch: ReturnType<typeof createExchange>['fetch'],
  onArrival?: OnArrival,
) {
  return {
    [oauth.customFetch]: async (url: string, request: ExchangeRequest) => {
      const sent = request.body instanceof URLSearchParams ? request.body.get('refresh_token') : null;
      return toStandardAnswer(provider, await fetch(url, request), onArrival, sent);
    },
    // The configuration and the metadata schema have rejected `http:` beyond loopback already.
    [oauth.allowInsecureRequests]: true,
  };
}

/** Access to one provider, shared by all steps of the protocol. */
export type ProviderClient = Readonly<ReturnType<typeof createProviderClient>>;

/** The same for one piece of work that requests tokens. */
export type TokenClient = Readonly<ReturnType<typeof toTokenClient>>;

/**
 * The one way to request tokens: `onArrival` gets each one as it arrives, before anything is checked, and makes sure that none is
 * lost.
 */
export function toTokenClient(client: ProviderClient, onArrival: OnArrival) {
  const { provider, exchange } = client;
  return {
    ...client,
    /** For requests to the token endpoint. */
    tokenOptions: toOptions(provider, exchange.fetch, onArrival),
    /** The same for a request that can't be repeated later: sent even while the endpoint asks us to wait (`Retry-After`). */
    atOnceTokenOptions: toOptions(provider, exchange.fetchAtOnce, onArrival),
  };
}
