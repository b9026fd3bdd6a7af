// The sign-ins of this worker, and the one that another worker left behind when it died: how they start and how they end.

import type { AuthorizationOptions } from '../../oidc/authorize.ts';
import type { SignInRequest } from '../../session/commands.ts';
import type { Problem } from '../../session/problem.ts';
import type { ProviderId } from '../../session/session.ts';
import { cancelSignIn, endChangedSignIn, type EndSignInParts } from './end-sign-in.ts';
import { createOwnAttempts } from './own-attempts.ts';
import { resumeSignIn, type ResumeSignInParts } from './resume-sign-in.ts';
import { startInWindow, type StartInWindowParts } from './start-in-window.ts';
import { startSilently, type StartSilentlyParts } from './start-silently.ts';
import type { SessionStore } from './store.ts';

export type SignInFlowParts = StartInWindowParts &
  StartSilentlyParts &
  ResumeSignInParts &
  EndSignInParts & { readonly store: SessionStore };

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
  const { store, tasks, authWindow } = parts;
  const ownAttempts = createOwnAttempts(store);

  /** Whether the window of the sign-in, if it has one, is the last worker's. */
  const isOfLastWorker = () => !parts.device?.hasCode() && ownAttempts.isOfOtherWorker();

  return {
    isRunning: () => store.current().status === 'signing-in' && ownAttempts.leftOver() === null,
    mayHaveWindow: () => isOfLastWorker() || authWindow.mayStayOpen(),
    start: (providerId, request, options) =>
      startInWindow(parts, ownAttempts, { providerId, request, options }),
    startSilently: (...wish) => startSilently(parts, ownAttempts, ...wish),
    resumeLeftOver() {
      const leftOver = ownAttempts.leftOver();
      if (leftOver !== null) tasks.runInBackground(resumeSignIn(parts, ownAttempts, leftOver));
    },
    cancel: () => cancelSignIn(parts, isOfLastWorker()),
    endIfChanged: (notOffered) => endChangedSignIn(parts, ownAttempts, notOffered),
  };
}
