// The account menu: a menu button with the keys of the ARIA Authoring Practices.

import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

/** An action of the menu, as the value of `data-action`. */
export type MenuAction = 'use-another-account' | 'sign-out' | 'sign-out-everywhere' | 'copy-report';

export type Menu = ReturnType<typeof useMenu>;

/**
 * The behavior of the menu: arrow keys, Home, End, Page Up, Page Down, Escape, Tab and first letters. A menu that was open when its screen was
 * hidden doesn't come back open.
 */
export function useMenu(isHidden: boolean, onChoose: (action: MenuAction) => void) {
  // The element around the button and the menu. A click outside it closes the menu.
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  if (isHidden && isOpen) setIsOpen(false);

  useEffect(() => {
    if (!isOpen) return;
    const closeOutside = (event: PointerEvent) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setIsOpen(false);
    };
    document.addEventListener('pointerdown', closeOutside);
    return () => document.removeEventListener('pointerdown', closeOutside);
  }, [isOpen]);

  const toItems = () => [...(root.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];

  function open(focusAt: 0 | -1): void {
    // Synchronously, because a hidden item can't take the focus.
    flushSync(() => setIsOpen(true));
    toItems().at(focusAt)?.focus();
  }

  /** Returns the focus to the button. */
  function close(): void {
    setIsOpen(false);
    button.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent): void {
    // Shortcuts of the browser.
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (!isOpen && !['ArrowDown', 'ArrowUp', 'Enter'].includes(event.key)) return;
    const items = toItems();
    const at = items.findIndex((item) => item === document.activeElement);
    switch (event.key) {
      case 'ArrowDown':
        if (isOpen) items[(at + 1) % items.length]?.focus();
        else open(0);
        break;
      case 'ArrowUp':
        if (isOpen) items.at(Math.max(at, 0) - 1)?.focus();
        else open(-1);
        break;
      case 'Home':
        items.at(0)?.focus();
        break;
      case 'End':
        items.at(-1)?.focus();
        break;
      case 'PageUp':
      case 'PageDown': {
        // A very long name or address scrolls above the items, where the Tab key doesn't stop.
        const details = root.current?.querySelector('#account-details');
        details?.scrollBy(0, details.clientHeight * (event.key === 'PageUp' ? -0.8 : 0.8));
        break;
      }
      case 'Escape':
        close();
        break;
      case 'Tab':
        setIsOpen(false);
        return;
      case 'Enter':
        // A key that is still held down after opening the menu would choose the first item.
        if (!event.repeat) return;
        break;
      default:
        if (!/^[\p{L}\p{N}]$/u.test(event.key)) return;
        // The search starts after the focused item and continues at the top.
        [...items.slice(at + 1), ...items.slice(0, at + 1)]
          .find((item) => beginsWith(item.innerText, event.key))
          ?.focus();
    }
    // Otherwise the browser would scroll, or close the popup together with the menu.
    event.preventDefault();
  }

  return {
    root,
    button,
    isOpen,
    /** Opens the menu with the focus on its first item, or closes it. */
    toggle: () => (isOpen ? close() : open(0)),
    /** For the button and for the menu. */
    onKeyDown,
    onChoose: (action: MenuAction) => {
      close();
      onChoose(action);
    },
  };
}

/** Ignores case, and the invisible character before a name at the beginning. */
function beginsWith(label: string, letter: string): boolean {
  return label
    .replace(/^\u2068/u, '')
    .toLocaleLowerCase()
    .startsWith(letter.toLocaleLowerCase());
}
