// The markup of the signed-in screen.

import type { ReactNode } from 'react';
import type { Profile } from '../../session/session.ts';
import type { Text } from '../i18n/text.ts';
import { toDisplayName } from '../person.ts';

interface SignedInViewProps {
  readonly text: Text;
  readonly profile: Profile;
  readonly providerName: string;
  readonly isHidden: boolean;
  readonly avatar: ReactNode;
  readonly menu: ReactNode;
  readonly feature: ReactNode;
}

export function SignedInView({
  text,
  profile,
  providerName,
  isHidden,
  avatar,
  menu,
  feature,
}: SignedInViewProps) {
  const name = toDisplayName(profile) ?? text('signedIn_title');
  const detail = toOtherEmail(profile) ?? providerName;
  // While this screen is hidden, the visible one has the heading.
  const Heading = isHidden ? 'p' : 'h1';
  return (
    <div className="signed-in" hidden={isHidden}>
      <header>
        {avatar}
        <div className="person">
          {/* A title of the heading itself would be read as well. */}
          <Heading className="name" dir="auto" tabIndex={-1} aria-describedby="person-detail">
            <span title={name}>{name}</span>
          </Heading>
          <p id="person-detail" className="detail" dir="auto">
            <span title={detail}>{detail}</span>
          </p>
        </div>
        {menu}
      </header>
      {feature}
      <p className="idle">{text('signedIn_idle', providerName)}</p>
    </div>
  );
}

/** The person's e-mail address, unless they are shown by it. */
export function toOtherEmail(profile: Profile): string | null {
  return profile.email === toDisplayName(profile) ? null : profile.email;
}
