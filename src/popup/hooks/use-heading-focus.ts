// Keeps the keyboard's place when a screen goes: whoever had the focus in it finds it on the next heading.

import { useEffect, useLayoutEffect, useRef } from 'react';

/** After each rendering, moves the focus to the heading, but only if what had it is no longer to be seen. */
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
