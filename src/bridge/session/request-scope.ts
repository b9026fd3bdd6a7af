// Asks the person for an additional scope. The provider's window closes the popup, and the promise with it; a tab or
// a side panel stays open and gets the result.

import type { ProblemCode } from '../../session/problem.ts';
import type { Session } from '../../session/session.ts';
import type { BoardView, SessionObserver } from './observer.ts';

/**
 * Requests `scope` in the provider's window. Resolves when that window has closed, with `granted` or with a problem
 * code such as `cancelled`. If the worker refuses the command, for example because another sign-in is running, resolves
 * at once with its problem code. The person stays signed in either way. If the worker dies meanwhile, or its board cannot be
 * read, resolves with `interrupted`. Never rejects.
 */
export async function requestScope(
  observer: SessionObserver,
  scope: string,
): Promise<'granted' | ProblemCode> {
  const before = observer.getSnapshot();
  const reply = await observer.send({ type: 'request-scope', scope });
  if (!reply.ok) return reply.problem.code;
  return new Promise((resolve) => {
    const check = () => {
      const result = toResult(observer.getSnapshot(), scope, before);
      if (result === null) return;
      unsubscribe();
      resolve(result);
    };
    const unsubscribe = observer.subscribe(check);
    check();
  });
}

/** The result of the request for `scope`, which the worker has accepted since `before`; null while its window is open. */
function toResult(view: BoardView, scope: string, before: BoardView): 'granted' | ProblemCode | null {
  const session = toSession(view);
  if (session?.status === 'signing-in') {
    const { request } = session;
    // There is one sign-in at a time, so another one has followed.
    return request.type === 'request-scope' && request.scope === scope ? null : 'interrupted';
  }
  const old = toSession(before);
  if (session?.status === 'signed-in') {
    // Each sign-in begins a session of its own, which may have a problem already. An old one may be all that could be read.
    const isNew = old?.status === 'signed-in' ? old.sinceMs !== session.sinceMs : session.problem === null;
    return isNew ? 'granted' : (session.problem?.code ?? 'interrupted');
  }
  // A person who signed out meanwhile has allowed nothing.
  return session === null ? 'interrupted' : (session.problem?.code ?? 'cancelled');
}

function toSession(view: BoardView): Session | null {
  return view.status === 'ready' ? view.board.session : null;
}
