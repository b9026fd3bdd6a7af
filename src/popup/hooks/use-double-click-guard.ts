// Protects people who double-click: the second click must not press a button of the screen that the first one opened.

import { useEffect, useEffectEvent, useRef } from 'react';

/** The usual limits of the operating systems for a double click. */
const maxDelayMs = 500;
const maxDistancePx = 5;

/** Ignores the second click of a double click if `screen`, which names what is shown, has changed since the first. */
export function useDoubleClickGuard(screen: string): void {
  const last = useRef<{ readonly event: MouseEvent; readonly screen: string }>(null);

  const onClick = useEffectEvent((event: MouseEvent) => {
    const before = last.current;
    last.current = { event, screen };
    if (before === null || before.screen === screen || !isDouble(before.event, event)) return;
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
