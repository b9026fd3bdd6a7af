// The static view: what the popup shows before React is loaded, for a user who is signed in, without a problem. Most openings
// show it. Its markup is the one that App.tsx renders.

import type { ReactElement } from 'react';
import type { Board } from '../bridge/session/board.ts';
import type { Text } from './i18n/text.ts';
import { EmptyBoundary } from './to-dom.ts';
import type { PopupHeader } from './page.ts';
import { SignedInView } from './screens/SignedInView.tsx';

/** The static view of `board`, of components without hooks; null for a board that only React can show. */
export function toStaticView(board: Board, text: Text, header: PopupHeader): ReactElement | null {
  const { session } = board;
  if (session.status !== 'signed-in' || session.problem !== null) return null;
  return (
    <main data-status="signed-in">
      <SignedInView text={text} board={board} session={session} header={header}>
        <EmptyBoundary />
      </SignedInView>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an output is the result of a form */}
      <div role="status" aria-atomic="false" className="visually-hidden">
        {text('announcement_signed_in')}
      </div>
    </main>
  );
}
