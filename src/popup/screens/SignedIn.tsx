// The screen while a user is signed in: their name, the account menu, and the feature.

import { useLayoutEffect } from 'react';
import { providerOf, type Board } from '../../bridge/session/board.ts';
import type { SignedIn } from '../../session/view.ts';
import { FeatureArea } from '../components/FeatureArea.tsx';
import type { Actions } from '../hooks/use-actions.ts';
import { useMenu } from '../hooks/use-menu.ts';
import { usePicture } from '../hooks/use-picture.ts';
import { toManaged } from '../i18n/text.ts';
import { usePage, useText } from '../page.ts';
import { toDisplayName, toOtherEmail } from '../user.ts';
import { SignedInView } from './SignedInView.tsx';

interface SignedInProps {
  readonly board: Board;
  /** The session of the board, or the one before its sign-in. */
  readonly session: SignedIn;
  /** True while a sign-in with another account is in progress. The screen stays mounted, so that the feature does. */
  readonly isHidden: boolean;
  readonly actions: Actions;
}

export function SignedInScreen({ board, session, isHidden, actions }: SignedInProps) {
  const { text, header } = usePage();
  const picture = usePicture();
  // A modal dialog of the feature blocks all of the page, even while nothing shows it.
  useLayoutEffect(() => {
    if (!isHidden) return;
    for (const dialog of document.querySelectorAll('dialog')) if (dialog.matches(':modal')) dialog.close();
  }, [isHidden]);
  const menu = useMenu(isHidden, (action) => {
    if (action === 'copy-report') actions.copyReport();
    else if (action === 'use-another-account') actions.send({ type: action });
    else actions.send({ type: 'sign-out', everywhere: action === 'sign-out-everywhere' });
  });
  return (
    <SignedInView
      text={text}
      board={board}
      session={session}
      header={header}
      isHidden={isHidden}
      picture={picture}
      menu={menu}
      // Only while the menu is open, because a date takes long to format.
      details={menu.isOpen && <AccountDetails board={board} session={session} />}
    >
      <FeatureArea user={session.profile} report={actions.observer.report} />
    </SignedInView>
  );
}

/** The whole name and email address, which the header may cut, and the provider. */
function AccountDetails({ board, session: { profile, sinceMs } }: Pick<SignedInProps, 'board' | 'session'>) {
  const text = useText();
  const email = toOtherEmail(profile);
  const provider = providerOf(board, profile.providerId).name;
  const format = new Intl.DateTimeFormat(text.language, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <>
      <p className="whole-name" dir="auto">
        {toDisplayName(profile) ?? profile.subject}
      </p>
      {email !== null && <p dir="auto">{email}</p>}
      <p>{text('signedIn_since', provider, format.format(sinceMs))}</p>
      {board.managed && <p>{toManaged(text, board.managedBy)}</p>}
    </>
  );
}
