// Marks the first paint of a page, in the same way as the popup marks its own.

import { afterPaint } from '../../../src/popup/after-paint.ts';

/** Sets the performance mark `latchkey:ready` after the next paint. */
export function markPaint(): void {
  afterPaint(() => performance.mark('latchkey:ready'));
}
