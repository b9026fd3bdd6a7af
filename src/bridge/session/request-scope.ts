// Asks for more than a sign-in does, and tells what came of it. The window closes the popup, and the promise with it;
// a tab or a side panel is still there when it ends.

import type { ProblemCode } from '../../session/problem.ts';
import type { SessionObserver } from './observer.ts';

/**
 * Resolves when the provider's window has closed: with `granted`, or with the code of what stood in the way. Nobody
 * is signed out by it.
 */
export async function requestScope(
  observer: SessionObserver,
  scope: string,
): Promise<'granted' | ProblemCode> {
  let end: (outcome: 'granted' | ProblemCode) => void = () => undefined;
  const ended = new Promise<'granted' | ProblemCode>((resolve) => {
    end = resolve;
  });
  // Watched from before the question, because the board may be ahead of the answer.
  let hasBegun = false;
  const unsubscribe = observer.subscribe(() => {
    const view = observer.getSnapshot();
    if (view.status === 'starting') return;
    const { session } = view.board;
    if (session.status === 'signing-in') hasBegun = true;
    else if (hasBegun) end(session.problem?.code ?? 'granted');
  });
  try {
    const reply = await observer.send({ type: 'request-scope', scope });
    return reply.ok ? await ended : reply.problem.code;
  } finally {
    unsubscribe();
  }
}
