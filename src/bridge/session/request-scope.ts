// Asks the person for more: an additional scope, or another authentication, as an API wants it. The provider's window closes the
// popup, and the promise with it; a tab or a side panel stays open and gets the result.

import { maxChallengeLength, type Command, type SignInRequest } from '../../session/commands.ts';
import type { ProblemCode } from '../../session/problem.ts';
import type { Session, SigningIn } from '../../session/session.ts';
import type { SessionObserver } from './observer.ts';

/** `granted`, or the code of the problem that has prevented it. */
export type Granted = 'granted' | ProblemCode;

/** The challenges that a person can answer: RFC 6750 section 3.1, and RFC 9470 section 3. */
type Challenge = 'insufficient_scope' | 'insufficient_user_authentication';

/**
 * Requests `scope` in the provider's window, for the API at the URL `api` if that has a token of its own. Resolves when that
 * window has closed, with `granted` or with a problem code such as `cancelled`. If the worker refuses the command, for example
 * because another sign-in is running, resolves at once with its problem code. The person stays signed in either way. If the
 * worker dies meanwhile, or its board cannot be read, resolves with `interrupted`. Rejects only with a `TypeError`, if `api` is
 * no URL.
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
 * Requests in the same way what a response of an API's `fetch` asks of the person. Rejects with a `TypeError` that says what is
 * wrong if the response does not carry `challenge`.
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

/** Sends the command, and waits for the end of the sign-in that it starts, whose request fits `isOwn`. */
async function send(
  observer: SessionObserver,
  command: Command,
  isOwn: (request: SignInRequest) => boolean,
): Promise<Granted> {
  const before = toSession(observer);
  const reply = await observer.send(command);
  if (!reply.ok) return reply.problem.code;
  return new Promise((resolve) => {
    let asked: SigningIn | null = null;
    const check = () => {
      const session = toSession(observer);
      const isOpen =
        session?.status === 'signing-in' &&
        (asked === null ? isOwn(session.request) : session.attempt === asked.attempt);
      if (isOpen) {
        asked = session;
        return;
      }
      unsubscribe();
      resolve(toResult(session, asked, before));
    };
    const unsubscribe = observer.subscribe(check);
    check();
  });
}

/** The result of a request that is over. `asked` is its sign-in; null if no board has shown it. */
function toResult(session: Session | null, asked: SigningIn | null, before: Session | null): Granted {
  // There is one sign-in at a time, so another one has followed.
  if (session === null || session.status === 'signing-in') return 'interrupted';
  if (session.status === 'signed-out') return session.problem?.code ?? 'cancelled';
  // Each sign-in begins a session of its own, which may have a problem already.
  const isNew =
    asked === null
      ? before?.status === 'signed-in' && before.sinceMs !== session.sinceMs
      : asked.startedAtMs === session.sinceMs;
  if (isNew) return 'granted';
  // A cancel in the popup leaves no problem. Without the sign-in, an old board may be all that could be read.
  return session.problem?.code ?? (asked === null ? 'interrupted' : 'cancelled');
}

function toSession(observer: SessionObserver): Session | null {
  const view = observer.getSnapshot();
  return view.status === 'ready' ? view.board.session : null;
}
