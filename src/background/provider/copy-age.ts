// Says how old a copy of what a provider has told may be, and when it is fetched again.

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

export interface CopyAge {
  /** Whether there is a copy, and it is younger than `maxMs`. A copy from the future counts by its distance. */
  isYounger<T extends Copy>(copy: T | null, maxMs: number): copy is T;
  /**
   * The copy that `find` returns, fetched again by `ask` if it is too old; a stale one if the provider does not answer.
   * Throws as `ask` does.
   */
  expect<T extends Copy>(find: () => T | null, ask: () => Promise<void>): Promise<T>;
}

export function createCopyAge(nowMs: () => number): CopyAge {
  let failedAtMs = -Infinity;

  const isWithin = (maxMs: number, atMs: number) => Math.abs(nowMs() - atMs) < maxMs;
  function isYounger<T extends Copy>(copy: T | null, maxMs: number): copy is T {
    return copy !== null && isWithin(maxMs, copy.fetchedAtMs);
  }

  return {
    isYounger,
    async expect(find, ask) {
      const before = find();
      if (isYounger(before, usableMs)) return before;
      if (isYounger(before, staleMs) && isWithin(pauseMs, failedAtMs)) return before;
      try {
        await ask();
      } catch (error) {
        const stale = find();
        if (!isYounger(stale, staleMs) || !isTransient(error) || toProblem(error).code === 'offline')
          throw error;
        failedAtMs = nowMs();
        return stale;
      }
      const after = find();
      if (after === null) throw new Error('A copy that was fetched is there.');
      return after;
    },
  };
}
