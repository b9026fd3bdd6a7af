// Finds out why a sign-in page failed. The browser reports only that it did, so this checks whether the
// provider is reachable and how its authorization endpoint responds to the same request outside the window.

import { withTimeout } from '../concurrency.ts';
import { detail, type Detail } from '../session/detail.ts';
import { ProblemError, type Cause, type Diagnosis } from '../session/problem.ts';
import { readError } from './answer.ts';
import { createAuthorizationRequest } from './authorize.ts';
import type { ProviderClient, FetchedPage } from './http.ts';
import type { Metadata } from './discover.ts';
import type { Flow } from './code-flow.ts';
import { AuthorizationResponseError } from 'oauth4webapi';
import { parseUrl } from '../session/secure-url.ts';
import { parseObject } from './jwt.ts';
import { isErrorAnswer, toErrorCode } from './problems.ts';

/** The user is waiting all this time, and has closed the window in the second case. */
const [timeoutMs, refusalTimeoutMs] = [5_000, 1_500];

/**
 * Returns the problem behind a failed sign-in page, with a diagnosis where the evidence allows one; null if nothing points beyond the
 * page itself. `refresh` fetches the metadata again. The probe has no side effects.
 */
export async function diagnose(
  client: ProviderClient,
  used: Metadata,
  redirectUri: string,
  refresh: () => Promise<Metadata>,
  createRequest: Flow['createRequest'] = createAuthorizationRequest,
): Promise<ProblemError | null> {
  if (!client.world.isOnline()) return new ProblemError('offline');
  const [metadata, problem] = await Promise.all([
    runProbe(refresh, timeoutMs),
    probePage(client, used, redirectUri, createRequest, timeoutMs),
  ]);
  if (problem !== null && isRefusal(problem)) return problem;
  if (metadata instanceof ProblemError) {
    // If discovery fails too, a captive portal or proxy may have produced the page.
    return isUnanswered(metadata) ? toUnreachable(metadata, 'network') : metadata;
  }
  // The endpoint has moved; the next attempt uses the new address.
  return metadata.authorization_endpoint === used.authorization_endpoint ? problem : null;
}

/**
 * Returns the problem behind a window that the user has closed, if the provider itself says that it refuses the request, as its page may
 * have said to the user; otherwise null. With `isPushed`, a provider that takes a pushed request once refuses it too (RFC 9126 section
 * 4), because Firefox loads its address twice.
 */
export async function findRefusal(
  client: ProviderClient,
  used: Metadata,
  redirectUri: string,
  createRequest: Flow['createRequest'],
  isPushed: boolean,
): Promise<ProblemError | null> {
  if (!client.world.isOnline()) return null;
  const refusesAgain = async () => {
    // The response to `prompt=none` would use the request up by itself.
    const { url } = await createRequest(client, used, redirectUri, {}, null);
    const isRefused = async () => ((await client.exchange.fetchPage(url))?.status ?? 0) >= 400;
    return !(await isRefused()) && (await isRefused());
  };
  const [problem, isOnce] = await Promise.all([
    probePage(client, used, redirectUri, createRequest, refusalTimeoutMs),
    isPushed && runProbe(refusesAgain, refusalTimeoutMs),
  ]);
  if (problem !== null && isRefusal(problem)) return problem;
  if (isOnce !== true) return null;
  const reason = detail`pushed request: the provider takes it once, and Firefox loads it twice`;
  const diagnosis = { cause: 'request', certainty: 'known', register: null } as const;
  return new ProblemError('provider-misconfigured', reason, { diagnosis });
}

/** Sends a fresh request of the same flow with `prompt=none` and without cookies, and returns the problem that the response shows. */
async function probePage(
  client: ProviderClient,
  used: Metadata,
  redirectUri: string,
  createRequest: Flow['createRequest'],
  limitMs: number,
): Promise<ProblemError | null> {
  const registration = { redirectUri, clientId: client.provider.clientId };
  const page = await runProbe(async () => {
    const { url } = await withDiagnosis(registration, () =>
      createRequest(client, used, redirectUri, { prompt: 'none' }, null),
    );
    return client.exchange.fetchPage(url);
  }, limitMs);
  return toProblem(page, registration);
}

/** `page` is null if the endpoint redirects beyond the configured hosts, as it does when it accepts the request. */
function toProblem(page: FetchedPage | ProblemError | null, registration: Registration): ProblemError | null {
  if (page instanceof ProblemError) {
    if (page.diagnosis !== null) return page;
    return isUnanswered(page) ? toUnreachable(page, 'page-down') : null;
  }
  const diagnosis = page && (judgePage(page, registration) ?? judgeStatus(page, registration));
  if (page === null || diagnosis === null) return null;
  const code = diagnosis.cause === 'page-down' ? 'provider-unreachable' : 'provider-misconfigured';
  const reason = withRemedy(detail`sign-in page: HTTP ${page.status}`, diagnosis);
  return new ProblemError(code, reason, { diagnosis });
}

