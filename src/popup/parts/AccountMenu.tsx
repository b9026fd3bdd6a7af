// The menu of the account, quiet in a corner, with the keys that people know from menus.

import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Command } from '../../session/commands.ts';
import { text } from '../text.ts';

interface AccountMenuProps {
  /** Whose session can be ended as well, where that is offered. */
  readonly endsSessionOf: string | null;
  readonly onCommand: (command: Command) => void;
}

export function AccountMenu({ endsSessionOf, onCommand }: AccountMenuProps) {
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

  const toItems = () => [...(root.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];

  function open(at: 0 | -1): void {
    // At once, because what is hidden cannot take the focus.
    flushSync(() => setIsOpen(true));
    toItems().at(at)?.focus();
  }

  function close(): void {
    setIsOpen(false);
    button.current?.focus();
  }

  function choose(command: Command): void {
    close();
    onCommand(command);
  }

  function onKeyDown(event: KeyboardEvent): void {
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
      case 'Escape':
        if (!isOpen) return;
        close();
        break;
      case 'Tab':
        setIsOpen(false);
        return;
      default:
        return;
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
        title={text.signedIn.menu}
        aria-label={text.signedIn.menu}
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
      <div
        id={`${id}menu`}
        className="menu"
        role="menu"
        tabIndex={-1}
        aria-labelledby={`${id}button`}
        hidden={!isOpen}
        onKeyDown={onKeyDown}
      >
        <button
          type="button"
          role="menuitem"
          tabIndex={-1}
          data-action="use-another-account"
          onClick={() => choose({ type: 'use-another-account' })}
        >
          {text.signedIn.anotherAccount}
        </button>
        <button
          type="button"
          role="menuitem"
          tabIndex={-1}
          data-action="sign-out"
          onClick={() => choose({ type: 'sign-out', everywhere: false })}
        >
          {text.signedIn.signOut}
        </button>
        {endsSessionOf !== null && (
          <button
            type="button"
            role="menuitem"
            tabIndex={-1}
            data-action="sign-out-everywhere"
            onClick={() => choose({ type: 'sign-out', everywhere: true })}
          >
            {text.signedIn.signOutEverywhere(endsSessionOf)}
          </button>
        )}
      </div>
    </div>
  );
}
