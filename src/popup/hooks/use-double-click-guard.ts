// Protects people who click twice or three times: a second click must not hit whatever the first one put there.

import { useEffect, useEffectEvent, useRef } from 'react';

/** The usual limits of the operating systems for a double click. */
const maxDelayMs = 500;
const maxDistancePx = 5;

/** A click that was let through, and the last click in its place. */
interface Clicks {
  readonly first: MouseEvent;
  readonly last: MouseEvent;
  readonly screen: string;
}

/**
 * Ignores more clicks in quick succession if `screen`, which names what is shown, has changed since the first, or if the element
 * that the first one pressed is gone.
 */
export function useDoubleClickGuard(screen: string): void {
  const clicks = useRef<Clicks>(null);

  const onClick = useEffectEvent((event: MouseEvent) => {
    const before = clicks.current;
    const isRepeated = before !== null && isDouble(before.last, event);
    if (!isRepeated || (before.screen === screen && isShown(before.first.target))) {
      clicks.current = { first: event, last: event, screen };
      return;
    }
    clicks.current = { ...before, last: event };
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
  // `detail` is 0 for a click by keyboard.
  return second.detail > 0 && second.timeStamp - first.timeStamp < maxDelayMs && distance <= maxDistancePx;
}

function isShown(target: EventTarget | null): boolean {
  return !(target instanceof Element) || target.checkVisibility();
}