/**
 * Chromium shows no page with an error status, even one for signing in. That a user is missing may be said only in response to
 * `prompt=none`.
 */
function judgeStatus(page: FetchedPage, registration: Registration): Diagnosis | null {
  const isUserMissing = /^\w+_required$/.test(findError(page)?.error ?? '');
  return page.status < 400 || isUserMissing ? null : createDiagnosis('page-hidden', 'guess', registration);
}

/** Whether the provider itself says that it refuses the request. */
export function isRefusal({ diagnosis }: ProblemError): boolean {
  return diagnosis?.certainty === 'known' && !diagnosis.cause.startsWith('page-');
}

function isUnanswered({ code }: ProblemError): boolean {
  return code === 'provider-unreachable' || code === 'timed-out';
}

function toUnreachable({ detail: reason }: ProblemError, cause: Cause): ProblemError {
  const diagnosis: Diagnosis = { cause, certainty: 'guess', register: null };
  return new ProblemError('provider-unreachable', reason, { diagnosis });
}

/** Runs a probe. Returns its result, its {@link ProblemError}, or `timed-out` after the limit. */
async function runProbe<T>(probe: () => Promise<T>, limitMs: number): Promise<T | ProblemError> {
  try {
    return await withTimeout(probe(), limitMs, () => new ProblemError('timed-out', detail`No answer.`));
  } catch (error) {
    if (error instanceof ProblemError) return error;
    throw error;
  }
}

// Judges a provider's response to an authorization request: by its error code, or else by its words, or else by its status. The
// worker and the doctor judge alike.

/** The values of a request that must be registered with the provider. */
export interface Registration {
  readonly redirectUri: string;
  readonly clientId: string;
  /** The `Origin` of the extension's requests; missing in Firefox, where each installation has its own. */
  readonly origin?: string | undefined;
}

interface ReportedError {
  readonly error: string;
  readonly description: string;
}

/**
 * Words about a secret, which a public client doesn't have. With `invalid_request` at Google
 * (https://github.com/manfredsteyer/angular-oauth2-oidc/issues/812).
 */
export const secretWords = /client[ _-]?(?:secret|assertion|credentials)/i;

type CauseOfWords = readonly [words: RegExp, Cause, Diagnosis['certainty']];

/** Codes of Microsoft Entra. On its pages they are in scripts, and the status may be 200. */
const causesByEntraCode: readonly CauseOfWords[] = [
  [/AADSTS50011\b/, 'redirect-uri', 'known'],
  [/AADSTS700016\b/, 'client', 'known'],
  [/AADSTS50194\b/, 'request', 'known'],
];

/**
 * Error codes with a single possible cause, some of them in use without a standard; then phrases in descriptions and pages.
 * Phrases about redirect URIs come first, because their errors often name the client.
 */
const causesByWords: readonly CauseOfWords[] = [
  // Entra names the platform, or requires the secret of the platform "Web":
  // https://github.com/AzureAD/microsoft-authentication-library-for-js/issues/5196 and
  // https://github.com/Azure-Samples/ms-identity-javascript-v2/issues/18
  [/'Single-Page Application'|AADSTS(?:900232[67]|7000218)/, 'platform', 'known'],
  [secretWords, 'client', 'known'],
  [/\b(?:invalid|unauthorized)_client\b/, 'client', 'known'],
  [/\b(?:invalid_redirect(?:_uri)?|redirect(?:_uri)?_mismatch)\b/, 'redirect-uri', 'known'],
  [/\b(?:redirect|callback|reply)[ _-]?(?:ur[il]|address)/i, 'redirect-uri', 'guess'],
  [
    /\bclient[ _-]?id|\b(?:unknown|invalid) client|\bclient (?:was |is )?(?:not found|unknown)/i,
    'client',
    'guess',
  ],
  [/\binvalid_(?:request|scope|target)\b/, 'request', 'guess'],
];

const findIn = (causes: readonly CauseOfWords[], text: string) =>
  causes.find(([pattern]) => pattern.test(text));

/** Returns the cause of an error response; null if the error isn't about the request. */
export function findCause({ error, description }: ReportedError): Cause | null {
  if (toErrorCode(error) !== 'provider-misconfigured') return null;
  return findIn(causesByWords, `${error} ${description}`)?.[1] ?? 'request';
}

/**
 * Returns the machine-readable error of a response; null if there is none. It is in the JSON body, in the address, or in
 * the address of a redirect that the body describes to a script.
 */
export function findError({ text, url }: FetchedPage): ReportedError | null {
  const body = parseObject(text) ?? {};
  return toReported(readError(body), body['error_description']) ?? readQuery(url) ?? readQuery(body['url']);
}

function readQuery(address: unknown): ReportedError | null {
  const parameters = typeof address === 'string' ? parseUrl(address)?.searchParams : null;
  return toReported(parameters?.get('error'), parameters?.get('error_description'));
}

function toReported(error: unknown, description: unknown): ReportedError | null {
  if (typeof error !== 'string') return null;
  return { error, description: typeof description === 'string' ? description : '' };
}

