// The pause between two renewals of a session's tokens: how long it is, and when it is over.

import { isStale, type TokenSet } from '../../oidc/tokens.ts';
import { problem, type Problem, type ProblemCode } from '../../session/problem.ts';

/** Until it is over, the tokens of a session are not renewed. */
export interface Pause {
  /** Its end, in milliseconds since the epoch. */
  readonly untilMs: number;
  readonly lengthMs: number;
  /** Why there are no better tokens. */
  readonly failure: ProblemCode;
}

/** A renewal that has failed. */
export interface Failure {
  readonly problem: Problem;
  /** Whether the provider may have got a request, and whether it has answered with an OAuth error. */
  readonly request: 'unsent' | 'unanswered' | 'answered';
  /** How long the provider has asked to be left alone, in milliseconds; 0 if it has not. */
  readonly retryAfterMs: number;
}

/** The first pause, and the shortest. */
const firstMs = 10_000;
/** Pauses double up to this. They start over when no renewal has failed for as long. */
const longestMs = 5 * 60_000;
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

/** The pause after a failure. It stays the same if this very failure began it, because an event may be told twice. */
export function pauseAfter(
  before: Pause | null,
  { problem: { code }, request, retryAfterMs }: Failure,
  nowMs: number,
): Pause {
  if (before?.failure === code && before.untilMs - before.lengthMs === nowMs) return before;
  const lastMs = before !== null && nowMs < before.untilMs + longestMs ? before.lengthMs : 0;
  // The provider has nothing to do with a device that is offline.
  const isSpared = request === 'unsent' || code === 'offline' || before?.failure === 'offline';
  const ownMs = Math.min(isSpared ? lastMs : 2 * lastMs, longestMs);
  const lengthMs = Math.min(Math.max(retryAfterMs || ownMs, firstMs), longestAskedMs);
  return { untilMs: nowMs + lengthMs, lengthMs, failure: code };
}

/** The pause after new tokens that end at once; null after others. It doesn't outlast tokens that are still of some use. */
export function pauseAfterSuccess(before: Pause | null, tokens: TokenSet, nowMs: number): Pause | null {
  if (!isStale(tokens, nowMs)) return null;
  const isOfUse = tokens.expiresAtMs > nowMs + firstMs;
  const misconfigured = problem('provider-misconfigured');
  const failure: Failure = { problem: misconfigured, request: 'answered', retryAfterMs: 0 };
  return pauseAfter(isOfUse ? null : before, failure, nowMs);
}
