// Marks the popup as ready, as soon as it shows the session.

import { useLayoutEffect } from 'react';
import { markReady } from '../ready-mark.ts';

/** Marks the first paint with `isReady`; see `markReady`. */
export function useReadyMark(isReady: boolean): void {
  // Before the paint. An ordinary effect may run after it, and would mark the next one.
  useLayoutEffect(() => {
    if (isReady) markReady();
  }, [isReady]);
}
