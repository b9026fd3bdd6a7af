// The screen while a person is signed in: their name, the account menu, and the feature.

import { useId } from 'react';
import type { Command } from '../../session/commands.ts';
import type { SignedIn } from '../../session/session.ts';
import { AccountMenu, type MenuItem } from '../components/AccountMenu.tsx';
import { Avatar } from '../components/Avatar.tsx';
import { FeatureArea } from '../components/FeatureArea.tsx';
import { toDisplayName } from '../person.ts';
import { useText } from '../i18n/use-text.ts';

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
  const id = useId();
  const { profile } = session;
  const name = toDisplayName(profile);
  const email = profile.email === name ? null : profile.email;
  const detail = email ?? providerName;
  // While this screen is hidden, the visible one has the heading.
  const Heading = isHidden ? 'p' : 'h1';

  const items: readonly MenuItem[] = [
    {
      action: 'use-another-account',
      label: text.signedOut.anotherAccount,
      onChoose: () => onCommand({ type: 'use-another-account' }),
    },
    {
      action: 'sign-out',
      label: text.signedIn.signOut,
      onChoose: () => onCommand({ type: 'sign-out', everywhere: false }),
    },
    ...(endsSession
      ? [
          {
            action: 'sign-out-everywhere',
            label: text.signedIn.signOutEverywhere(providerName),
            onChoose: () => onCommand({ type: 'sign-out', everywhere: true }),
          },
        ]
      : []),
    { action: 'copy-report', label: text.report.copy, onChoose: onCopyReport },
  ];

  return (
    <div className="signed-in" hidden={isHidden}>
      <header>
        <Avatar profile={profile} />
        <div className="person">
          {/* A title of the heading itself would be read as well. */}
          <Heading className="name" dir="auto" tabIndex={-1} aria-describedby={id}>
            <span title={name}>{name}</span>
          </Heading>
          <p id={id} className="detail" dir="auto">
            <span title={detail}>{detail}</span>
          </p>
        </div>
        {/* Another key, so that a menu that was open when the screen was hidden does not come back open. */}
        <AccountMenu key={String(isHidden)} items={items}>
          <AccountDetails
            name={name}
            email={email}
            providerName={providerName}
            sinceMs={session.sinceMs}
            managed={managed}
            managedBy={managedBy}
          />
        </AccountMenu>
      </header>
      <FeatureArea user={profile} />
      <p className="idle">{text.signedIn.idle(providerName)}</p>
    </div>
  );
}

interface AccountDetailsProps extends Pick<SignedInProps, 'providerName' | 'managed' | 'managedBy'> {
  readonly name: string;
  readonly email: string | null;
  readonly sinceMs: number;
}

function AccountDetails({ name, email, providerName, sinceMs, managed, managedBy }: AccountDetailsProps) {
  const text = useText();
  return (
    <>
      <p className="whole-name" dir="auto">
        {name}
      </p>
      {email !== null && <p dir="auto">{email}</p>}
      <p>{text.signedIn.since(providerName, sinceMs)}</p>
      {managed && <p>{text.managed(managedBy)}</p>}
    </>
  );
}
