// The popup: shows the board and sends commands. It stores nothing of the session and never sees a token.

import { useLayoutEffect, useSyncExternalStore } from 'react';
import type { SessionObserver } from '../bridge/session/observer.ts';
import { markReady } from './after-paint.ts';
import { Notice } from './components/Notice.tsx';
import { useActions } from './hooks/use-actions.ts';
import { useDoubleClickGuard } from './hooks/use-double-click-guard.ts';
import { useEarlyWake } from './hooks/use-early-wake.ts';
import { useHeadingFocus } from './hooks/use-heading-focus.ts';
import { toScreen, type ToCodeScreen } from './screens/to-screen.tsx';
import type { PopupHeader } from './views/SignedInView.tsx';

interface AppProps {
  readonly observer: SessionObserver;
  readonly header?: PopupHeader;
  /** When the page was opened, in milliseconds since the epoch. */
  readonly openedAtMs?: number;
  /** Shows a sign-in by the device flow; null in a build without it. */
  readonly toCodeScreen?: ToCodeScreen | null;
}

export function App({
  observer,
  header = 'full',
  openedAtMs = performance.timeOrigin,
  toCodeScreen = null,
}: AppProps) {
  const view = useSyncExternalStore(observer.subscribe, observer.getSnapshot, observer.getSnapshot);
  const { outcome, send, tryAgain, copyReport } = useActions(observer, view);
  const session = view.status === 'ready' ? view.board.session : null;
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

  const { top, hidden, bottom } = toScreen(view, openedAtMs, {
    header,
    onCommand: send,
    onTryAgain: tryAgain,
    onCopyReport: copyReport,
    toCodeScreen,
  });
  return (
    <main data-status={status} {...early}>
      {[top, hidden]}
      <Notice view={view} problem={problem} outcome={outcome} observer={observer} onCommand={send} />
      {bottom}
    </main>
  );
}
