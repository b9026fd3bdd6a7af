// Asks the person for an additional scope. The provider's window closes the popup, and the promise with it; a tab or
// a side panel stays open and gets the result.

import type { ProblemCode } from '../../session/problem.ts';
import type { SessionObserver } from './observer.ts';

/**
 * Requests `scope` in the provider's window. Resolves when that window has closed, with `granted` or with a problem
 * code such as `cancelled`. If the worker refuses the command, for example because another sign-in is running, resolves
 * at once with its problem code. The person stays signed in either way. Never rejects.
 */
export async function requestScope(
  observer: SessionObserver,
  scope: string,
): Promise<'granted' | ProblemCode> {
  let resolveResult: (result: 'granted' | ProblemCode) => void = () => undefined;
  const result = new Promise<'granted' | ProblemCode>((resolve) => {
    resolveResult = resolve;
  });
  // Subscribe before sending, because the board may change before the reply arrives.
  let ownAttempt: number | null = null;
  const unsubscribe = observer.subscribe(() => {
    const view = observer.getSnapshot();
    if (view.status === 'starting') return;
    const { session } = view.board;
    if (session.status === 'signing-in') {
      const { request, attempt } = session;
      if (ownAttempt === null && request.type === 'request-scope' && request.scope === scope)
        ownAttempt = attempt;
      if (ownAttempt !== null && attempt !== ownAttempt) resolveResult('interrupted');
    } else if (ownAttempt !== null) {
      // A person who signed out meanwhile has allowed nothing.
      const otherwise = session.status === 'signed-in' ? 'granted' : 'cancelled';
      resolveResult(session.problem?.code ?? otherwise);
    }
  });
  try {
    const reply = await observer.send({ type: 'request-scope', scope });
    return reply.ok ? await result : reply.problem.code;
  } finally {
    unsubscribe();
  }
}
