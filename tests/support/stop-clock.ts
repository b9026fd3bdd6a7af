// A clock that stands still, so that a busy machine changes no time that a test compares.

import { vi } from 'vitest';

/** Stops `Date` at this second until the test has finished, and returns the time. Timers go on. */
export function stopClock(): number {
  const nowMs = Math.floor(Date.now() / 1000) * 1000;
  vi.useFakeTimers({ toFake: ['Date'], now: nowMs });
  return nowMs;
}
