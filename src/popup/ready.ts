// Says when the popup was first of use to the person, for measurements and tests.

/** Sets the mark `latchkey:ready` once the frame that shows the present state has been painted. */
export function markReadyAfterPaint(): void {
  // The frame's callback runs before its paint, the task that it posts runs after.
  requestAnimationFrame(() => setTimeout(() => performance.mark('latchkey:ready')));
}
