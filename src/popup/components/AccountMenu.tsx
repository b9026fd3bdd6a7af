// The account menu in a corner of the popup: who is signed in, and what they can do.

import type { ReactNode } from 'react';
import { useMenu } from '../hooks/use-menu.ts';
import { useText } from '../i18n/use-text.ts';
import { AccountMenuView, type MenuAction, type MenuItem } from '../views/AccountMenuView.tsx';

interface AccountMenuProps {
  readonly items: readonly MenuItem[];
  readonly onChoose: (action: MenuAction) => void;
  /** Shown above the items. Rendered only while the menu is open, because a date takes long to format. */
  readonly children: ReactNode;
}

export function AccountMenu({ items, onChoose, children }: AccountMenuProps) {
  const text = useText();
  const menu = useMenu();
  return (
    <AccountMenuView
      text={text}
      items={items}
      menu={menu}
      onChoose={(action) => {
        menu.close();
        onChoose(action);
      }}
    >
      {menu.isOpen && children}
    </AccountMenuView>
  );
}
