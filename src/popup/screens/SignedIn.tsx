// The screen while a person is signed in: their name, the account menu, and the feature.

import type { Command } from '../../session/commands.ts';
import type { Profile, SignedIn } from '../../session/session.ts';
import { AccountMenu } from '../components/AccountMenu.tsx';
import { Avatar } from '../components/Avatar.tsx';
import { FeatureArea } from '../components/FeatureArea.tsx';
import { toManaged } from '../i18n/text.ts';
import { useText } from '../i18n/use-text.ts';
import { toDisplayName } from '../person.ts';
import { toMenuItems, type MenuAction } from '../views/AccountMenuView.tsx';
import { SignedInView, toOtherEmail } from '../views/SignedInView.tsx';

interface SignedInProps {
  readonly session: SignedIn;
  readonly providerName: string;
  /** Whether the provider is known to support logout. */
  readonly endsSession: boolean;
  readonly managed: boolean;
  readonly managedBy: string | undefined;
  /** True while a sign-in with another account is in progress. The screen stays mounted, so that the feature does. */
  readonly isHidden: boolean;
  readonly onCommand: (command: Command) => void;
  readonly onCopyReport: () => void;
}

export function SignedInScreen({
  session,
  providerName,
  endsSession,
  managed,
  managedBy,
  isHidden,
  onCommand,
  onCopyReport,
}: SignedInProps) {
  const text = useText();
  const { profile } = session;

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

  return (
    <SignedInView
      text={text}
      profile={profile}
      providerName={providerName}
      isHidden={isHidden}
      avatar={<Avatar profile={profile} providerName={providerName} />}
      menu={
        // Another key, so that a menu that was open when the screen was hidden does not come back open.
        <AccountMenu
          key={String(isHidden)}
          items={toMenuItems(text, providerName, endsSession)}
          onChoose={choose}
        >
          <AccountDetails
            profile={profile}
            providerName={providerName}
            sinceMs={session.sinceMs}
            managed={managed}
            managedBy={managedBy}
          />
        </AccountMenu>
      }
      feature={<FeatureArea user={profile} />}
    />
  );
}

interface AccountDetailsProps extends Pick<SignedInProps, 'providerName' | 'managed' | 'managedBy'> {
  readonly profile: Profile;
  readonly sinceMs: number;
}

function AccountDetails({ profile, providerName, sinceMs, managed, managedBy }: AccountDetailsProps) {
  const text = useText();
  const name = toDisplayName(profile);
  const email = toOtherEmail(profile);
  return (
    <>
      {name !== null && mayBeCut(name) && (
        <p className="whole-name" dir="auto">
          {name}
        </p>
      )}
      {email !== null && mayBeCut(email) && <p dir="auto">{email}</p>}
      {name === null && <p dir="auto">{profile.subject}</p>}
      <p>{text('signedIn_since', providerName, toDateAndTime(sinceMs, text.language))}</p>
      {managed && <p>{toManaged(text, managedBy)}</p>}
    </>
  );
}

/** Whether the header, which shows it too, may have too little space for all of it. */
function mayBeCut(text: string): boolean {
  return text.length > 24;
}

function toDateAndTime(timeMs: number, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(timeMs);
}
