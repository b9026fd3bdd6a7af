// Asks the user for more because an API requires it: an additional scope, or a new authentication. The provider's window closes
// the popup, so its promise never settles; a tab or a side panel stays open and gets the result.

import { maxChallengeLength, type ChallengeError, type Command } from '../../session/commands.ts';
import type { ProblemCode } from '../../session/problem.ts';
import { settledView, type View, type SignedIn } from '../../session/view.ts';
import type { SessionObserver } from './observer.ts';
import type { SignInOrder } from '../../session/sign-in-order.ts';

/** `granted`, or the code of the problem that prevented it. */
export type Granted = 'granted' | ProblemCode;

/**
 * Requests `scope` in the provider's window, for the API at the URL `api` if that has a token of its own. Resolves when that
 * window has closed, with `granted` or with a problem code such as `cancelled`. If the worker refuses the command, for example
 * because another sign-in is running, resolves at once with its problem code. The user stays signed in either way. If the
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
 * Does the same for what an API's response asks of the user. Rejects with a `TypeError` that says what is wrong if the
 * response doesn't carry `error`.
 */
export async function answerChallenge(
  observer: SessionObserver,
  { url, headers }: Response,
  error: ChallengeError,
): Promise<Granted> {
  const header = headers.get('www-authenticate') ?? '';
  if (!header.includes(error)) {
    throw new TypeError(`The response has no WWW-Authenticate header with the error "${error}".`);
  }
  if (header.length > maxChallengeLength) {
    throw new TypeError(
      `The WWW-Authenticate header of the response is longer than ${maxChallengeLength} characters.`,
    );
  }
  const api = new URL(url).origin;
  return send(
    observer,
    { type: 'answer-challenge', error, challenge: header, api },
    (request) => 'api' in request && request.api === api,
  );
}

/** Sends the command, and waits for the end of the sign-in that it starts. `isOwn` recognizes that sign-in by its request. */
async function send(
  observer: SessionObserver,
  command: Command,
  isOwn: (request: SignInOrder) => boolean,
): Promise<Granted> {
  const readSession = () => {
    const view = observer.getSnapshot();
    return view.status === 'ready' ? view.board.session : null;
  };
  const shown = readSession();
  let before: View | null = shown && settledView(shown);
  const reply = await observer.send(command);
  if (!reply.ok) return reply.problem.code;
  return new Promise((resolve) => {
    const check = () => {
      const session = readSession();
      if (session?.status === 'signing-in' && isOwn(session.order)) {
        before = session;
        return;
      }
      unsubscribe();
      resolve(toResult(session, before));
    };
    const unsubscribe = observer.subscribe(check);
    check();
  });
}

/** The result on a page that shows `session` now, after `before`: its own sign-in, or else the session that it showed then. */
function toResult(session: View | null, before: View | null): Granted {
  // Only one sign-in runs at a time, so a new one has replaced it.
  if (session === null || session.status === 'signing-in') return 'interrupted';
  if (session.status === 'signed-in' && isNew(session, before)) return 'granted';
  // A renewal may have left a problem of its own.
  const isRenewals = session.status === 'signed-in' && session.problem?.order === undefined;
  if (session.problem !== null && !isRenewals) return session.problem.code;
  // Canceled on a page, or the user has signed out: both leave no problem. Or the board couldn't be read.
  return before?.status === 'signing-in' ? 'cancelled' : 'interrupted';
}

/** Whether the session was begun after `before`: each sign-in begins one of its own. It may have a problem already. */
function isNew({ sinceMs }: SignedIn, before: View | null): boolean {
  if (before?.status === 'signing-in') return sinceMs === before.startedAtMs;
  return before?.status === 'signed-in' && sinceMs !== before.sinceMs;
}
