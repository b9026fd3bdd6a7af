// Restarts a sign-in whose window never appeared: cancels it, waits for the worker, and starts a new one.

import type { BoardView, SessionObserver } from '../bridge/session/observer.ts';
import type { Reply } from '../session/commands.ts';
import type { SigningIn } from '../session/session.ts';

/**
 * Cancels `signingIn` and starts it again. Resolves with the first refusal, or else with the last reply. Starts nothing
 * if the attempt ends in any other way than by this cancel, for example because it has just succeeded.
 */
export async function tryAgain(observer: SessionObserver, signingIn: SigningIn): Promise<Reply> {
  const cancelled = await observer.send({ type: 'cancel' });
  if (!cancelled.ok) return cancelled;
  const view = await waitFor(observer, (shown) => !isAttempt(shown, signingIn.attempt));
  if (view.status !== 'ready' || view.board.session.status === 'signing-in') return cancelled;
  if (view.board.session.problem?.code !== 'cancelled') return cancelled;
  return observer.send(signingIn.request);
}

function isAttempt(view: BoardView, attempt: number): boolean {
  return (
    view.status === 'ready' &&
    view.board.session.status === 'signing-in' &&
    view.board.session.attempt === attempt
  );
}

function waitFor(observer: SessionObserver, isMet: (view: BoardView) => boolean): Promise<BoardView> {
  return new Promise((resolve) => {
    const check = () => {
      const view = observer.getSnapshot();
      if (!isMet(view)) return;
      unsubscribe();
      resolve(view);
    };
    const unsubscribe = observer.subscribe(check);
    check();
  });
}
