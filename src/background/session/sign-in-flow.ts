// Starts sign-ins, and ends one before it has succeeded, because the user cancels it or a policy no longer allows it.

import type { AuthorizationOptions } from '../../oidc/authorize.ts';
import type { SignInOrder } from '../../session/commands.ts';
import { detail } from '../../session/detail.ts';
import { problem, ProblemError, toProblem, type Problem } from '../../session/problem.ts';
import { accountOf, type ProviderId } from '../../session/session.ts';
import type { SignInResult } from '../provider/sign-in.ts';
import { isDue } from '../record/pause.ts';
import { toAdditional, withoutTokens, type CodeSignIn, type StoredSession } from '../record/record.ts';
import type { AccessRequest, Attempt, BeginSession } from './begin-session.ts';
import type { SessionParts } from './parts.ts';
import { isClientOf, toNotOffered } from './permission.ts';

/** A sign-in that a page has asked for. */
interface NewAttempt {
  readonly providerId: ProviderId;
  readonly order: SignInOrder;
  readonly options: Omit<AuthorizationOptions, 'additional'>;
  /** The request to the signed-in user; null at an ordinary sign-in. */
  readonly asked: AccessRequest | null;
  /** The name of the API that wants the user to confirm who they are. */
  readonly apiName?: string;
}

export interface SignInFlow {
  /**
   * Starts a sign-in, or raises the window of the one that is running. Resolves when the board shows it. Throws
   * {@link ProblemError}: `not-permitted` for a provider that is not offered; `not-supported` if a code cannot do what is asked;
   * `storage-failed`, and then nothing is running.
   */
  start(next: NewAttempt): Promise<void>;
  /**
   * Starts the running attempt once more in its own place, so that a page that waits for it gets the outcome of the new one.
   * Does nothing if the attempt has ended, or shows a code of another worker. If it has begun to store its session, this waits
   * for it, and the user is signed in. Throws as {@link start} does.
   */
  tryAgain(attempt: string): Promise<void>;
  /**
   * Goes on with the sign-in on the board, whose code another worker has shown, while `session` was signed in. False if the code can
   * no longer be entered: because it has ended, its provider has other settings, or the board shows no sign-in or another one.
   */
  goOn(codeSignIn: CodeSignIn, session: StoredSession | null): boolean;
  /**
   * Cancels the running sign-in, if there is one, even one that a dead worker left behind, and closes its window. If the sign-in
   * has already begun to store its session, it's too late: this waits for it, and the user is signed in.
   */
  cancel(): Promise<void>;
  /**
   * Ends the sign-in on the board, and closes its window, unless this worker runs it with the settings of now: as `not-permitted`
   * if a policy no longer offers its provider, or else as `interrupted`. If it has begun to store its session, this waits for it.
   */
  endOther(): Promise<void>;
}

interface SignInFlowParts extends SessionParts {
  readonly beginSession: BeginSession;
}

