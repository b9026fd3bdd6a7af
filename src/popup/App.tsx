// The popup: shows the board and sends commands. It keeps nothing of the session and knows no token.

import { type ReactNode, useEffect, useState } from 'react';
import type { Board, BoardView, SessionObserver } from '../bridge/session/observer.ts';
import type { Command, Reply } from '../session/commands.ts';
import type { Problem } from '../session/problem.ts';
import type { Session, SignedIn } from '../session/session.ts';
import { useDoubleClickGuard } from './hooks/use-double-click-guard.ts';
import { Notice } from './components/Notice.tsx';
import { markReadyAfterPaint } from './ready.ts';
import { SignedInScreen } from './screens/SignedIn.tsx';
import { SignedOutActions, SignedOutHero } from './screens/SignedOut.tsx';
import { SigningInActions, SigningInHero } from './screens/SigningIn.tsx';
import { StartingScreen } from './screens/Starting.tsx';
import { toNoticeView } from './notice-view.ts';
import { tryAgain } from './try-again.ts';
import { useHeadingFocus } from './hooks/use-heading-focus.ts';
import { useSession } from './hooks/use-session.ts';
import { useText } from './i18n/use-text.ts';

type Status = 'starting' | Session['status'];

/** What came of something that the person did here, and the state in which: in another one it is yesterday's news. */
interface Outcome {
  readonly problem: Problem | null;
  readonly note: string | null;
  readonly status: Status;
}

/** What a state shows before the news, and after it: the Tab key comes to everything where the eye does. */
interface Face {
  readonly above: ReactNode;
  readonly covered?: ReactNode;
  readonly below?: ReactNode;
}

export function App({ observer }: { readonly observer: SessionObserver }) {
  const text = useText();
  const view = useSession(observer);
  const status = toStatus(view);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const news = outcome?.status === status ? outcome : null;
  const problem = news?.problem ?? toProblem(view);
  useHeadingFocus();
  useDoubleClickGuard(`${status} ${problem?.code}`);

  const isReady = status !== 'starting';
  useEffect(() => {
    if (isReady) markReadyAfterPaint();
  }, [isReady]);

  const tell = (problem: Problem | null, note: string | null = null) =>
    setOutcome({ problem, note, status: toStatus(observer.getSnapshot()) });

  async function expectAccepted(sending: Promise<Reply>): Promise<void> {
    setOutcome(null);
    const reply = await sending;
    if (!reply.ok) tell(reply.problem);
  }

  async function copyReport(): Promise<void> {
    setOutcome(null);
    try {
      await navigator.clipboard.writeText(await observer.report());
      tell(null, text.report.copied);
    } catch {
      // Mostly because the page has lost the focus. The person can try again, and why does not help them.
      tell(null, text.report.failed);
    }
  }

  const onCommand = (command: Command) => void expectAccepted(observer.send(command));

  function toFace(): Face {
    if (view.status === 'starting') return { above: <StartingScreen key="starting" onCommand={onCommand} /> };

    const { session, providers, managed } = view.board;
    // Found again by its key while a sign-in covers it, so that the feature in it stays mounted.
    const toSignedIn = (signedIn: SignedIn, isCovered: boolean) => (
      <SignedInScreen
        key={JSON.stringify([signedIn.profile.providerId, signedIn.profile.subject])}
        session={signedIn}
        providerName={toProviderName(view.board, signedIn.profile.providerId)}
        endsSession={providers.some(
          ({ id, endsSession }) => id === signedIn.profile.providerId && endsSession,
        )}
        managed={managed}
        isCovered={isCovered}
        onCommand={onCommand}
        onCopyReport={() => void copyReport()}
      />
    );

    switch (session.status) {
      case 'signed-out':
        return {
          above: <SignedOutHero key="signed-out" session={session} providers={providers} />,
          below: (
            <SignedOutActions
              key="signed-out"
              session={session}
              providers={providers}
              managed={managed}
              onCommand={onCommand}
            />
          ),
        };
      case 'signing-in':
        return {
          above: (
            <SigningInHero
              key={`attempt ${session.attempt}`}
              session={session}
              providerName={toProviderName(view.board, session.providerId)}
              onTryAgain={() => void expectAccepted(tryAgain(observer, session))}
            />
          ),
          covered: session.before.status === 'signed-in' && toSignedIn(session.before, true),
          below: <SigningInActions key={`attempt ${session.attempt}`} onCommand={onCommand} />,
        };
      case 'signed-in':
        return { above: toSignedIn(session, false) };
      default:
        return session satisfies never;
    }
  }

  const { above, covered, below } = toFace();
  const signedInWith = toSignedInWith(view);
  return (
    <main data-status={status}>
      {[above, covered]}
      <Notice
        notice={problem && toNoticeView(problem, status === 'signing-in', signedInWith)}
        outcome={news?.note ?? null}
        announcement={status === 'starting' ? '' : text.announcement(status)}
        onAllowHosts={() => void observer.allowHosts()}
        readReport={signedInWith === null ? observer.report : null}
      />
      {below}
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

/** The provider's name, while somebody is signed in. */
function toSignedInWith(view: BoardView): string | null {
  if (view.status === 'starting' || view.board.session.status !== 'signed-in') return null;
  return toProviderName(view.board, view.board.session.profile.providerId);
}

function toProviderName({ providers }: Board, id: string): string {
  return providers.find((provider) => provider.id === id)?.name ?? id;
}
