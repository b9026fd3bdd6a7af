// The provider's clock, as far as its responses show it: how far it is ahead of this device's clock.

/** `Date` has whole seconds and takes time to arrive, so a smaller difference is noise. */
const minSkewSeconds = 5;

/** The clock of one provider. */
export interface ProviderClock {
  /** How far the provider's clock is ahead of this device's, in seconds; null while unknown. */
  skewSeconds(): number | null;
  /** Measures with the `Date` of a response, given this device's times of the request and the response. */
  measure(headers: Headers, sentAtMs: number, receivedAtMs: number): void;
  /** Takes over what an earlier run has measured, if nothing is known yet. */
  restore(skewSeconds: number): void;
}

/** Creates a clock. It calls `onChange` after each measurement that differs by more than noise. */
export function createProviderClock(onChange: () => void = () => undefined): ProviderClock {
  let skewSeconds: number | null = null;

  return {
    skewSeconds: () => skewSeconds,
    measure(headers, sentAtMs, receivedAtMs) {
      const measured = readSkewSeconds(headers, sentAtMs, receivedAtMs);
      if (measured === null) return;
      const before = skewSeconds;
      skewSeconds = measured;
      if (before === null || isOtherSkew(before, measured)) onChange();
    },
    restore(stored) {
      skewSeconds ??= stored;
    },
  };
}

/** Whether two skews differ by more than noise. An unknown skew counts as none. */
export function isOtherSkew(one: number | null, other: number | null): boolean {
  return Math.abs((one ?? 0) - (other ?? 0)) >= minSkewSeconds;
}

/** Parses an HTTP date. NaN if it is not a date. */
export function readDateMs(date: string | null): number {
  return Date.parse(String(date));
}

function readSkewSeconds(headers: Headers, sentAtMs: number, receivedAtMs: number): number | null {
  // A cache keeps the origin's `Date` and says in `Age` how old it is (RFC 9111 section 5.1). Such a date
  // is not used, because it is only as exact as the clocks of all caches on the way.
  if (!/^0*$/.test(headers.get('age') ?? '')) return null;
  const dateMs = readDateMs(headers.get('date'));
  if (Number.isNaN(dateMs)) return null;
  const skew = Math.round((dateMs - (sentAtMs + receivedAtMs) / 2) / 1000);
  return Math.abs(skew) < minSkewSeconds ? 0 : skew;
}
