// Marks the time at which the popup first showed the session, for measurements and tests.

import { useEffect } from 'react';

/** Sets the performance mark `latchkey:ready` after the first paint with `isReady`. */
export function useReadyMark(isReady: boolean): void {
  useEffect(() => {
    // The callback of a frame runs before its paint; a task queued there runs after it.
    if (isReady) requestAnimationFrame(() => setTimeout(() => performance.mark('latchkey:ready')));
  }, [isReady]);
}
