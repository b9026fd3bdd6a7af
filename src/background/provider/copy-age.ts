// Says how old a copy of a provider's metadata or keys may be, and when it is fetched again.

import { isTransient } from '../../oidc/rejection.ts';
import { toProblem } from '../../session/problem.ts';

const hourMs = 60 * 60 * 1000;
/** A copy older than this is fetched again when a popup opens… */
export const freshMs = hourMs;
/** …a copy older than this is fetched again before it is used… */
export const usableMs = 24 * hourMs;
/** …and a copy older than this is not used at all. */
const staleMs = 30 * 24 * hourMs;
/** How long a stale copy is used without another request, so that a renewal waits once for a provider that hangs. */
const pauseMs = 60 * 1000;

interface Copy {
  /** In milliseconds since the epoch. */
  readonly fetchedAtMs: number;
}

/** Whether there is a copy, and it is younger than `maxMs`. For a copy dated in the future, the distance counts. */
export function isYounger<T extends Copy>(copy: T | null, maxMs: number, nowMs: number): copy is T {
  return copy !== null && Math.abs(nowMs - copy.fetchedAtMs) < maxMs;
}

/**
 * The copy that `find` returns, or a new one from `ask` if it is too old; a stale one if the provider does not answer.
 * Throws as `ask` does.
 */
export type ExpectCopy = <T extends Copy>(find: () => T | null, ask: () => Promise<T>) => Promise<T>;

export function createExpectCopy(nowMs: () => number): ExpectCopy {
  let failedAtMs = -Infinity;

  return async (find, ask) => {
    const before = find();
    if (isYounger(before, usableMs, nowMs())) return before;
    if (isYounger(before, staleMs, nowMs()) && Math.abs(nowMs() - failedAtMs) < pauseMs) return before;
    try {
      return await ask();
    } catch (error) {
      const stale = find();
      if (!isYounger(stale, staleMs, nowMs()) || !isTransient(error) || toProblem(error).code === 'offline')
        throw error;
      failedAtMs = nowMs();
      return stale;
    }
  };
}
