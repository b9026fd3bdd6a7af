// Marks the time at which the popup first showed the session, for measurements and tests.

import { useLayoutEffect } from 'react';
import { afterPaint } from '../after-paint.ts';

/** Sets the performance mark `latchkey:ready` after the first paint with `isReady`. */
export function useReadyMark(isReady: boolean): void {
  // Before the paint. An ordinary effect may run after it, and would mark the next one.
  useLayoutEffect(() => {
    if (isReady) afterPaint(() => performance.mark('latchkey:ready'));
  }, [isReady]);
}
