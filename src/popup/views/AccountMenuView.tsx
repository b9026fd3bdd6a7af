// The markup of the account menu: a button and the menu itself.

import type { KeyboardEvent, ReactNode, RefObject } from 'react';
import type { Text } from '../i18n/text.ts';
import { IconButton } from './IconButton.tsx';

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

/** The behaviour of the menu. */
export interface Menu {
  /** The element around the button and the menu. A click outside it closes the menu. */
  readonly root: RefObject<HTMLDivElement | null>;
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly isOpen: boolean;
  /** Opens the menu with the focus on its first item, or closes it. */
  readonly toggle: () => void;
  /** The key handler of the button and of the menu. */
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onChoose: (action: MenuAction) => void;
}

/** The person, on the button in place of three dots. The element `#person-detail` says their name to a screen reader. */
export interface ShownPerson {
  readonly picture: ReactNode;
  readonly name: string;
}

interface AccountMenuViewProps {
  readonly text: Text;
  readonly items: readonly MenuItem[];
  readonly person: ShownPerson | null;
  /** Missing while nothing can be pressed yet. */
  readonly menu?: Menu;
  /** Shown above the items, while the menu is open. */
  readonly children?: ReactNode;
}

/** A closed menu is hidden but stays in the document. */
export function AccountMenuView({ text, items, person, menu, children }: AccountMenuViewProps) {
  const { root, button, isOpen = false, toggle, onKeyDown, onChoose } = menu ?? {};
  return (
    <div ref={root} className="menu-corner">
      <IconButton
        ref={button}
        id="account-button"
        name={text('signedIn_account')}
        hint={person?.name}
        aria-describedby={person === null ? undefined : 'person-detail'}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls="account-menu"
        onClick={toggle}
        onKeyDown={onKeyDown}
      >
        {person?.picture ?? (
          <svg viewBox="0 0 20 20">
            <path d="M4 10h0M10 10h0M16 10h0" />
          </svg>
        )}
      </IconButton>
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
