// A sign-in from the click to its end, and the sign-in that a worker left behind when it died.

import type { AuthorizationOptions } from '../../oidc/authorize.ts';
import { problem, ProblemError, toProblem, type Problem } from '../../session/problem.ts';
import type { SignInRequest } from '../../session/commands.ts';
import { isSamePerson, type ProviderId, type SigningIn } from '../../session/session.ts';
import type { AuthWindow } from '../provider/auth-window.ts';
import type { ProviderAccess } from '../provider/provider-access.ts';
import type { SignIn, SignInResult } from '../provider/sign-in.ts';
import type { ReopenPopup } from '../toolbar/reopen-popup.ts';
import type { Attempt, Attempts } from './attempts.ts';
import { findAttempt, type BeginSession, type OwnAttempt } from './begin-session.ts';
import type { DeviceSignIn } from './device-sign-in.ts';
import type { ShownNotice } from './shown-notice.ts';
import type { SessionStore } from './store.ts';
import type { Tasks } from './tasks.ts';

export interface SignInFlowParts {
  readonly store: SessionStore;
  readonly tasks: Tasks;
  readonly providers: ReadonlyMap<ProviderId, ProviderAccess>;
  readonly attempts: Attempts;
  readonly authWindow: AuthWindow;
  readonly signIn: SignIn;
  /** Undefined if no provider is used with a code. Otherwise {@link signIn} is the same. */
  readonly device: DeviceSignIn | undefined;
  readonly beginSession: BeginSession;
  readonly shownNotice: ShownNotice;
  readonly reopenPopup: ReopenPopup;
  readonly nowMs: () => number;
}

export interface SignInFlow {
  /**
   * Starts a sign-in, or raises the window of the one that is running. Resolves when the board shows it. Throws
   * {@link ProblemError}: `unexpected` for an unknown provider; `storage-failed`, and then nothing is running.
   */
  start(providerId: ProviderId, request: SignInRequest, options: AuthorizationOptions): Promise<void>;
  /**
   * Signs the person in without a window, if that is possible and nothing else has begun meanwhile: the session is as it was,
   * and `isWanted` says so. Otherwise nothing happens. Rejects only if the storage fails.
   */
  startSilently(
    providerId: ProviderId,
    options: Pick<AuthorizationOptions, 'loginHint'>,
    isWanted: () => boolean,
  ): Promise<void>;
  /** Whether this worker runs a sign-in. */
  isRunning(): boolean;
  /** Whether a window is open that may be the one of the running sign-in, without proof. */
  mayHaveWindow(): boolean;
  /** Resumes, once, a sign-in that another worker started: the person has usually finished it at the provider. */
  resumeLeftOver(): void;
  /**
   * Cancels the running sign-in, if there is one, and closes its window. A sign-in that has begun to store its session is
   * past that: it is waited for, and the person is signed in.
   */
  cancel(): Promise<void>;
  /**
   * Ends the running sign-in, and closes its window, if its provider is not offered any more, with `problem`, or is offered
   * with other settings, as `interrupted`. A sign-in that has begun to store its session is waited for.
   */
  endIfChanged(problem: Problem | null): Promise<void>;
}

