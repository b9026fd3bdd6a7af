// Chooses the screen for what the board shows.

import type { ReactNode } from 'react';
import type { BoardView } from '../../bridge/session/observer.ts';
import type { Command } from '../../session/commands.ts';
import type { SignedIn, SigningIn } from '../../session/session.ts';
import { providerOf } from '../provider-of.ts';
import type { PopupHeader } from '../views/SignedInView.tsx';
import { SignedInScreen } from './SignedIn.tsx';
import { SignedOutActions, SignedOutHero } from './SignedOut.tsx';
import { SigningInActions, SigningInHero } from './SigningIn.tsx';
import { StartingScreen } from './Starting.tsx';

/** The parts of a screen. In the document, and so for the Tab key, the notice is between `top` and `bottom`. */
export interface Screen {
  readonly top: ReactNode;
  /** Mounted but not visible. */
  readonly hidden?: ReactNode;
  readonly bottom?: ReactNode;
}

export interface ScreenSetup {
  readonly header: PopupHeader;
  readonly onCommand: (command: Command) => void;
  readonly onTryAgain: (session: SigningIn) => void;
  readonly onCopyReport: () => void;
  /** Null in a build whose configuration knows no codes. */
  readonly toCodeScreen: ToCodeScreen | null;
}

/** The screen of a sign-in by the device flow; null for one in a window. */
export type ToCodeScreen = (
  session: SigningIn,
  providerName: string,
  onCommand: (command: Command) => void,
) => Screen | null;

/**
 * The screen for `view`, on a page opened at `openedAtMs`. Render `top` and `hidden` as one list: the signed-in screen
 * moves between them, and its key keeps the feature in it mounted while a sign-in with another account is in progress.
 */
export function toScreen(view: BoardView, openedAtMs: number, setup: ScreenSetup): Screen {
  const { header, onCommand, onTryAgain, onCopyReport, toCodeScreen } = setup;
  if (view.status === 'starting')
    return { top: <StartingScreen key="starting" openedAtMs={openedAtMs} onCommand={onCommand} /> };

  const { board } = view;
  const { session, providers } = board;
  const toSignedIn = (signedIn: SignedIn, isHidden: boolean) => {
    const { providerId, issuer, subject } = signedIn.profile;
    return (
      <SignedInScreen
        key={JSON.stringify([providerId, issuer, subject])}
        board={board}
        session={signedIn}
        header={header}
        isHidden={isHidden}
        onCommand={onCommand}
        onCopyReport={onCopyReport}
      />
    );
  };

  switch (session.status) {
    case 'signed-out':
      return {
        top: <SignedOutHero key="signed-out" board={board} session={session} />,
        bottom: <SignedOutActions key="signed-out" board={board} session={session} onCommand={onCommand} />,
      };
    case 'signing-in': {
      const key = `attempt ${session.attempt}`;
      const providerName = providerOf(providers, session.providerId).name;
      return {
        top: (
          <SigningInHero
            key={key}
            session={session}
            providerName={providerName}
            onTryAgain={() => onTryAgain(session)}
          />
        ),
        bottom: <SigningInActions key={key} onCommand={onCommand} />,
        ...toCodeScreen?.(session, providerName, onCommand),
        hidden: session.before.status === 'signed-in' && toSignedIn(session.before, true),
      };
    }
    case 'signed-in':
      return { top: toSignedIn(session, false) };
    default:
      return session satisfies never;
  }
}
