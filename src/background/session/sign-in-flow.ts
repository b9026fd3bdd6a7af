// Numbers the sign-ins, and knows which of them this worker runs. Another one on the board was left behind by a worker that
// died.

import type { AuthorizationOptions } from '../../oidc/authorize.ts';
import type { SignInRequest } from '../../session/commands.ts';
import { problem, ProblemError, toProblem, type ProblemCode } from '../../session/problem.ts';
import type { ProviderId } from '../../session/session.ts';
import { createEndSignIn, type EndSignIn, type EndSignInParts, type OwnAttempt } from './end-sign-in.ts';
import { resumeSignIn, type ResumeSignInParts } from './resume-sign-in.ts';
import { runInWindow, type RunInWindowParts } from './run-in-window.ts';
import type { SessionStore } from './store.ts';

export type SignInFlowParts = RunInWindowParts &
  ResumeSignInParts &
  EndSignInParts & { readonly store: SessionStore };

export interface SignInFlow extends EndSignIn {
  /**
   * Starts a sign-in, or raises the window of the one that is running. Resolves when the board shows it. Throws
   * {@link ProblemError}: `unexpected` for an unknown provider; `storage-failed`, and then nothing is running.
   */
  start(providerId: ProviderId, request: SignInRequest, options: AuthorizationOptions): Promise<void>;
  /**
   * Signs the person in without a window, if that is possible and nothing else has begun meanwhile: the session is as it was,
   * and `isWanted` says so. Otherwise nothing happens. Resolves with the code of a failure, or else null. Rejects only if the
   * storage fails.
   */
  startSilently(
    providerId: ProviderId,
    options: Pick<AuthorizationOptions, 'loginHint'>,
    isWanted: () => boolean,
  ): Promise<ProblemCode | null>;
  /** Whether this worker runs a sign-in. */
  isRunning(): boolean;
  /** Whether a window is open that may be the one of the running sign-in, without proof. */
  mayHaveWindow(): boolean;
  /** Resumes, once, a sign-in that another worker started: the person has usually finished it at the provider. */
  resumeLeftOver(): void;
}

export function createSignInFlow(parts: SignInFlowParts): SignInFlow {
  const { store, tasks, providers, authWindow, signIn, device, beginSession, nowMs } = parts;
  /** The newest attempt on the board, of this worker or the last one. */
  let newest = 0;
  /** The attempt of the last worker that this one resumes. */
  let resumed = 0;
  /** The newest attempt that this worker runs or has run, with the settings that it began with. No other is on the board. */
  let own: OwnAttempt | null = null;
  store.subscribe((session) => {
    if (session.status === 'signing-in') newest = session.attempt;
  });

  const findLeftOver = () => {
    const session = store.current();
    return session.status === 'signing-in' && session.attempt !== own?.attempt ? session : null;
  };

  /** Whether the window of the sign-in, if it has one, is the last worker's. */
  const isOfLastWorker = () => !device?.hasCode() && (findLeftOver() !== null || newest === resumed);

  return {
    ...createEndSignIn(parts, () => own, isOfLastWorker),

    isRunning: () => store.current().status === 'signing-in' && findLeftOver() === null,

    mayHaveWindow: () => isOfLastWorker() || authWindow.mayStayOpen(),

    async start(providerId, request, options) {
      const leftOver = findLeftOver();
      if (leftOver !== null) {
        const { attempt } = leftOver;
        // Not awaited: a sign-out that comes meanwhile is the person's later wish. The sign-in writes the board again.
        store
          .dispatch({ type: 'sign-in-failed', attempt, problem: problem('interrupted') })
          .catch(() => undefined);
      }
      if (store.current().status === 'signing-in') {
        await authWindow.show();
        return;
      }
      const access = providers.get(providerId);
      if (access === undefined) throw new ProblemError('unexpected', `There is no provider "${providerId}".`);
      const attempt = newest + 1;
      own = { attempt, access };
      await runInWindow(parts, attempt, access, request, options);
    },

    async startSilently(providerId, options, isWanted) {
      const access = providers.get(providerId);
      const attempt = newest + 1;
      if (access === undefined) return null;
      // The person has to click, as they had to without this.
      const result = await signIn.silently(access, options).catch((error: unknown) => toProblem(error).code);
      if (typeof result === 'string') return result;
      const silent = { attempt, access, additionalScope: null };
      const isFirst = newest < attempt && store.current().status === 'signed-out';
      if (!isFirst || !isWanted() || providers.get(providerId) !== access) {
        await beginSession.discard(silent, result);
        return null;
      }
      own = { attempt, access };
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
      await beginSession.begin(silent, () => Promise.resolve(result));
      return null;
    },

    resumeLeftOver() {
      const leftOver = findLeftOver();
      if (leftOver === null) return;
      const { attempt, providerId } = leftOver;
      const access = providers.get(providerId);
      own = { attempt, access };
      resumed = attempt;
      tasks.runInBackground(resumeSignIn(parts, leftOver, access));
    },
  };
}
