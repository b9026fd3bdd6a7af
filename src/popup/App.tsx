// The popup: shows the board and sends commands. It stores nothing of the session and never sees a token.

import { useLayoutEffect, useSyncExternalStore } from 'react';
import type { Board, SessionObserver } from '../bridge/session/observer.ts';
import type { SignedIn } from '../session/session.ts';
import { markReady } from './after-paint.ts';
import { Notice } from './components/Notice.tsx';
import { type Actions, useActions } from './hooks/use-actions.ts';
import { useDoubleClickGuard } from './hooks/use-double-click-guard.ts';
import { useEarlyWake } from './hooks/use-early-wake.ts';
import { useHeadingFocus } from './hooks/use-heading-focus.ts';
import { type Page, type Screen, usePage } from './page.ts';
import { providerOf } from './provider-of.ts';
import { SignedInScreen } from './screens/SignedIn.tsx';
import { toSignedOutScreen } from './screens/SignedOut.tsx';
import { toWindowScreen } from './screens/SigningIn.tsx';
import { StartingScreen } from './screens/Starting.tsx';

interface AppProps {
  readonly observer: SessionObserver;
  /** When the page was opened, in milliseconds since the epoch. */
  readonly openedAtMs?: number;
}

export function App({ observer, openedAtMs = performance.timeOrigin }: AppProps) {
  const page = usePage();
  const view = useSyncExternalStore(observer.subscribe, observer.getSnapshot, observer.getSnapshot);
  const actions = useActions(observer, view);
  const { outcome, send } = actions;
  const board = view.status === 'ready' ? view.board : null;
  const session = board?.session ?? null;
  const status = session?.status ?? 'starting';
  const shown = session === null || session.status === 'signing-in' ? null : session.problem;
  const problem = outcome?.type === 'refused' ? outcome.problem : shown;

  useHeadingFocus();
  const early = useEarlyWake(observer);
  useDoubleClickGuard(`${status} ${problem?.code}`);
  // Before the paint. An ordinary effect may run after it, and would mark the next one.
  useLayoutEffect(() => {
    if (status !== 'starting') markReady();
  }, [status]);

  const { top, hidden, bottom }: Screen =
    board === null
      ? { top: <StartingScreen key="starting" openedAtMs={openedAtMs} send={send} /> }
      : toScreen(board, page, actions);
  return (
    <main data-status={status} {...early}>
      {[top, hidden]}
      <Notice board={board} problem={problem} outcome={outcome} observer={observer} send={send} />
      {bottom}
    </main>
  );
}

/**
 * The screen for `board`. Render `top` and `hidden` as one list: the signed-in screen moves between them, and its key keeps
 * the feature in it mounted while a sign-in with another account is in progress.
 */
function toScreen(board: Board, { text, toCodeScreen }: Page, actions: Actions): Screen {
  const { session, providers } = board;
  const toSignedIn = (signedIn: SignedIn, isHidden: boolean) => {
    const { providerId, issuer, subject } = signedIn.profile;
    return (
      <SignedInScreen
        key={JSON.stringify([providerId, issuer, subject])}
        board={board}
        session={signedIn}
        isHidden={isHidden}
        actions={actions}
      />
    );
  };

  switch (session.status) {
    case 'signed-out':
      return toSignedOutScreen(text, board, session, actions.send);
    case 'signing-in': {
      const { name } = providerOf(providers, session.providerId);
      return {
        ...(toCodeScreen(text, session, name, actions) ?? toWindowScreen(text, session, name, actions)),
        hidden: session.before.status === 'signed-in' && toSignedIn(session.before, true),
      };
    }
    case 'signed-in':
      return { top: toSignedIn(session, false) };
    default:
      return session satisfies never;
  }
}
