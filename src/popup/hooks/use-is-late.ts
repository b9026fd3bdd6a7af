// Tells when something takes longer than it should.

import { useEffect, useState } from 'react';

/** Whether `lateAfterMs` have passed since `sinceMs`, in milliseconds since the epoch. */
export function useIsLate(sinceMs: number, lateAfterMs: number): boolean {
  const [isLate, setIsLate] = useState(() => toRemainingMs(sinceMs, lateAfterMs) === 0);
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), toRemainingMs(sinceMs, lateAfterMs));
    return () => clearTimeout(timer);
  }, [sinceMs, lateAfterMs]);
  return isLate;
}

/** Limited to `lateAfterMs`, in case the device's clock has been set back since. */
function toRemainingMs(sinceMs: number, lateAfterMs: number): number {
  return Math.min(lateAfterMs, Math.max(0, sinceMs + lateAfterMs - Date.now()));
}
