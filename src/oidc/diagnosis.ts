// Judges a provider's answer to an authorization request: by its error code, or else by its words, or else by its status. The
// worker and the doctor judge alike.

import { AuthorizationResponseError } from 'oauth4webapi';
import { detail, type Detail } from '../session/detail.ts';
import { parseUrl } from '../session/secure-url.ts';
import { ProblemError, type Cause, type Diagnosis } from '../session/problem.ts';
import type { FetchedPage } from './exchange.ts';
import { parseObject } from './encoding.ts';
import { isErrorAnswer, toErrorCode } from './rejection.ts';
import { toVisibleText } from './visible-text.ts';

/** The values of a request that must be registered with the provider. */
export interface Registration {
  readonly redirectUri: string;
  readonly clientId: string;
}

interface ReportedError {
  readonly error: string;
  readonly description: string;
}

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

/** Returns the cause of an error response; null if the error is not about the request. */
export function findCause({ error, description }: ReportedError): Cause | null {
  if (toErrorCode(error) !== 'provider-misconfigured') return null;
  return findIn(causesByWords, `${error} ${description}`)?.[1] ?? 'request';
}

/**
 * Returns the machine-readable error of an answer; null if there is none. It is in the JSON body, in the address, or in
 * the address of a redirect that the body describes to a script.
 */
export function findError({ text, url }: FetchedPage): ReportedError | null {
  const body = parseObject(text) ?? {};
  return toReported(body['error'], body['error_description']) ?? readQuery(url) ?? readQuery(body['url']);
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
  { redirectUri, clientId }: Registration,
): Diagnosis {
  const register = cause === 'redirect-uri' ? redirectUri : cause === 'client' ? clientId : null;
  return { cause, certainty, register };
}

/**
 * Adds to a detail what a developer can do about an unknown client besides registering it. First, because the end of a
 * long detail is cut.
 */
export function withRemedy(reason: Detail | null, { cause }: Diagnosis): Detail | null {
  if (cause !== 'client') return reason;
  const remedy = detail`register this client ID, or correct "clientId" in the configuration`;
  return reason === null ? remedy : detail`${remedy}; ${reason}`;
}

/** Runs steps of a sign-in and adds a diagnosis to the error if the provider refuses the request. */
export async function withDiagnosis<T>(registration: Registration, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ProblemError) || !isErrorAnswer(error.cause)) throw error;
    const { code, detail: reason, cause } = error;
    const named = findCause({ error: cause.error, description: cause.error_description ?? '' });
    if (named === null) throw error;
    // An error at the redirect URI shows that the provider knows both the redirect URI and the client.
    const isKnown = cause instanceof AuthorizationResponseError;
    const diagnosis = createDiagnosis(isKnown ? 'request' : named, 'known', registration);
    throw new ProblemError(code, withRemedy(reason, diagnosis), { cause, diagnosis });
  }
}
