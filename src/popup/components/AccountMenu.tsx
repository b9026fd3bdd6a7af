// The menu of the account, quiet in a corner: who is signed in, and the keys that people know from menus.

import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useText } from '../i18n/use-text.ts';

export interface MenuItem {
  /** Names it to tests. */
  readonly action: string;
  readonly label: string;
  readonly onChoose: () => void;
}

interface AccountMenuProps {
  /** Stands above the items. */
  readonly children: ReactNode;
  readonly items: readonly MenuItem[];
}

/** Closed it is hidden and stays in the document. */
export function AccountMenu({ children, items }: AccountMenuProps) {
  const text = useText();
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);

  useEffect(() => {
    if (!isOpen) return;
    const closeOutside = (event: PointerEvent) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setIsOpen(false);
    };
    document.addEventListener('pointerdown', closeOutside);
    return () => document.removeEventListener('pointerdown', closeOutside);
  }, [isOpen]);

  const toElements = () => [...(root.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];

  function open(at: 0 | -1): void {
    // At once, because what is hidden cannot take the focus.
    flushSync(() => setIsOpen(true));
    toElements().at(at)?.focus();
  }

  function close(): void {
    setIsOpen(false);
    button.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent): void {
    const elements = toElements();
    const at = elements.findIndex((element) => element === document.activeElement);
    switch (event.key) {
      case 'ArrowDown':
        if (isOpen) elements[(at + 1) % elements.length]?.focus();
        else open(0);
        break;
      case 'ArrowUp':
        if (isOpen) elements.at(Math.max(at, 0) - 1)?.focus();
        else open(-1);
        break;
      case 'Home':
        elements.at(0)?.focus();
        break;
      case 'End':
        elements.at(-1)?.focus();
        break;
      case 'Escape':
        if (!isOpen) return;
        close();
        break;
      case 'Tab':
        setIsOpen(false);
        return;
      default:
        if (!isOpen || !isLetter(event)) return;
        // From the next item on, and around.
        [...elements.slice(at + 1), ...elements.slice(0, at + 1)]
          .find((element) => beginsWith(element.innerText, event.key))
          ?.focus();
    }
    // Else the browser would scroll, or close the popup with the menu.
    event.preventDefault();
  }

  return (
    <div ref={root} className="menu-corner">
      <button
        ref={button}
        type="button"
        id={`${id}button`}
        className="icon"
        title={text.signedIn.account}
        aria-label={text.signedIn.account}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={`${id}menu`}
        onClick={() => (isOpen ? close() : open(0))}
        onKeyDown={onKeyDown}
      >
        <svg viewBox="0 0 20 20" width="20" height="20" fill="currentColor" aria-hidden="true">
          <circle cx="4" cy="10" r="1.75" />
          <circle cx="10" cy="10" r="1.75" />
          <circle cx="16" cy="10" r="1.75" />
        </svg>
      </button>
      <div className="panel" hidden={!isOpen}>
        <div id={`${id}account`} className="account">
          {children}
        </div>
        <div
          id={`${id}menu`}
          role="menu"
          tabIndex={-1}
          aria-labelledby={`${id}button`}
          aria-describedby={`${id}account`}
          onKeyDown={onKeyDown}
        >
          {items.map(({ action, label, onChoose }) => (
            <button
              key={action}
              type="button"
              role="menuitem"
              tabIndex={-1}
              data-action={action}
              onClick={() => {
                close();
                onChoose();
              }}
            >
              {label}
            </button>
          ))}
        </div>
      </div>
    </div>
  );
}

function isLetter({ key, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean {
  return /^[\p{L}\p{N}]$/u.test(key) && !ctrlKey && !altKey && !metaKey;
}

/** Capitals do not count, nor what isolates a name that stands first. */
function beginsWith(words: string, letter: string): boolean {
  return words
    .replace(/^\u2068/u, '')
    .toLocaleLowerCase()
    .startsWith(letter.toLocaleLowerCase());
}
