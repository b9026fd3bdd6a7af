// The markup of the account menu: a button and the menu itself.

import type { ReactNode } from 'react';
import type { Menu } from '../hooks/use-menu.ts';
import type { Text } from '../i18n/text.ts';

/** An action of the account menu, as the value of `data-action`. */
export type MenuAction = 'use-another-account' | 'sign-out' | 'sign-out-everywhere' | 'copy-report';

export interface MenuItem {
  readonly action: MenuAction;
  readonly label: string;
}

/** The items for a person who is signed in with `providerName`. */
export function toMenuItems(text: Text, providerName: string, endsSession: boolean): readonly MenuItem[] {
  return [
    { action: 'use-another-account', label: text('signedOut_anotherAccount') },
    { action: 'copy-report', label: text('report_copy') },
    { action: 'sign-out', label: text('signedIn_signOut') },
    ...(endsSession
      ? [{ action: 'sign-out-everywhere', label: text('signedIn_signOutEverywhere', providerName) } as const]
      : []),
  ];
}

interface AccountMenuViewProps {
  readonly text: Text;
  readonly items: readonly MenuItem[];
  /** The behaviour; missing while nothing can be pressed yet. */
  readonly menu?: Menu;
  readonly onChoose?: (action: MenuAction) => void;
  /** Shown above the items, while the menu is open. */
  readonly children?: ReactNode;
}

/** A closed menu is hidden but stays in the document. */
export function AccountMenuView({ text, items, menu, onChoose, children }: AccountMenuViewProps) {
  const { root, button, isOpen = false, toggle, onKeyDown } = menu ?? {};
  return (
    <div ref={root} className="menu-corner">
      <button
        ref={button}
        type="button"
        id="account-button"
        className="icon"
        aria-label={text('signedIn_account')}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls="account-menu"
        onClick={toggle}
        onKeyDown={onKeyDown}
      >
        {/* A title of the button itself would be read as well. */}
        <span title={text('signedIn_account')} aria-hidden="true">
          <svg viewBox="0 0 20 20">
            <path d="M4 10h0M10 10h0M16 10h0" />
          </svg>
        </span>
      </button>
      <div className="panel" hidden={!isOpen}>
        <div id="account-details" className="account">
          {children}
        </div>
        <div
          id="account-menu"
          role="menu"
          tabIndex={-1}
          aria-labelledby="account-button"
          aria-describedby="account-details"
          onKeyDown={onKeyDown}
        >
          {items.map(({ action, label }) => [
            action === 'sign-out' && <hr key="line" />,
            <button
              key={action}
              type="button"
              role="menuitem"
              tabIndex={-1}
              data-action={action}
              onClick={() => onChoose?.(action)}
            >
              {label}
            </button>,
          ])}
        </div>
      </div>
    </div>
  );
}
