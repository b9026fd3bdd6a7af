// Starts a sign-in anew whose window never came: cancels it, waits until the worker has, and asks again.

import type { BoardView, SessionObserver } from '../bridge/session/observer.ts';
import type { Reply } from '../session/commands.ts';
import { settledSession, type SigningIn } from '../session/session.ts';

/**
 * Resolves with the first refusal, or with the last reply. If the attempt ends in another way than by the
 * cancelling, most happily by success, it is left at that.
 */
export async function tryAgain(observer: SessionObserver, signingIn: SigningIn): Promise<Reply> {
  const cancelled = await observer.send({ type: 'cancel' });
  if (!cancelled.ok) return cancelled;
  const view = await waitFor(observer, (shown) => !isAttempt(shown, signingIn.attempt));
  if (view.status !== 'ready' || view.board.session.status === 'signing-in') return cancelled;
  if (settledSession(view.board.session).problem?.code !== 'cancelled') return cancelled;
  return observer.send(
    signingIn.before.status === 'signed-in'
      ? { type: 'use-another-account' }
      : { type: 'sign-in', providerId: signingIn.providerId },
  );
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
