// Restarts a sign-in whose window never appeared: cancels it, and starts a new one.

import type { SessionObserver } from '../bridge/session/observer.ts';
import type { Reply } from '../session/commands.ts';
import type { Session, SigningIn } from '../session/session.ts';

/**
 * Cancels `signingIn` and starts it again. Resolves with the first refusal, or else with the last reply. Starts nothing
 * if the attempt ends in any other way than by this cancel, for example because it has just succeeded.
 */
export async function tryAgain(observer: SessionObserver, { request, before }: SigningIn): Promise<Reply> {
  const reply = await observer.send({ type: 'cancel' });
  const view = observer.getSnapshot();
  const isCancelled = view.status === 'ready' && isBack(view.board.session, before);
  return reply.ok && isCancelled ? observer.send(request) : reply;
}

/** Whether the session is the one from before the sign-in. After a success, it has begun later. */
function isBack(session: Session, before: SigningIn['before']): boolean {
  if (session.status === 'signing-in') return false;
  const { problem } = session;
  return toBegin(session) === toBegin(before) && (problem === null || problem.code === 'cancelled');
}

function toBegin(settled: SigningIn['before']): number | null {
  return settled.status === 'signed-in' ? settled.sinceMs : null;
}
