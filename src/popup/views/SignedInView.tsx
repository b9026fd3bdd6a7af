// The markup of the signed-in screen.

import type { ReactNode } from 'react';
import type { Config } from '../../config/provider.ts';
import type { Profile } from '../../session/session.ts';
import type { Text } from '../i18n/text.ts';
import { toDisplayName } from '../person.ts';

/**
 * `full` shows the person beside the account menu's button. `compact` is one line: the product's name, and the person's picture
 * as that button.
 */
export type PopupHeader = Config['popupHeader'];

interface SignedInViewProps {
  readonly text: Text;
  readonly profile: Profile;
  readonly providerName: string;
  readonly header: PopupHeader;
  readonly isHidden: boolean;
  readonly avatar: ReactNode;
  readonly menu: ReactNode;
  readonly feature: ReactNode;
}

export function SignedInView({
  text,
  profile,
  providerName,
  header,
  isHidden,
  avatar,
  menu,
  feature,
}: SignedInViewProps) {
  const isCompact = header === 'compact';
  const [title, detail] = isCompact
    ? [text('extensionName'), toName(text, profile)]
    : [toName(text, profile), toOtherEmail(profile) ?? providerName];
  // While this screen is hidden, the visible one has the heading.
  const Heading = isHidden ? 'p' : 'h1';
  return (
    <div className="signed-in" hidden={isHidden}>
      <header className={isCompact ? 'one-line' : undefined}>
        {!isCompact && avatar}
        <div className="person">
          {/* A title of the heading itself would be read as well. */}
          <Heading className="name" dir="auto" tabIndex={-1} aria-describedby="person-detail">
            <span title={title}>{title}</span>
          </Heading>
          <p id="person-detail" className={isCompact ? 'visually-hidden' : 'detail'} dir="auto">
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

/** What stands for the person's name. */
export function toName(text: Text, profile: Profile): string {
  return toDisplayName(profile) ?? text('signedIn_title');
}

/** The person's e-mail address, unless they are shown by it. */
export function toOtherEmail(profile: Profile): string | null {
  return profile.email === toDisplayName(profile) ? null : profile.email;
}
