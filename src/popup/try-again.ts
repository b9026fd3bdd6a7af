// Restarts a sign-in whose window never appeared: cancels it, and starts a new one.

import type { SessionObserver } from '../bridge/session/observer.ts';
import type { Reply } from '../session/commands.ts';
import type { SigningIn } from '../session/session.ts';

/**
 * Cancels `signingIn` and starts it again. Resolves with the first refusal, or else with the last reply. Starts nothing
 * if the attempt ends in any other way than by this cancel, for example because it has just succeeded.
 */
export async function tryAgain(observer: SessionObserver, { request }: SigningIn): Promise<Reply> {
  const reply = await observer.send({ type: 'cancel' });
  const view = observer.getSnapshot();
  if (!reply.ok || view.status !== 'ready' || view.board.session.status === 'signing-in') return reply;
  return view.board.session.problem?.code === 'cancelled' ? observer.send(request) : reply;
}
