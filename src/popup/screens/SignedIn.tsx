// The screen while a person is signed in: their name, the account menu, and the feature.

import { useState } from 'react';
import type { Board } from '../../bridge/session/observer.ts';
import type { Command } from '../../session/commands.ts';
import type { Profile, SignedIn } from '../../session/session.ts';
import { AccountMenu } from '../components/AccountMenu.tsx';
import { FeatureArea } from '../components/FeatureArea.tsx';
import { toManaged } from '../i18n/text.ts';
import { useText } from '../i18n/use-text.ts';
import { toDisplayName } from '../person.ts';
import { providerOf } from '../provider-of.ts';
import { toMenuItems, type MenuAction } from '../views/AccountMenuView.tsx';
import { AvatarView } from '../views/AvatarView.tsx';
import { type PopupHeader, SignedInView, toName, toOtherEmail } from '../views/SignedInView.tsx';

interface SignedInProps {
  readonly board: Board;
  /** The session of the board, or the one before its sign-in. */
  readonly session: SignedIn;
  readonly header: PopupHeader;
  /** True while a sign-in with another account is in progress. The screen stays mounted, so that the feature does. */
  readonly isHidden: boolean;
  readonly onCommand: (command: Command) => void;
  readonly onCopyReport: () => void;
}

export function SignedInScreen({ board, session, header, isHidden, onCommand, onCopyReport }: SignedInProps) {
  const text = useText();
  const { profile } = session;
  const { name: providerName, endsSession } = providerOf(board.providers, profile.providerId);

  const choose = (action: MenuAction) => {
    switch (action) {
      case 'use-another-account':
        return onCommand({ type: 'use-another-account' });
      case 'sign-out':
        return onCommand({ type: 'sign-out', everywhere: false });
      case 'sign-out-everywhere':
        return onCommand({ type: 'sign-out', everywhere: true });
      case 'copy-report':
        return onCopyReport();
    }
  };

  const avatar = <Avatar profile={profile} providerName={providerName} />;
  return (
    <SignedInView
      text={text}
      profile={profile}
      providerName={providerName}
      header={header}
      isHidden={isHidden}
      avatar={avatar}
      menu={
        // Another key, so that a menu that was open when the screen was hidden does not come back open.
        <AccountMenu
          key={String(isHidden)}
          items={toMenuItems(text, providerName, endsSession)}
          person={header === 'compact' ? { picture: avatar, name: toName(text, profile) } : null}
          onChoose={choose}
        >
          <AccountDetails board={board} session={session} header={header} providerName={providerName} />
        </AccountMenu>
      }
      feature={<FeatureArea user={profile} />}
    />
  );
}

/** The person's picture, once it has loaded. */
function Avatar({ profile, providerName }: { readonly profile: Profile; readonly providerName: string }) {
  const [loaded, setLoaded] = useState<string | null>(null);
  // The picture of the first face may have loaded before React was there to hear of it.
  const showIfLoaded = (picture: HTMLImageElement | null) => {
    if (picture?.complete && picture.naturalWidth > 0) setLoaded(picture.src);
  };
  return (
    <AvatarView
      profile={profile}
      providerName={providerName}
      loaded={loaded}
      pictureRef={showIfLoaded}
      onLoad={setLoaded}
      onError={() => setLoaded(null)}
    />
  );
}

interface AccountDetailsProps extends Pick<SignedInProps, 'board' | 'session' | 'header'> {
  readonly providerName: string;
}

/** What the header can't show of the person, and where their session is from. */
function AccountDetails({ board, session: { profile, sinceMs }, header, providerName }: AccountDetailsProps) {
  const text = useText();
  const name = toDisplayName(profile);
  const email = toOtherEmail(profile);
  // The full header may have too little space for all of it.
  const isMissing = (shown: string) => header === 'compact' || shown.length > 24;
  return (
    <>
      {name !== null && isMissing(name) && (
        <p className="whole-name" dir="auto">
          {name}
        </p>
      )}
      {email !== null && isMissing(email) && <p dir="auto">{email}</p>}
      {name === null && <p dir="auto">{profile.subject}</p>}
      <p>{text('signedIn_since', providerName, toDateAndTime(sinceMs, text.language))}</p>
      {board.managed && <p>{toManaged(text, board.managedBy)}</p>}
    </>
  );
}

function toDateAndTime(timeMs: number, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(timeMs);
}
