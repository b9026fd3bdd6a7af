// The markup of the signed-in screen: without hooks, so that the static view shows it before React runs.

import type { ReactNode } from 'react';
import { providerOf, type Board } from '../../bridge/session/board.ts';
import type { SignedIn } from '../../session/view.ts';
import { Avatar, toAddress } from '../components/Avatar.tsx';
import { IconButton } from '../components/IconButton.tsx';
import { Links } from '../components/Links.tsx';
import type { Menu, MenuAction } from '../hooks/use-menu.ts';
import type { Picture } from '../hooks/use-picture.ts';
import type { Text } from '../i18n/text.ts';
import type { PopupHeader } from '../page.ts';
import { toDisplayName, toOtherEmail } from '../user.ts';

interface SignedInViewProps {
  readonly text: Text;
  readonly board: Board;
  /** The session of the board, or the one before its sign-in. */
  readonly session: SignedIn;
  readonly header: PopupHeader;
  readonly isHidden?: boolean;
  /** Missing before React runs. */
  readonly picture?: Picture;
  /** Missing while nothing can be pressed yet. */
  readonly menu?: Menu;
  /** Shown above the items of the menu, while it is open. */
  readonly details?: ReactNode;
  /** The feature. */
  readonly children: ReactNode;
}

export function SignedInView({
  text,
  board,
  session: { profile },
  header,
  isHidden = false,
  picture,
  menu,
  details,
  children,
}: SignedInViewProps) {
  const isCompact = header === 'compact';
  const provider = providerOf(board, profile.providerId);
  const name = toDisplayName(profile) ?? text('signedIn_title');
  const [title, detail] = isCompact
    ? [text('extensionName'), name]
    : [name, toOtherEmail(profile) ?? provider.name];
  const avatar = <Avatar profile={profile} providerName={provider.name} picture={picture} />;
  const item = (action: MenuAction, words: string) => (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      data-action={action}
      onClick={() => menu?.onChoose(action)}
    >
      {words}
    </button>
  );
  // While this screen is hidden, the visible one has the heading.
  const Heading = isHidden ? 'p' : 'h1';
  return (
    <div className="signed-in" hidden={isHidden}>
      <header className={isCompact ? 'one-line' : undefined}>
        {!isCompact && avatar}
        <div className="user">
          {/* A title of the heading itself would be read as well. */}
          <Heading className="name" dir="auto" tabIndex={-1} aria-describedby="user-detail">
            <span title={title}>{title}</span>
          </Heading>
          <p id="user-detail" className={isCompact ? 'visually-hidden' : 'quiet detail'} dir="auto">
            {toAddress(detail)}
          </p>
        </div>
        <div ref={menu?.root} className="menu-corner">
          <IconButton
            ref={menu?.button}
            id="account-button"
            name={text('signedIn_account')}
            hint={isCompact ? name : undefined}
            aria-describedby={isCompact ? 'user-detail' : undefined}
            aria-haspopup="menu"
            aria-expanded={menu?.isOpen ?? false}
            aria-controls="account-menu"
            onClick={menu?.toggle}
            onKeyDown={menu?.onKeyDown}
          >
            {isCompact ? (
              avatar
            ) : (
              <svg viewBox="0 0 20 20">
                <path d="M4 10h0M10 10h0M16 10h0" />
              </svg>
            )}
          </IconButton>
          {/* A closed menu is hidden but stays in the document. */}
          <div className="panel" hidden={!menu?.isOpen}>
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard scrolls it */}
            <div id="account-details" className="quiet account" tabIndex={0}>
              {details}
            </div>
            <div
              id="account-menu"
              role="menu"
              tabIndex={-1}
              aria-labelledby="account-button"
              aria-describedby="account-details"
              onKeyDown={menu?.onKeyDown}
            >
              {item('use-another-account', text('signedOut_anotherAccount'))}
              {item('copy-report', text('report_copy'))}
              <hr />
              {item('sign-out', text('signedIn_signOut'))}
              {provider.endsSession &&
                item('sign-out-everywhere', text('signedIn_signOutEverywhere', provider.name))}
              <Links text={text} role="menuitem" tabIndex={-1} onClick={menu?.toggle} />
            </div>
          </div>
        </div>
      </header>
      <section data-region="feature" aria-label={text('extensionName')} tabIndex={-1}>
        {children}
      </section>
      <p className="idle">{text('signedIn_idle', provider.name)}</p>
    </div>
  );
}
