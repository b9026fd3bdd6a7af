// The popup: shows the board and sends commands. It stores nothing of the session and never sees a token.

import { type ReactNode, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { providerOf, type Board } from '../bridge/session/board.ts';
import type { SessionObserver } from '../bridge/session/observer.ts';
import type { Problem } from '../session/problem.ts';
import { settledView } from '../session/view.ts';
import { markReady } from './after-paint.ts';
import { UnmountBoundary } from './components/FeatureArea.tsx';
import { Notice } from './components/Notice.tsx';
import { type Actions, useActions } from './hooks/use-actions.ts';
import { useDoubleClickGuard } from './hooks/use-double-click-guard.ts';
import { useEarlyWake } from './hooks/use-early-wake.ts';
import { useHeadingFocus } from './hooks/use-heading-focus.ts';
import { type Page, usePage } from './page.ts';
import { SignedInScreen } from './screens/SignedIn.tsx';
import { SignedOutScreen } from './screens/SignedOut.tsx';
import { WindowScreen } from './screens/SigningIn.tsx';
import { StartingScreen } from './screens/Starting.tsx';
import { toUserKey } from './user.ts';

interface AppProps {
  readonly observer: SessionObserver;
  /** When the page was opened, in milliseconds since the epoch. */
  readonly openedAtMs?: number;
}

export function App({ observer, openedAtMs = performance.timeOrigin }: AppProps) {
  const page = usePage();
  const view = useSyncExternalStore(observer.subscribe, observer.getSnapshot, observer.getSnapshot);
  const actions = useActions(observer, view);
  const { outcome } = actions;
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

  const screen =
    board === null ? (
      <StartingScreen openedAtMs={openedAtMs} problem={problem} actions={actions} />
    ) : (
      toScreen(board, page, problem, actions)
    );
  // Each attempt to sign in has a screen of its own.
  const key = session?.status === 'signing-in' ? `attempt ${session.attempt}` : status;
  // A screen that replaces a different one fades in. The first appears at once.
  const [firstKey] = useState(key);
  // Stays mounted, and with it the feature, while a sign-in with another account is in progress.
  const settled = session && settledView(session);
  return (
    <main
      data-status={status}
      data-moved={key === firstKey ? undefined : ''}
      onClickCapture={actions.onClickCapture}
      {...early}
    >
      {screen !== null && (
        <div key={key} className="screen" data-problem={status === 'signing-in' ? undefined : problem?.code}>
          {screen}
        </div>
      )}
      <UnmountBoundary>
        {board !== null && settled?.status === 'signed-in' && (
          <SignedInScreen
            key={toUserKey(settled.profile)}
            board={board}
            session={settled}
            isHidden={status !== 'signed-in'}
            actions={actions}
          />
        )}
      </UnmountBoundary>
      <Notice board={board} problem={problem} actions={actions} />
    </main>
  );
}

/** The screen for `board`, except that of a signed-in user. */
function toScreen(board: Board, { CodeScreen }: Page, problem: Problem | null, actions: Actions): ReactNode {
  const { session } = board;
  if (session.status === 'signed-in') return null;
  if (session.status === 'signed-out')
    return <SignedOutScreen board={board} session={session} problem={problem} actions={actions} />;
  const { send } = actions;
  if (CodeScreen !== null && session.device !== undefined)
    return <CodeScreen session={session} send={send} />;
  const { name } = providerOf(board, session.providerId);
  return <WindowScreen session={session} providerName={name} send={send} />;
}
