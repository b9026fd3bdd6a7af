// The popup: shows the board and sends commands. It stores nothing of the session and never sees a token.

import { useState } from 'react';
import type { BoardView, SessionObserver } from '../bridge/session/observer.ts';
import type { Command, Reply } from '../session/commands.ts';
import type { Problem } from '../session/problem.ts';
import type { Session } from '../session/session.ts';
import { Notice } from './components/Notice.tsx';
import { useDoubleClickGuard } from './hooks/use-double-click-guard.ts';
import { useHeadingFocus } from './hooks/use-heading-focus.ts';
import { useReadyMark } from './hooks/use-ready-mark.ts';
import { useSession } from './hooks/use-session.ts';
import { useText } from './i18n/use-text.ts';
import { toNoticeView } from './notice-view.ts';

import { toProviderName, toScreen } from './screens/to-screen.tsx';
import { tryAgain } from './try-again.ts';

type Status = 'starting' | Session['status'];

/** The result of the person's last action in the popup. Ignored once the status has changed. */
interface Outcome {
  readonly problem: Problem | null;
  readonly note: string | null;
  readonly status: Status;
}

export function App({ observer }: { readonly observer: SessionObserver }) {
  const text = useText();
  const view = useSession(observer);
  const status = toStatus(view);
  const [lastOutcome, setLastOutcome] = useState<Outcome | null>(null);
  const outcome = lastOutcome?.status === status ? lastOutcome : null;
  const problem = outcome?.problem ?? toProblem(view);
  useHeadingFocus();
  useDoubleClickGuard(`${status} ${problem?.code}`);
  useReadyMark(status !== 'starting');

  const showOutcome = (ownProblem: Problem | null, note: string | null = null) =>
    setLastOutcome({ problem: ownProblem, note, status: toStatus(observer.getSnapshot()) });

  async function showRefusal(reply: Promise<Reply>): Promise<void> {
    setLastOutcome(null);
    const result = await reply;
    if (!result.ok) showOutcome(result.problem);
  }

  async function showWindow(): Promise<void> {
    setLastOutcome(null);
    const reply = await observer.send({ type: 'show-window' });
    if (reply.ok) return;
    if (reply.problem.code === 'sign-in-page-failed') showOutcome(null, text.signingIn.windowNotFound);
    else showOutcome(reply.problem);
  }

  async function copyReport(): Promise<void> {
    setLastOutcome(null);
    try {
      await navigator.clipboard.writeText(await observer.report());
      showOutcome(null, text.report.copied);
    } catch {
      // Usually because the page has lost the focus. The person can try again; the reason would not help them.
      showOutcome(null, text.report.failed);
    }
  }

  const { top, hidden, bottom } = toScreen(view, {
    onCommand: (command: Command) =>
      void (command.type === 'show-window' ? showWindow() : showRefusal(observer.send(command))),
    onTryAgain: (session) => void showRefusal(tryAgain(observer, session)),
    onCopyReport: () => void copyReport(),
  });
  const signedInWith = toSignedInWith(view);
  return (
    <main data-status={status}>
      {[top, hidden]}
      <Notice
        notice={problem && toNoticeView(problem, status === 'signing-in', signedInWith)}
        outcome={outcome?.note ?? null}
        announcement={status === 'starting' ? '' : text.announcement(status)}
        onAllowHosts={() => void observer.allowHosts()}
        readReport={signedInWith === null ? observer.report : null}
      />
      {bottom}
    </main>
  );
}

function toStatus(view: BoardView): Status {
  return view.status === 'ready' ? view.board.session.status : view.status;
}

function toProblem(view: BoardView): Problem | null {
  if (view.status === 'starting' || view.board.session.status === 'signing-in') return null;
  return view.board.session.problem;
}

/** The name of the provider that the person is signed in with, or null while nobody is signed in. */
function toSignedInWith(view: BoardView): string | null {
  if (view.status === 'starting' || view.board.session.status !== 'signed-in') return null;
  return toProviderName(view.board, view.board.session.profile.providerId);
}
