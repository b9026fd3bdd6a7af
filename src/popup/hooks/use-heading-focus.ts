// Keeps the focus when a screen is replaced: if the focused element disappears, the new heading gets the focus.

import { useEffect, useLayoutEffect, useRef } from 'react';

/** After each render, moves the focus to the heading if the element that had the focus is no longer visible. */
export function useHeadingFocus(): void {
  const lastFocused = useRef<Element>(null);

  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      if (target instanceof Element) lastFocused.current = target;
    };
    document.addEventListener('focusin', remember);
    return () => document.removeEventListener('focusin', remember);
  }, []);

  useLayoutEffect(() => {
    const lost = lastFocused.current;
    if (lost === null || lost.checkVisibility()) return;
    lastFocused.current = null;
    const { activeElement } = document;
    if (activeElement === lost || activeElement === document.body) document.querySelector('h1')?.focus();
  });
}
