// Marks the first paint of a page, in the same way as the popup marks its own.

/** Sets the performance mark `latchkey:ready` after the next paint. */
export function markPaint(): void {
  requestAnimationFrame(() => setTimeout(() => performance.mark('latchkey:ready')));
}
