// Keeps the focus when a screen changes: if the focused element disappears, the open menu or the heading gets the focus.

import { useEffect, useLayoutEffect, useRef } from 'react';

/** After each render, moves the focus to the menu if it's open, or else to the heading, if what had the focus is gone. */
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
    if (activeElement !== lost && activeElement !== document.body) return;
    const menu = document.querySelector<HTMLElement>('[role="menu"]');
    (menu?.checkVisibility() ? menu : document.querySelector('h1'))?.focus();
  });
}
