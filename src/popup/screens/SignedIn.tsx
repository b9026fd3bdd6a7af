// Somebody is signed in: who, the menu of their account, and the feature.

import type { Command } from '../../session/commands.ts';
import type { SignedIn } from '../../session/session.ts';
import { AccountMenu } from '../parts/AccountMenu.tsx';
import { Avatar } from '../parts/Avatar.tsx';
import { FeatureArea } from '../parts/FeatureArea.tsx';
import { toDisplayName } from '../person.ts';
import { text } from '../text.ts';

interface SignedInProps {
  readonly session: SignedIn;
  readonly providerName: string;
  /** Whether the person's session at the provider can be ended from here. */
  readonly endsSession: boolean;
  /** Whether a sign-in with another account covers this screen. It stays mounted, but is not to be seen. */
  readonly isCovered: boolean;
  readonly onCommand: (command: Command) => void;
}

export function SignedInScreen({ session, providerName, endsSession, isCovered, onCommand }: SignedInProps) {
  const { profile } = session;
  const name = toDisplayName(profile);
  const detail = profile.email !== null && profile.email !== name ? profile.email : providerName;
  // The screen that covers this one brings the heading.
  const Heading = isCovered ? 'p' : 'h1';
  return (
    <div className="signed-in" hidden={isCovered}>
      <header>
        <Avatar profile={profile} />
        <div className="person">
          <Heading className="name" dir="auto" title={name} tabIndex={-1}>
            {name}
          </Heading>
          <p className="detail" dir="auto" title={detail}>
            {detail}
          </p>
        </div>
        <AccountMenu endsSessionOf={endsSession ? providerName : null} onCommand={onCommand} />
      </header>
      <FeatureArea user={profile} />
      <p className="quiet idle">{text.signedIn.idle(providerName)}</p>
    </div>
  );
}
