// What a provider that refuses an authorization request blames: its error code says so, or its words do.

import * as oauth from 'oauth4webapi';
import { ProblemError, type Cause, type Diagnosis } from '../session/problem.ts';
import type { VisitedPage } from './exchange.ts';
import { toErrorCode } from './rejection.ts';

/** What was asked with, and may be unknown to the provider. */
export interface Asked {
  readonly redirectUri: string;
  readonly clientId: string;
}

interface ToldError {
  readonly error: string;
  readonly description: string;
}

/** Error codes that are about one thing alone; the last three are in use without a standard for it. */
const causesByCode: Readonly<Record<string, Cause>> = {
  invalid_client: 'client',
  unauthorized_client: 'client',
  invalid_redirect_uri: 'redirect-uri',
  redirect_uri_mismatch: 'redirect-uri',
  redirect_mismatch: 'redirect-uri',
};

/** How providers speak of it, in parameters' names or in prose. A page on a redirect URI names the client as well. */
const causesByWords: readonly (readonly [words: RegExp, Cause])[] = [
  [/\b(?:redirect|callback|reply)[ _-]?(?:ur[il]|address)|\bAADSTS50011\b/i, 'redirect-uri'],
  [
    /\bclient[ _-]?id|\b(?:unknown|invalid) client|\bclient (?:was |is )?(?:not found|unknown)|\bAADSTS700016\b/i,
    'client',
  ],
  [/\binvalid_(?:request|scope|target)\b/, 'request'],
];

/** What an error blames that the provider names by its code, and describes. Null for one that is not about the request. */
export function toFinding(error: string, description: string, asked: Asked): Diagnosis | null {
  if (toErrorCode(error) !== 'provider-misconfigured') return null;
  return diagnosis(causesByCode[error] ?? findCause(description) ?? 'request', 'known', asked);
}

/** The error that a page tells programs, as data or in its address; null where it speaks to people alone. */
export function findError({ text, url }: VisitedPage): ToldError | null {
  return readError(text) ?? readParameters(new URL(url).searchParams);
}

/** What a page blames on which there may be such an error, for programs or in words for people. */
export function readFinding(page: VisitedPage, asked: Asked): Diagnosis | null {
  const told = findError(page);
  if (told !== null) return toFinding(told.error, told.description, asked);
  const words = toVisibleText(page.text);
  const code = Object.keys(causesByCode).find((known) => new RegExp(`\\b${known}\\b`).test(words));
  if (code !== undefined) return toFinding(code, '', asked);
  const cause = findCause(words);
  return cause === null ? null : diagnosis(cause, 'guess', asked);
}

/** What is to be registered follows from what is blamed. */
export function diagnosis(cause: Cause, certainty: Diagnosis['certainty'], asked: Asked): Diagnosis {
  const register = cause === 'redirect-uri' ? asked.redirectUri : cause === 'client' ? asked.clientId : null;
  return { cause, certainty, register };
}

/** Runs steps of a sign-in, and adds to a refusal of the provider's what it blames. */
export async function withDiagnosis<T>(asked: Asked, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw withFinding(error, asked) ?? error;
  }
}

function withFinding(error: unknown, asked: Asked): ProblemError | null {
  if (!(error instanceof ProblemError)) return null;
  const { code, detail, cause } = error;
  if (!(cause instanceof oauth.ResponseBodyError || cause instanceof oauth.AuthorizationResponseError))
    return null;
  const found = toFinding(cause.error, cause.error_description ?? '', asked);
  return found && new ProblemError(code, detail, { cause, diagnosis: found });
}

function findCause(words: string): Cause | null {
  return causesByWords.find(([pattern]) => pattern.test(words))?.[1] ?? null;
}

function readError(text: string): ToldError | null {
  try {
    const { error, error_description: description } = JSON.parse(text) as Record<string, unknown>;
    return typeof error === 'string' ? { error, description: String(description) } : null;
  } catch {
    // A page, for people.
    return null;
  }
}

function readParameters(parameters: URLSearchParams): ToldError | null {
  const error = parameters.get('error');
  return error === null ? null : { error, description: parameters.get('error_description') ?? '' };
}

/** What people read of a page. Its addresses and scripts name every parameter, whatever is wrong. */
function toVisibleText(html: string): string {
  return html.replace(/<(script|style)\b.*?<\/\1>|<[^>]*>/gis, ' ');
}
