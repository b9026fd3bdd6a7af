// Diagnoses a provider's refusal of an authorization request, by its error code or else by its words.

import { words, type Detail } from '../session/detail.ts';
import { ProblemError, type Cause, type Diagnosis } from '../session/problem.ts';
import type { FetchedPage } from './exchange.ts';
import { parseObject } from './json-object.ts';
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

/** Error codes with a single possible cause. The last four are in use without a standard. */
const causesByCode: Readonly<Record<string, Cause>> = {
  invalid_client: 'client',
  unauthorized_client: 'client',
  invalid_redirect_uri: 'redirect-uri',
  redirect_uri_mismatch: 'redirect-uri',
  redirect_mismatch: 'redirect-uri',
  invalid_redirect: 'redirect-uri',
};

/**
 * Phrases in descriptions and pages. Redirect URIs come first, because their errors often name the client.
 */
const causesByPhrase: readonly (readonly [words: RegExp, Cause])[] = [
  [/\b(?:redirect|callback|reply)[ _-]?(?:ur[il]|address)|\bAADSTS50011\b/i, 'redirect-uri'],
  [
    /\bclient[ _-]?id|\b(?:unknown|invalid) client|\bclient (?:was |is )?(?:not found|unknown)|\bAADSTS700016\b/i,
    'client',
  ],
  [/\binvalid_(?:request|scope|target)\b/, 'request'],
];

/** Diagnoses an error response. Returns null if the error is not about the request. */
function toDiagnosis(error: string, description: string, registration: Registration): Diagnosis | null {
  if (toErrorCode(error) !== 'provider-misconfigured') return null;
  return createDiagnosis(causesByCode[error] ?? findCause(description) ?? 'request', 'known', registration);
}

/** Returns the machine-readable error of a page, from its JSON body or its URL; null if there is none. */
export function findError({ text, url }: FetchedPage): ReportedError | null {
  return readError(text) ?? readParameters(new URL(url).searchParams);
}

/** Diagnoses a page by its machine-readable error, or else by its visible text. Null if there is no cause. */
export function readDiagnosis(page: FetchedPage, registration: Registration): Diagnosis | null {
  const reported = findError(page);
  if (reported !== null) return toDiagnosis(reported.error, reported.description, registration);
  // Links and scripts name parameters whatever the error is.
  const shown = toVisibleText(page.text);
  const code = Object.keys(causesByCode).find((known) => new RegExp(`\\b${known}\\b`).test(shown));
  if (code !== undefined) return toDiagnosis(code, '', registration);
  const cause = findCause(shown);
  return cause === null ? null : createDiagnosis(cause, 'guess', registration);
}

/** Creates a diagnosis with the value to register, which follows from the cause. */
export function createDiagnosis(
  cause: Cause,
  certainty: Diagnosis['certainty'],
  registration: Registration,
): Diagnosis {
  const { redirectUri, clientId } = registration;
  const register = cause === 'redirect-uri' ? redirectUri : cause === 'client' ? clientId : null;
  return { cause, certainty, register };
}

/**
 * Adds to a detail what a developer can do about an unknown client besides registering it. First, because the end of a
 * long detail is cut.
 */
export function withRemedy(detail: Detail | null, { cause }: Diagnosis): Detail | null {
  if (cause !== 'client') return detail;
  const remedy = words`register this client ID, or correct "clientId" in the configuration`;
  return detail === null ? remedy : words`${remedy}; ${detail}`;
}

/** Runs steps of a sign-in and adds a diagnosis to the error if the provider refuses the request. */
export async function withDiagnosis<T>(registration: Registration, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw addDiagnosis(error, registration) ?? error;
  }
}

function addDiagnosis(error: unknown, registration: Registration): ProblemError | null {
  if (!(error instanceof ProblemError)) return null;
  const { code, detail, cause } = error;
  if (!isErrorAnswer(cause)) return null;
  const diagnosis = toDiagnosis(cause.error, cause.error_description ?? '', registration);
  return diagnosis && new ProblemError(code, withRemedy(detail, diagnosis), { cause, diagnosis });
}

function findCause(text: string): Cause | null {
  return causesByPhrase.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}

function readError(text: string): ReportedError | null {
  const { error, error_description: description } = parseObject(text) ?? {};
  if (typeof error !== 'string') return null;
  return { error, description: typeof description === 'string' ? description : '' };
}

function readParameters(parameters: URLSearchParams): ReportedError | null {
  const error = parameters.get('error');
  return error === null ? null : { error, description: parameters.get('error_description') ?? '' };
}
