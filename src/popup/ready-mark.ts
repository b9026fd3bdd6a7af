// Marks the time at which the popup first showed the session, for measurements and tests.

import { afterPaint } from './after-paint.ts';

const name = 'latchkey:ready';

/** Sets the performance mark `latchkey:ready` after the next paint, unless the page has it. */
export function markReady(): void {
  afterPaint(() => {
    if (performance.getEntriesByName(name).length === 0) performance.mark(name);
  });
}