/** Judges a page that the provider shows in place of a redirect. Returns null if it doesn't suggest a cause. */
export function judgePage(page: FetchedPage, registration: Registration): Diagnosis | null {
  const judge = (cause: Cause | null, certainty: Diagnosis['certainty'] = 'known') =>
    cause && createDiagnosis(cause, certainty, registration);
  const { status, text } = page;
  const reported = findError(page);
  const named = reported && findCause(reported);
  if (named !== null) return judge(named);
  if (status >= 500 || status === 429) return judge('page-down');
  // A page for signing in may have the same words. Links and scripts name parameters whatever the error is.
  const shown = status < 400 || reported !== null ? '' : toVisibleText(text);
  const found = findIn(causesByEntraCode, text) ?? findIn(causesByWords, shown);
  if (found !== undefined) return judge(found[1], found[2]);
  if (status === 404 || status === 410) return judge('page-missing');
  // Any other error code, such as login_required, shows that the provider accepted the request. And some providers show their
  // page for signing in with 401.
  if (status < 400 || status === 401 || reported !== null) return null;
  // Only an invalid redirect URI or client is shown on a page instead of being sent in a redirect (RFC 6749
  // section 4.1.2.1), and the redirect URI is the likelier mistake.
  return judge(status === 400 ? 'redirect-uri' : 'request', 'guess');
}

/** Creates a diagnosis with the value to register, which follows from the cause. */
export function createDiagnosis(
  cause: Cause,
  certainty: Diagnosis['certainty'],
  { redirectUri, clientId, origin }: Registration,
): Diagnosis {
  const values: Partial<Record<Cause, string | undefined>> = {
    'redirect-uri': redirectUri,
    platform: redirectUri,
    client: clientId,
    origin,
  };
  return { cause, certainty, register: values[cause] ?? null };
}

/** Words of a token endpoint that refuses the extension's `Origin`, such as oidc-provider's "origin … not allowed for client". */
export const originWords = /\borigin\b|\bcors\b/i;

/** The words of an error response. Keycloak refuses an origin without a word, with a 403; a page is rather a firewall's. */
function toWords(cause: unknown): string {
  if (isErrorAnswer(cause)) return String(cause.error_description);
  const answer = cause instanceof Error && cause.cause;
  const isBare = answer instanceof Response && answer.status === 403;
  return isBare && !answer.headers.get('content-type')?.includes('html') ? 'origin' : '';
}

/** Adds what else a developer can do about an unknown client. First, because the end of a long detail is cut. */
function withRemedy(reason: Detail | null, { cause }: Diagnosis): Detail | null {
  if (cause !== 'client') return reason;
  const remedy = detail`register this client ID, or correct "clientId" in the configuration`;
  return reason === null ? remedy : detail`${remedy}; ${reason}`;
}

/** Runs steps of a sign-in and adds a diagnosis to the error if the provider refuses the request. */
export async function withDiagnosis<T>(registration: Registration, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const { code, detail: reason, cause } = error;
    const words = toWords(cause);
    const isAnswer = isErrorAnswer(cause);
    const found = isAnswer ? findCause({ error: cause.error, description: words }) : null;
    // Entra's words for another platform name the origin too.
    const named = found !== 'platform' && originWords.test(words) ? 'origin' : found;
    if (named === null) throw error;
    // An error at the redirect URI shows that the provider knows both the redirect URI and the client.
    const isKnown = cause instanceof AuthorizationResponseError;
    const diagnosis = createDiagnosis(
      isKnown ? 'request' : named,
      isAnswer ? 'known' : 'guess',
      registration,
    );
    throw new ProblemError(code, withRemedy(reason, diagnosis), { cause, diagnosis });
  }
}

// The text of a page as a user sees it, roughly and in linear time: a page may be 256 kB of anything.

/** Replaces scripts, styles and tags by spaces. A tag that doesn't end is text. */
export function toVisibleText(html: string): string {
  const ends = { script: endsAfter(html, /<\/script>/gi), style: endsAfter(html, /<\/style>/gi) };
  const tagEnd = endsAfter(html, />/g);
  const opening = /<(?:(script|style)(?!\w))?/iy;
  let shown = '';
  let at = 0;
  for (let start = html.indexOf('<'); start !== -1; start = html.indexOf('<', at)) {
    opening.lastIndex = start;
    const name = opening.exec(html)?.[1]?.toLowerCase() as keyof typeof ends | undefined;
    const end = (name && ends[name](start)) ?? tagEnd(start);
    if (end === null) break;
    shown += `${html.slice(at, start)} `;
    at = end;
  }
  return shown + html.slice(at);
}

/** A function that returns where the next `mark` from a position ends, or null. Positions must not decrease. */
function endsAfter(text: string, mark: RegExp): (from: number) => number | null {
  let next: number | null = 0;
  return (from) => {
    // After a search without a result it doesn't search again, which makes this linear.
    if (next !== null && next <= from) {
      mark.lastIndex = from;
      next = mark.test(text) ? mark.lastIndex : null;
    }
    return next;
  };
}
