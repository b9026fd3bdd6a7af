// Limits how many requests this instance forwards: a token bucket in memory.

/** Whether one more request may be forwarded now. */
export interface RateLimit {
  /** Takes one request from the bucket. Returns 0, or after how many whole seconds there is one again. */
  take(): number;
}

const minuteMs = 60_000;

/**
 * Creates a bucket that holds the requests of one minute and fills evenly. It counts for this instance alone, for all
 * callers together, and starts full: several instances allow several times as many.
 */
export function createRateLimit(requestsPerMinute: number, nowMs: () => number): RateLimit {
  const perMs = requestsPerMinute / minuteMs;
  let left = requestsPerMinute;
  let filledAtMs = nowMs();
  return {
    take() {
      const now = nowMs();
      // A clock that was set back fills nothing.
      const passedMs = Math.max(0, now - filledAtMs);
      filledAtMs = now;
      left = Math.min(requestsPerMinute, left + passedMs * perMs);
      // A sum of fractions may stay a trace below the whole.
      if (left > 1 - 1e-9) {
        left -= 1;
        return 0;
      }
      return Math.ceil((1 - left) / perMs / 1000);
    },
  };
}
