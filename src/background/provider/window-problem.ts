// Browsers report the failure of a sign-in window as an English sentence. Only this file knows the sentences.

import { safe } from '../../session/detail.ts';
import { ProblemError, type ProblemCode } from '../../session/problem.ts';

/** Chromium 156 has one flow at a time. */
const occupied = 'Only one web auth flow is allowed';

/** Firefox says this about a silent page that asks something, and about one that can't load. */
const firefoxSilence = 'Requires user interaction';

/** By the beginning of the text: the rest changes between versions. */
const problemsByText: readonly (readonly [beginning: string, ProblemCode])[] = [
  ['The user did not approve access', 'cancelled'],
  ['User cancelled or denied access', 'cancelled'],
  ['Authorization page could not be loaded', 'sign-in-page-failed'],
  ['Authorization page load timed out', 'timed-out'],
  ['Invalid request', 'sign-in-page-failed'],
  ["Couldn't create a browser window", 'not-supported'],
  ['Identity API is disabled in incognito windows', 'not-supported'],
  ['The browser context has been shut down', 'interrupted'],
  // An earlier flow has not ended, perhaps because its page has not loaded.
  [occupied, 'timed-out'],
  // A silent sign-in for which the provider shows a page: in Chromium, and in Firefox.
  ['User interaction required', 'expired'],
  [firefoxSilence, 'expired'],
];

/** Codes to which the browser's text would add nothing. */
const selfExplaining: readonly ProblemCode[] = ['cancelled', 'expired'];

/** The problem behind a browser's text. An unknown text is `unexpected`, never `cancelled`. */
export function toWindowProblem(error: unknown): ProblemError {
  const text = toText(error);
  const code = problemsByText.find(([beginning]) => text.startsWith(beginning))?.[1] ?? 'unexpected';
  const detail = selfExplaining.includes(code) ? null : safe(text);
  return new ProblemError(code, detail, { cause: error, window: isOccupied(error) ? 'left-open' : null });
}

/** Whether a silent flow failed because its page asked something, or didn't load at all. */
export function mayHaveFailedToLoad(problem: ProblemError): boolean {
  return toText(problem.cause).startsWith(firefoxSilence);
}

/** Whether the browser refuses a flow because another one has not ended. */
export function isOccupied(error: unknown): boolean {
  return toText(error).startsWith(occupied);
}

function toText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
