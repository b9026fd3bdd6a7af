// Marks the time at which the popup first showed the session, for measurements and tests.

/** Sets the performance mark `latchkey:ready` after the next frame has been painted. */
export function markReadyAfterPaint(): void {
  // The callback of a frame runs before its paint; a task queued there runs after it.
  requestAnimationFrame(() => setTimeout(() => performance.mark('latchkey:ready')));
}