export function createSignInFlow(parts: SignInFlowParts): SignInFlow {
  const { store, tasks, providers, attempts, authWindow, signIn, device, nowMs } = parts;
  /** The newest attempt on the board, of this worker or the last one. */
  let newestAttempt = 0;
  /** The newest attempt that this worker runs. If the board shows another one, the last worker left it behind. */
  let ownAttempt = 0;
  /** The attempt of the last worker that this one resumes. */
  let resumedAttempt = 0;
  /** The provider of the newest own attempt, with the settings that it began with. */
  let ownAccess: ProviderAccess | null = null;
  store.subscribe((session) => {
    if (session.status === 'signing-in') newestAttempt = session.attempt;
  });

  const findLeftOver = (): SigningIn | null => {
    const session = store.current();
    return session.status === 'signing-in' && session.attempt !== ownAttempt ? session : null;
  };

  /** Whether the window of the sign-in, if it has one, is the last worker's. */
  const isOfLastWorker = () =>
    !device?.hasCode() && (findLeftOver() !== null || newestAttempt === resumedAttempt);

  const fail = (attempt: number, code: 'cancelled' | 'interrupted', isWindowLeft = false) =>
    store.dispatch({
      type: 'sign-in-failed',
      attempt,
      problem: { ...problem(code), ...(isWindowLeft && { window: 'left-open' }) },
    });

  /** Begins the session with what `obtain` resolves with, or shows on the board why it failed. */
  const finish = async (own: OwnAttempt, obtain: () => Promise<SignInResult>) => {
    try {
      await parts.beginSession.begin(own, await obtain());
    } catch (error) {
      await store.dispatch({ type: 'sign-in-failed', attempt: own.attempt, problem: toProblem(error) });
    }
  };

  const resume = async (leftOver: SigningIn) => {
    const { attempt, providerId, before } = leftOver;
    const access = providers.get(providerId);
    const stored = await attempts.find(leftOver);
    if (access === undefined || stored === null) return fail(attempt, 'interrupted');
    ownAccess = access;
    const { additionalScope } = stored;
    const own = { attempt, access, additionalScope };
    const byCode = device?.resume(access);
    // The provider's page closes the popup.
    if (byCode) return finish(own, () => byCode).finally(() => parts.reopenPopup.show());
    await finish(own, async () => {
      const result = await signInAgain(signIn, access, stored);
      if (!isUnfinished(before, stored, result)) return result;
      await parts.beginSession.discard(own, result);
      throw new ProblemError('interrupted');
    });
  };

  /** Shows the sign-in on the board, so that a second click finds it. If that fails, nothing has started. */
  const show = async (
    attempt: number,
    providerId: ProviderId,
    request: SignInRequest,
    { prompt, loginHint, additionalScope }: AuthorizationOptions,
  ) => {
    const startedAtMs = nowMs();
    // The session moves before anything is awaited.
    const shown = store.dispatch({
      type: 'sign-in-started',
      providerId,
      request,
      attempt,
      startedAtMs,
      ...device?.firstView(providerId),
    });
    const kept = attempts
      .keep({
        startedAtMs,
        loginHint: loginHint ?? null,
        prompt: prompt === 'select_account' ? prompt : null,
        additionalScope: additionalScope ?? null,
      })
      // Best effort: without it the sign-in is not resumed if the worker dies.
      .catch(() => undefined);
    try {
      // The window of a sign-out may be open, and nobody waits for it any more.
      await Promise.all([shown, kept, authWindow.cancel()]);
    } catch (error) {
      await store
        .dispatch({ type: 'sign-in-failed', attempt, problem: toProblem(error) })
        .catch(() => undefined);
      throw error;
    }
  };

  return {
    isRunning: () => store.current().status === 'signing-in' && findLeftOver() === null,

    mayHaveWindow: () => isOfLastWorker() || authWindow.mayStayOpen(),

    async start(providerId, request, options) {
      const leftOver = findLeftOver();
      // Not awaited: a sign-out that comes meanwhile is the person's later wish. The sign-in writes the board again.
      if (leftOver !== null) fail(leftOver.attempt, 'interrupted').catch(() => undefined);
      if (store.current().status === 'signing-in') {
        await authWindow.show();
        return;
      }
      const access = providers.get(providerId);
      if (access === undefined) throw new ProblemError('unexpected', `There is no provider "${providerId}".`);
      const attempt = newestAttempt + 1;
      ownAttempt = attempt;
      ownAccess = access;
      const shown = show(attempt, providerId, request, options);
      const isShown = shown.then(
        () => true,
        () => false,
      );
      // The request is made meanwhile. Only the window waits for the board.
      const isWanted = async () => (await isShown) && findAttempt(store, attempt) !== null;
      const { additionalScope = null } = options;
      const finished = finish({ attempt, access, additionalScope }, () =>
        signIn.inWindow(access, options, isWanted),
      );
      const reopen = async () => {
        if (await isShown) await parts.reopenPopup.show();
      };
      tasks.runInBackground(finished.finally(reopen));
      await shown;
    },

    async startSilently(providerId, options, isWanted) {
      const access = providers.get(providerId);
      const attempt = newestAttempt + 1;
      if (access === undefined) return;
      // The person has to click, as they had to without this.
      const result = await signIn.silently(access, options).catch(() => null);
      if (result === null) return;
      const own = { attempt, access, additionalScope: null };
      const isFirst = newestAttempt < attempt && store.current().status === 'signed-out';
      if (!isFirst || !isWanted() || providers.get(providerId) !== access) {
        await parts.beginSession.discard(own, result);
        return;
      }
      ownAttempt = attempt;
      ownAccess = access;
      const request = { type: 'sign-in', providerId } as const;
      const started = {
        type: 'sign-in-started',
        providerId,
        request,
        attempt,
        startedAtMs: nowMs(),
      } as const;
      // A board that cannot be written follows later.
      await store.dispatch(started).catch(() => undefined);
      await finish(own, () => Promise.resolve(result));
    },

    resumeLeftOver() {
      const leftOver = findLeftOver();
      if (leftOver === null) return;
      ownAttempt = resumedAttempt = leftOver.attempt;
      tasks.runInBackground(resume(leftOver));
    },

    async cancel() {
      const session = store.current();
      const isLeftOver = isOfLastWorker();
      const isClosed = isLeftOver && (await authWindow.closeLeftOver());
      // Another sign-in may have begun meanwhile, which nobody has asked to cancel.
      if (session.status !== 'signing-in' || findAttempt(store, session.attempt) === null) return;
      const stored = parts.beginSession.storing(session.attempt);
      if (stored !== null) return stored;
      const isWindowLeft = isLeftOver ? !isClosed : authWindow.mayStayOpen();
      const failed = fail(session.attempt, 'cancelled', isWindowLeft);
      // The page with the cancel button shows the notice at once.
      parts.shownNotice.mark();
      await Promise.all([failed, authWindow.cancel()]);
    },

    async endIfChanged(notOffered) {
      const session = store.current();
      if (session.status !== 'signing-in') return;
      const access = providers.get(session.providerId);
      const isOwn = session.attempt === ownAttempt;
      if (access !== undefined && (!isOwn || access === ownAccess)) return;
      const stored = parts.beginSession.storing(session.attempt);
      if (stored !== null) return stored;
      const reason = access === undefined ? notOffered : null;
      const { attempt } = session;
      await Promise.all([
        store.dispatch({ type: 'sign-in-failed', attempt, problem: reason ?? problem('interrupted') }),
        attempts.forget(),
        isOwn ? authWindow.cancel() : authWindow.closeLeftOver(),
      ]);
    },
  };
}

/** Repeats an attempt of another worker silently. Throws {@link ProblemError} `interrupted` if it is not finished. */
async function signInAgain(
  signIn: SignIn,
  access: ProviderAccess,
  { loginHint, additionalScope }: Attempt,
): Promise<SignInResult> {
  const options = { loginHint: loginHint ?? undefined, additionalScope: additionalScope ?? undefined };
  return signIn.silently(access, options).catch((cause: unknown) => {
    throw new ProblemError('interrupted', null, { cause });
  });
}

/** Whether the person was changing to another account and did not get there. The provider knows the last one. */
function isUnfinished(
  before: SigningIn['before'],
  { prompt, additionalScope }: Attempt,
  { profile }: SignInResult,
): boolean {
  const last = before.status === 'signed-in' ? before.profile : before.lastAccount;
  const isUnchanged = last !== null && isSamePerson(last, profile);
  const isChange = prompt === 'select_account' || before.status === 'signed-in';
  return isUnchanged && isChange && additionalScope === null;
}
