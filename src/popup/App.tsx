// The popup: shows the board and sends commands. It stores nothing of the session and never sees a token.

import type { BoardView, SessionObserver } from '../bridge/session/observer.ts';
import type { Session, SignedInProblem } from '../session/session.ts';
import { Notice } from './components/Notice.tsx';
import { type Actions, type Outcome, useActions } from './hooks/use-actions.ts';
import { useDoubleClickGuard } from './hooks/use-double-click-guard.ts';
import { useEarlyWake } from './hooks/use-early-wake.ts';
import { useHeadingFocus } from './hooks/use-heading-focus.ts';
import { useReadyMark } from './hooks/use-ready-mark.ts';
import { useSession } from './hooks/use-session.ts';
import { toKeyPart, type Text } from './i18n/text.ts';
import { useText } from './i18n/use-text.ts';
import { toNoticeView } from './notice-view.ts';
import { toDisplayName } from './person.ts';
import { providerOf } from './provider-of.ts';
import { toScreen, type ToCodeScreen } from './screens/to-screen.tsx';

interface AppProps {
  readonly observer: SessionObserver;
  /** When the page was opened, in milliseconds since the epoch. */
  readonly openedAtMs?: number;
  /** Shows a sign-in by the device flow; null in a build without it. */
  readonly toCodeScreen?: ToCodeScreen | null;
}

export function App({ observer, openedAtMs = performance.timeOrigin, toCodeScreen = null }: AppProps) {
  const text = useText();
  const view = useSession(observer);
  const { outcome, send, tryAgain, copyReport } = useActions(observer, view);
  const status = toStatus(view);
  const problem: SignedInProblem | null = outcome?.type === 'refused' ? outcome.problem : toProblem(view);
  useHeadingFocus();
  const early = useEarlyWake(observer);
  useDoubleClickGuard(`${status} ${problem?.code}`);
  useReadyMark(status !== 'starting');

  const { top, hidden, bottom } = toScreen(view, openedAtMs, {
    onCommand: send,
    onTryAgain: tryAgain,
    onCopyReport: copyReport,
    toCodeScreen,
  });
  const signedInWith = toSignedInWith(view);
  return (
    <main data-status={status} {...early}>
      {[top, hidden]}
      <Notice
        notice={problem && toNoticeView(problem, status === 'signing-in', signedInWith)}
        outcome={outcome && toNote(text, outcome)}
        announcement={status === 'starting' ? '' : text(`announcement_${toKeyPart(status)}`)}
        onAllowHosts={() => void observer.allowHosts()}
        failedSignIn={problem && toFailedSignIn(view, problem, send)}
        readReport={signedInWith === null ? observer.report : null}
      />
      {bottom}
    </main>
  );
}

function toStatus(view: BoardView): 'starting' | Session['status'] {
  return view.status === 'ready' ? view.board.session.status : view.status;
}

function toProblem(view: BoardView): SignedInProblem | null {
  if (view.status === 'starting' || view.board.session.status === 'signing-in') return null;
  return view.board.session.problem;
}

/** The person who stays signed in after the sign-in that failed with `problem`; null if they cancelled it, or none failed. */
function toFailedSignIn(view: BoardView, { code, request }: SignedInProblem, send: Actions['send']) {
  if (view.status === 'starting' || view.board.session.status !== 'signed-in') return null;
  if (request === undefined || code === 'cancelled') return null;
  const { profile } = view.board.session;
  return { person: toDisplayName(profile) ?? profile.subject, onTryAgain: () => send(request) };
}

/** The sentence about an outcome that is no problem. */
function toNote(text: Text, outcome: Outcome): string | null {
  switch (outcome.type) {
    case 'refused':
      return null;
    case 'window-missing':
      return text(outcome.reason === 'not-opened' ? 'signingIn_windowNotOpened' : 'signingIn_windowNotFound');
    case 'report':
      return text(`report_${outcome.result}`);
  }
}

/** The name of the provider that the person is signed in with, or null while no one is. */
function toSignedInWith(view: BoardView): string | null {
  if (view.status === 'starting' || view.board.session.status !== 'signed-in') return null;
  return providerOf(view.board.providers, view.board.session.profile.providerId).name;
}
