// Starts sign-ins, and ends one before it has succeeded, because the person cancels it or a policy no longer allows it.

import type { AuthorizationOptions } from '../../oidc/authorize.ts';
import type { SignInRequest } from '../../session/commands.ts';
import { trusted, words } from '../../session/detail.ts';
import { problem, ProblemError, toProblem, type Problem } from '../../session/problem.ts';
import type { ProviderId } from '../../session/session.ts';
import type { SignIn } from '../provider/sign-in.ts';
import { toAdditional, withoutTokens, type CodeSignIn, type SignedIn } from '../record/record.ts';
import { findAttempt, type Asked, type BeginSession, type OwnAttempt } from './begin-session.ts';
import type { DeviceSignIn } from './device-sign-in.ts';
import type { SessionParts } from './parts.ts';

interface SignInFlowParts extends SessionParts {
  readonly signIn: SignIn;
  /** The sign-in that never shows a code. */
  readonly windowSignIn: SignIn;
  readonly device: DeviceSignIn | undefined;
  readonly beginSession: BeginSession;
}

/** A sign-in that a page has asked for. */
interface Order {
  readonly providerId: ProviderId;
  readonly request: SignInRequest;
  readonly options: Omit<AuthorizationOptions, 'additional'>;
  /** The request to the signed-in person; null at an ordinary sign-in. */
  readonly asked: Asked | null;
  /** The name of the API that wants the person to confirm who they are. */
  readonly apiName?: string;
}

export interface SignInFlow {
  /**
   * Starts a sign-in, or raises the window of the one that is running. Resolves when the board shows it. Throws
   * {@link ProblemError}: `unexpected` for an unknown provider; `not-supported` if a code cannot do what is asked;
   * `storage-failed`, and then nothing is running.
   */
  start(order: Order): Promise<void>;
  /**
   * Starts the running attempt once more in its own place, so that a page that waits for it gets the outcome of the new one.
   * Does nothing if the attempt has ended, or shows a code of another worker. If it has begun to store its session, this waits
   * for it, and the person is signed in. Throws as {@link start} does.
   */
  tryAgain(attempt: string): Promise<void>;
  /** Goes on with the sign-in on the board, whose code another worker has shown, while `session` was signed in. */
  goOn(codeSignIn: CodeSignIn, session: SignedIn | null): void;
  /**
   * Cancels the running sign-in, if there is one, even one that a dead worker left behind, and closes its window. If the sign-in
   * has already begun to store its session, it's too late: this waits for it, and the person is signed in.
   */
  cancel(): Promise<void>;
  /**
   * Ends the sign-in on the board, and closes its window, unless this worker runs it with the settings of now: with `problem` if
   * its provider is no longer offered, or else as `interrupted`. If it has begun to store its session, this waits for it.
   */
  endOther(problem: Problem | null): Promise<void>;
}

