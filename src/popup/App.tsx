// The popup: shows the board and sends commands. It keeps nothing of the session and knows no token.

import { type ReactNode, useEffect, useState } from 'react';
import type { BoardView, SessionObserver } from '../bridge/session.ts';
import type { Command, Reply } from '../session/commands.ts';
import type { Problem } from '../session/problem.ts';
import type { Session, SignedIn } from '../session/session.ts';
import { Notice } from './parts/Notice.tsx';
import { markReadyAfterPaint } from './ready.ts';
import { SignedInScreen } from './screens/SignedIn.tsx';
import { SignedOutScreen } from './screens/SignedOut.tsx';
import { SigningInScreen } from './screens/SigningIn.tsx';
import { StartingScreen } from './screens/Starting.tsx';
import { text } from './text.ts';
import { tryAgain } from './try-again.ts';
import { useHeadingFocus } from './use-heading-focus.ts';
import { useSession } from './use-session.ts';

type Status = 'starting' | Session['status'];

/** A command that was refused, and the state in which it was: in another one it is yesterday's news. */
interface Refusal {
  readonly problem: Problem;
  readonly status: Status;
}

export function App({ observer }: { readonly observer: SessionObserver }) {
  const view = useSession(observer);
  const status = toStatus(view);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  useHeadingFocus();

  const isReady = status !== 'starting';
  useEffect(() => {
    if (isReady) markReadyAfterPaint();
  }, [isReady]);

  async function expectAccepted(sending: Promise<Reply>): Promise<void> {
    setRefusal(null);
    const reply = await sending;
    if (!reply.ok) setRefusal({ problem: reply.problem, status: toStatus(observer.getSnapshot()) });
  }

  const onCommand = (command: Command) => void expectAccepted(observer.send(command));

  function toScreens(): readonly ReactNode[] {
    if (view.status === 'starting') return [<StartingScreen key="starting" onCommand={onCommand} />];

    const { session, providers, managed } = view.board;
    const toProviderName = (id: string) => providers.find((provider) => provider.id === id)?.name ?? id;
    // Found again by its key while a sign-in covers it, so that the feature in it stays mounted.
    const toSignedIn = (signedIn: SignedIn, isCovered: boolean) => (
      <SignedInScreen
        key={JSON.stringify([signedIn.profile.providerId, signedIn.profile.subject])}
        session={signedIn}
        providerName={toProviderName(signedIn.providerId)}
        endsSession={providers.some(({ id, endsSession }) => id === signedIn.providerId && endsSession)}
        isCovered={isCovered}
        onCommand={onCommand}
      />
    );

    switch (session.status) {
      case 'signed-out':
        return [
          <SignedOutScreen
            key="signed-out"
            session={session}
            providers={providers}
            managed={managed}
            onCommand={onCommand}
          />,
        ];
      case 'signing-in':
        return [
          <SigningInScreen
            key={`attempt ${session.attempt}`}
            session={session}
            providerName={toProviderName(session.providerId)}
            onCommand={onCommand}
            onTryAgain={() => void expectAccepted(tryAgain(observer, session))}
          />,
          session.before.status === 'signed-in' && toSignedIn(session.before, true),
        ];
      case 'signed-in':
        return [toSignedIn(session, false)];
      default:
        return session satisfies never;
    }
  }

  return (
    <main data-status={status}>
      <Notice
        problem={refusal?.status === status ? refusal.problem : toProblem(view)}
        isQuiet={status === 'signing-in'}
        announcement={text.announcements[status]}
        onAllowHosts={() => void observer.allowHosts()}
      />
      {toScreens()}
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
