// The face that the popup shows before React is loaded: a person who is signed in, without a problem. Most openings
// show it. Its markup is the one that App.tsx renders.

import type { ReactElement } from 'react';
import type { Board } from '../bridge/session/board.ts';
import type { Text } from './i18n/text.ts';
import { providerOf } from './provider-of.ts';
import { EmptyBoundary } from './to-dom.ts';
import { AccountMenuView, toMenuItems } from './views/AccountMenuView.tsx';
import { AvatarView } from './views/AvatarView.tsx';
import { type PopupHeader, SignedInView, toName } from './views/SignedInView.tsx';
import { FeatureRegion, StatusRegion } from './views/regions.tsx';

/** The face for `board`, of components without hooks; null for a board that only React can show. */
export function toFirstFace(board: Board, text: Text, header: PopupHeader): ReactElement | null {
  const { session, providers } = board;
  if (session.status !== 'signed-in' || session.problem !== null) return null;
  const { profile } = session;
  const { name, endsSession } = providerOf(providers, profile.providerId);
  const avatar = <AvatarView profile={profile} providerName={name} loaded={null} />;
  return (
    <main data-status="signed-in">
      <SignedInView
        text={text}
        profile={profile}
        providerName={name}
        header={header}
        isHidden={false}
        avatar={avatar}
        menu={
          <AccountMenuView
            text={text}
            items={toMenuItems(text, name, endsSession)}
            person={header === 'compact' ? { picture: avatar, name: toName(text, profile) } : null}
          />
        }
        feature={
          <FeatureRegion label={text('extensionName')}>
            <EmptyBoundary />
          </FeatureRegion>
        }
      />
      <StatusRegion isEmpty>{text('announcement_signed_in')}</StatusRegion>
    </main>
  );
}
