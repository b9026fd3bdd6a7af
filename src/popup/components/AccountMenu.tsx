// The account menu in a corner of the popup: who is signed in, and what they can do.

import { type ReactNode, useId } from 'react';
import { useMenu } from '../hooks/use-menu.ts';
import { useText } from '../i18n/use-text.ts';

export interface MenuItem {
  /** The value of `data-action`. */
  readonly action: string;
  readonly label: string;
  readonly onChoose: () => void;
}

interface AccountMenuProps {
  /** Shown above the items. Rendered only while the menu is open, because a date takes long to format. */
  readonly children: ReactNode;
  readonly items: readonly MenuItem[];
}

/** The button and its menu. A closed menu is hidden but stays in the document. */
export function AccountMenu({ children, items }: AccountMenuProps) {
  const text = useText();
  const id = useId();
  const { root, button, isOpen, toggle, close, onKeyDown } = useMenu();
  return (
    <div ref={root} className="menu-corner">
      <button
        ref={button}
        type="button"
        id={`${id}button`}
        className="icon"
        aria-label={text.signedIn.account}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={`${id}menu`}
        onClick={toggle}
        onKeyDown={onKeyDown}
      >
        {/* A title of the button itself would be read as well. */}
        <span title={text.signedIn.account} aria-hidden="true">
          <svg>
            <path d="M4 10h0M10 10h0M16 10h0" />
          </svg>
        </span>
      </button>
      <div className="panel" hidden={!isOpen}>
        <div id={`${id}account`} className="account">
          {isOpen && children}
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
