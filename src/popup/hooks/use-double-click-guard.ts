// Of a double click on what leads to another face, the second click is not meant for what stands there by then.

import { useEffect, useEffectEvent, useRef } from 'react';

/** As long as systems at most take two clicks for a double one, and as far apart. */
const maxDelayMs = 500;
const maxDistancePx = 5;

/** Lets the second click of a double click come to nothing where `face` has changed since the first. */
export function useDoubleClickGuard(face: string): void {
  const last = useRef<{ readonly event: MouseEvent; readonly face: string }>(null);

  const onClick = useEffectEvent((event: MouseEvent) => {
    const before = last.current;
    last.current = { event, face };
    if (before === null || before.face === face || !isDouble(before.event, event)) return;
    event.preventDefault();
    event.stopPropagation();
  });

  useEffect(() => {
    document.addEventListener('click', onClick, true);
    return () => document.removeEventListener('click', onClick, true);
  }, []);
}

function isDouble(first: MouseEvent, second: MouseEvent): boolean {
  const distance = Math.hypot(first.clientX - second.clientX, first.clientY - second.clientY);
  // A click by the keyboard has no detail.
  return second.detail > 0 && second.timeStamp - first.timeStamp < maxDelayMs && distance <= maxDistancePx;
}
