// The pause after a request that has failed: how long it is, and when it is over. It's stored, because a worker lives for a
// minute and a pause may be longer.

import { isStale, type TokenSet } from '../../oidc/tokens.ts';
import { problem, type Problem, type ProblemCode } from '../../session/problem.ts';

/** Until it is over, the same request isn't sent again. */
export interface Pause {
  /** Its end, in milliseconds since the epoch. */
  readonly untilMs: number;
  readonly lengthMs: number;
  /** Why it began. */
  readonly failure: ProblemCode;
  /**
   * When requests began to fail, each one since, in milliseconds since the epoch. Missing if the device was offline each time, or an
   * earlier version has stored the pause.
   */
  readonly sinceMs?: number;
}

/** A request that has failed. */
export interface Failure {
  readonly problem: Problem;
  /** Whether the provider may have got a request, and whether it has responded with an OAuth error. */
  readonly request: 'unsent' | 'unanswered' | 'answered';
  /** How long the provider asks to wait (`Retry-After`), in milliseconds; 0 if it doesn't. */
  readonly retryAfterMs: number;
}

/** The first pause after a failure that may pass by itself. */
const shortMs = 1_000;
/** The first pause after any other. */
const firstMs = 10_000;
/** Pauses double up to this. They start over when nothing has failed for as long. */
const longestMs = 5 * 60_000;
/** Failures that go on for as long don't pass by themselves. */
const lastingMs = 24 * 60 * 60_000;
/** A longer `Retry-After` is shortened to this. */
const longestAskedMs = 60 * 60_000;

/**
 * Whether the time `dueMs` has come, which was `aheadMs` ahead when it was set. If it's further ahead now, the clock has been
 * set back since, and the time counts as passed. All times are in milliseconds.
 */
export function isDue(dueMs: number, aheadMs: number, nowMs: number): boolean {
  return nowMs >= dueMs || dueMs - nowMs > aheadMs;
}

/** Whether the pause goes on. */
export function isPaused(pause: Pause | null, nowMs: number): pause is Pause {
  return pause !== null && !isDue(pause.untilMs, pause.lengthMs, nowMs);
}

/** Whether the pause is the first one after a failure that may pass: so short that a caller waits for its end. */
export function isShort(pause: Pause | null): pause is Pause {
  return pause !== null && pause.lengthMs <= shortMs;
}

/** Since when each request has failed, if that's a day by now and the device isn't offline; otherwise null. */
export function failingSinceMs({ untilMs, lengthMs, sinceMs = Infinity, failure }: Pause): number | null {
  return untilMs - lengthMs - sinceMs >= lastingMs && failure !== 'offline' ? sinceMs : null;
}

/** How long until a short pause is over, in milliseconds; null if it is over or long. */
export function shortWaitMs(pause: Pause | null, nowMs: number): number | null {
  return isShort(pause) && isPaused(pause, nowMs) ? pause.untilMs - nowMs : null;
}

/** The pause after a failure. */
export function pauseAfter(
  before: Pause | null,
  { problem: { code }, request, retryAfterMs }: Failure,
  nowMs: number,
): Pause {
  const lastMs = before !== null && nowMs < before.untilMs + longestMs ? before.lengthMs : 0;
  // A device that is offline says nothing about the provider.
  const isSpared = request === 'unsent' || code === 'offline' || before?.failure === 'offline';
  const leastMs = request !== 'unsent' && code === 'provider-unreachable' ? shortMs : firstMs;
  const ownMs = Math.min(isSpared ? lastMs : 2 * lastMs, longestMs);
  const lengthMs = Math.min(Math.max(retryAfterMs || ownMs, leastMs), longestAskedMs);
  // A time ahead of now is from a clock that was set back since.
  const sinceMs = code === 'offline' ? before?.sinceMs : Math.min(before?.sinceMs ?? nowMs, nowMs);
  return { untilMs: nowMs + lengthMs, lengthMs, failure: code, ...(sinceMs !== undefined && { sinceMs }) };
}

/** The pause after new tokens that expire at once; null after others. It ends no later than tokens that can still be used. */
export function pauseAfterSuccess(before: Pause | null, tokens: TokenSet, nowMs: number): Pause | null {
  if (!isStale(tokens, nowMs)) return null;
  const isOfUse = tokens.expiresAtMs > nowMs + firstMs;
  const misconfigured = problem('provider-misconfigured');
  const failure: Failure = { problem: misconfigured, request: 'answered', retryAfterMs: 0 };
  return { ...pauseAfter(isOfUse ? null : before, failure, nowMs), sinceMs: nowMs };
}
