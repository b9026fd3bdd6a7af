// Asks the person for more because an API wants it: an additional scope, or another authentication. The provider's window closes
// the popup, so its promise never settles; a tab or a side panel stays open and gets the result.

import { maxChallengeLength, type Command, type SignInRequest } from '../../session/commands.ts';
import type { ProblemCode } from '../../session/problem.ts';
import type { Session } from '../../session/session.ts';
import type { BoardView, SessionObserver } from './observer.ts';

/** `granted`, or the code of the problem that prevented it. */
export type Granted = 'granted' | ProblemCode;

/** The challenges that a person can answer: RFC 6750 section 3.1, and RFC 9470 section 3. */
type Challenge = 'insufficient_scope' | 'insufficient_user_authentication';

/**
 * Requests `scope` in the provider's window, for the API at the URL `api` if that has a token of its own. Resolves when that
 * window has closed, with `granted` or with a problem code such as `cancelled`. If the worker refuses the command, for example
 * because another sign-in is running, resolves at once with its problem code. The person stays signed in either way. If the
 * worker dies in the meantime, or its board can't be read, resolves with `interrupted`. Rejects only with a `TypeError`, if
 * `api` isn't a URL.
 */
export async function requestScope(observer: SessionObserver, scope: string, api?: string): Promise<Granted> {
  const command = {
    type: 'request-scope',
    scope,
    ...(api !== undefined && { api: new URL(api).origin }),
  } as const;
  return send(observer, command, (request) => request.type === 'request-scope' && request.scope === scope);
}

/**
 * Does the same for what an API's response asks of the person. Rejects with a `TypeError` that says what is wrong if the
 * response does not carry `challenge`.
 */
export async function answerChallenge(
  observer: SessionObserver,
  { url, headers }: Response,
  challenge: Challenge,
): Promise<Granted> {
  const header = headers.get('www-authenticate') ?? '';
  if (!header.includes(challenge)) {
    throw new TypeError(`The response has no WWW-Authenticate header with the error "${challenge}".`);
  }
  if (header.length > maxChallengeLength) {
    throw new TypeError(
      `The WWW-Authenticate header of the response is longer than ${maxChallengeLength} characters.`,
    );
  }
  const api = new URL(url).origin;
  return send(
    observer,
    { type: 'answer-challenge', challenge: header, api },
    (request) => 'api' in request && request.api === api,
  );
}

/** Sends the command, and waits for the end of the sign-in that it starts. `isOwn` recognizes that sign-in by its request. */
async function send(
  observer: SessionObserver,
  command: Command,
  isOwn: (request: SignInRequest) => boolean,
): Promise<Granted> {
  const before = observer.getSnapshot();
  const reply = await observer.send(command);
  if (!reply.ok) return reply.problem.code;
  return new Promise((resolve) => {
    const check = () => {
      const result = toResult(observer.getSnapshot(), isOwn, before);
      if (result === null) return;
      unsubscribe();
      resolve(result);
    };
    const unsubscribe = observer.subscribe(check);
    check();
  });
}

/** The result of the request that the worker has accepted since `before`; null while its window is open. */
function toResult(
  view: BoardView,
  isOwn: (request: SignInRequest) => boolean,
  before: BoardView,
): Granted | null {
  const session = toSession(view);
  // There is one sign-in at a time, so another one has followed.
  if (session?.status === 'signing-in') return isOwn(session.request) ? null : 'interrupted';
  const old = toSession(before);
  if (session?.status === 'signed-in') {
    // Each sign-in begins a session of its own, which may have a problem already. Perhaps only an old session could be read.
    const isNew = old?.status === 'signed-in' ? old.sinceMs !== session.sinceMs : session.problem === null;
    return isNew ? 'granted' : (session.problem?.code ?? 'interrupted');
  }
  // A person who has signed out in the meantime has allowed nothing.
  return session === null ? 'interrupted' : (session.problem?.code ?? 'cancelled');
}

function toSession(view: BoardView): Session | null {
  return view.status === 'ready' ? view.board.session : null;
}