export function createSignInFlow(parts: SignInFlowParts): SignInFlow {
  const { store, providers, authWindow, device, beginSession, nowMs } = parts;
  /** The newest attempt of this worker, and what it was started with unless another worker has begun it. */
  let newest: (Attempt & { readonly next: NewAttempt | null }) | null = null;

  /** Whether the board shows this attempt as running. */
  const isRunning = (id: string) => {
    const session = store.current();
    return session.status === 'signing-in' && session.attempt === id;
  };

  const begin = async (next: NewAttempt, replaces?: string) => {
    const { providerId, order, options, asked, apiName } = next;
    const { access, way, firstView } = prepare(parts, next);
    const about = { id: crypto.randomUUID(), startedAtMs: nowMs(), access, asked };
    const attempt: Attempt = { ...about, isWanted: () => isRunning(about.id) };
    newest = { ...attempt, next };
    const view = { ...(apiName !== undefined && { apiName }), ...firstView };
    const signIn = { providerId, order, attempt: about.id, startedAtMs: about.startedAtMs, ...view };
    // The session moves before anything is awaited.
    const moved = store.dispatch({ type: 'sign-in-started', signIn, replaces });
    // The window of a sign-out, or of the attempt before, may still be open, and no one is waiting for it.
    const shown = Promise.all([moved, authWindow.cancel()]).then(() => undefined);
    const additional = asked === null ? {} : { additional: toAdditional(asked, access.client.provider) };
    // The request is made in the meantime. Only the window waits for the board.
    await run(parts, attempt, shown, () =>
      way.inWindow(access, { ...options, ...additional }, shown, attempt.isWanted),
    );
  };

  /**
   * Ends the attempt and its window, unless it has ended already or has begun to store its session. Without a problem, the
   * user has cancelled it.
   */
  const end = async (attempt: string, reason: Problem | null): Promise<void> => {
    const stored = beginSession.storing(attempt);
    if (stored !== null) return stored;
    // The window may be the one of the next attempt by now.
    if (!isRunning(attempt)) return;
    const ended = store.dispatch({ type: 'sign-in-ended', attempt, problem: reason });
    await Promise.all([ended, authWindow.cancel()]);
  };

  return {
    async start(next) {
      if (store.current().status === 'signing-in') await authWindow.show();
      else await begin(next);
    },

    async tryAgain(attempt) {
      const stored = beginSession.storing(attempt);
      if (stored !== null) return stored;
      if (isRunning(attempt) && newest?.id === attempt && newest.next !== null)
        await begin(newest.next, attempt);
    },

    goOn(codeSignIn, session) {
      const shown = store.current();
      const access = providers.get(codeSignIn.providerId);
      const { startedAtMs, additionalScope } = codeSignIn;
      if (shown.status !== 'signing-in' || shown.startedAtMs !== startedAtMs) return false;
      if (!device || access === undefined || !mayBeEntered(codeSignIn, parts)) return false;
      const { attempt: id, before } = shown;
      const apis = withoutTokens(session?.apis ?? []);
      const asked =
        additionalScope === null ? null : { user: accountOf(before), additionalScope, apis, api: null };
      newest = { id, startedAtMs, access, asked, isWanted: () => isRunning(id), next: null };
      // The provider's page closes the popup.
      void run(parts, newest, Promise.resolve(), () => device.goOn(access, codeSignIn));
      return true;
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
      if (!isRunning(session.attempt)) store.markNotice();
      await ended;
    },

    async endOther() {
      const session = store.current();
      if (session.status !== 'signing-in') return;
      const access = providers.get(session.providerId);
      if (access !== undefined && access === newest?.access) return;
      const reason = access === undefined ? toNotOffered(parts.inForce()) : null;
      await end(session.attempt, reason ?? problem('interrupted'));
    },
  };
}

/** Every code ends sooner. */
const longestMs = 60 * 60_000;

/** Whether a code has not ended, and its provider still uses codes. If it ends too late, the clock was set far back since. */
function mayBeEntered(code: CodeSignIn, { providers, nowMs }: SessionParts): boolean {
  return (
    isClientOf(code, providers) &&
    providers.get(code.providerId)?.client.provider.deviceFlow !== 'off' &&
    !isDue(code.grant.shown.expiresAtMs, longestMs, nowMs())
  );
}

/** The provider of a new attempt, the sign-in that can do what is asked, and what the board shows first. Throws {@link ProblemError}. */
function prepare(
  { providers, device, signIn, windowSignIn }: SessionParts,
  { providerId, options, asked }: NewAttempt,
) {
  const access = providers.get(providerId);
  // A policy is awaited, or has just taken it away.
  if (access === undefined) throw new ProblemError('not-permitted', detail`the provider is not offered`);
  const needsWindow = options.stepUp !== undefined || (asked !== null && asked.api !== null);
  const firstView = device?.firstView(access);
  if (needsWindow && firstView !== undefined)
    throw new ProblemError('not-supported', detail`sign-in with a code: it cannot ask for this`);
  return { access, way: needsWindow ? windowSignIn : signIn, firstView };
}

/**
 * Runs an attempt in the background, and opens the popup again at its end. Settles as `shown` does, and if that fails, nothing is
 * running.
 */
async function run(
  { store, tasks, beginSession, reopenPopup }: SignInFlowParts,
  attempt: Attempt,
  shown: Promise<void>,
  obtain: () => Promise<SignInResult>,
): Promise<void> {
  const fail = (error: unknown) =>
    store.dispatch({ type: 'sign-in-ended', attempt: attempt.id, problem: toProblem(error) });
  const finished = beginSession.begin(attempt, obtain).catch(fail);
  tasks.runInBackground(finished.finally(() => shown.then(reopenPopup.show, () => undefined)));
  try {
    await shown;
  } catch (error) {
    await fail(error).catch(() => undefined);
    throw error;
  }
}