export function createSignInFlow(parts: SignInFlowParts): SignInFlow {
  const { store, tasks, providers, authWindow, device, beginSession, reopenPopup } = parts;
  /** The newest attempt of this worker, the settings that it began with, and its order unless another worker has begun it. */
  let newest: (Pick<OwnAttempt, 'attempt' | 'access'> & { readonly order: Order | null }) | null = null;

  const begin = async (order: Order, replaces?: string) => {
    const { providerId, options, asked } = order;
    const access = providers.get(providerId);
    if (access === undefined)
      throw new ProblemError('unexpected', words`There is no provider "${trusted(providerId)}".`);
    const needsWindow = options.stepUp !== undefined || (asked !== null && asked.api !== null);
    if (needsWindow && device?.firstView(providerId) !== undefined)
      throw new ProblemError('not-supported', words`sign-in with a code: it cannot ask for this`);
    const attempt = crypto.randomUUID();
    newest = { attempt, access, order };
    const used = needsWindow ? { ...parts, signIn: parts.windowSignIn } : parts;
    await runInWindow(used, { attempt, access, asked }, order, replaces);
  };

  /**
   * Ends the attempt and its window, unless it has ended already or has begun to store its session. Without a problem, the
   * person has cancelled it.
   */
  const end = async (attempt: string, reason: Problem | null): Promise<void> => {
    const stored = beginSession.storing(attempt);
    if (stored !== null) return stored;
    // The window may be the one of the next attempt by now.
    if (findAttempt(store, attempt) === null) return;
    const ended = store.dispatch({ type: 'sign-in-ended', attempt, problem: reason });
    await Promise.all([ended, authWindow.cancel()]);
  };

  return {
    async start(order) {
      if (store.current().status === 'signing-in') await authWindow.show();
      else await begin(order);
    },

    async tryAgain(attempt) {
      const stored = beginSession.storing(attempt);
      if (stored !== null) return stored;
      if (findAttempt(store, attempt) === null || newest?.attempt !== attempt || newest.order === null)
        return;
      await begin(newest.order, attempt);
    },

    goOn(codeSignIn, session) {
      const shown = store.current();
      const access = providers.get(codeSignIn.providerId);
      if (shown.status !== 'signing-in' || !device || access === undefined) return;
      const { attempt } = shown;
      newest = { attempt, access, order: null };
      const { additionalScope } = codeSignIn;
      const apis = withoutTokens(session?.apis ?? []);
      const asked = additionalScope === null ? null : { additionalScope, apis, api: null };
      const own = { attempt, access, asked };
      const finished = beginSession.begin(own, () => device.goOn(access, codeSignIn));
      // The provider's page closes the popup.
      tasks.runInBackground(finished.finally(() => reopenPopup.show()));
    },

    async cancel() {
      const session = store.current();
      if (session.status !== 'signing-in') return authWindow.cancel();
      const isWindowLeft = await authWindow.mayStayOpen();
      const ended = end(
        session.attempt,
        isWindowLeft ? { ...problem('cancelled'), window: 'left-open' } : null,
      );
      // The page with the cancel button shows the notice at once.
      if (findAttempt(store, session.attempt) === null) store.markNotice();
      await ended;
    },

    async endOther(notOffered) {
      const session = store.current();
      if (session.status !== 'signing-in') return;
      const access = providers.get(session.providerId);
      if (access !== undefined && access === newest?.access) return;
      const reason = access === undefined ? notOffered : null;
      await end(session.attempt, reason ?? problem('interrupted'));
    },
  };
}

/**
 * Runs the attempt in the sign-in window, in the background, and opens the popup again at its end. Resolves when the board
 * shows the attempt, so that a second click finds it. Throws {@link ProblemError} `storage-failed` if it cannot be shown, and
 * then nothing is running.
 */
async function runInWindow(
  { store, tasks, authWindow, signIn, device, beginSession, reopenPopup, nowMs }: SignInFlowParts,
  own: OwnAttempt,
  { providerId, request, options, apiName }: Order,
  replaces: string | undefined,
): Promise<void> {
  const { attempt, access, asked } = own;
  const show = async () => {
    // The session moves before anything is awaited.
    const shown = store.dispatch({
      type: 'sign-in-started',
      providerId,
      request,
      ...(apiName !== undefined && { apiName }),
      attempt,
      startedAtMs: nowMs(),
      ...device?.firstView(providerId),
      replaces,
    });
    try {
      // The window of a sign-out, or of the attempt before, may still be open, and no one is waiting for it.
      await Promise.all([shown, authWindow.cancel()]);
    } catch (error) {
      await store
        .dispatch({ type: 'sign-in-ended', attempt, problem: toProblem(error) })
        .catch(() => undefined);
      throw error;
    }
  };

  const shown = show();
  // The request is made in the meantime. Only the window waits for the board.
  const isWanted = () => findAttempt(store, attempt) !== null;
  const additional = asked === null ? {} : { additional: toAdditional(asked, access.client.provider) };
  const finished = beginSession.begin(own, () =>
    signIn.inWindow(access, { ...options, ...additional }, shown, isWanted),
  );
  const reopen = () => shown.then(reopenPopup.show, () => undefined);
  tasks.runInBackground(finished.finally(reopen));
  await shown;
}
