// A sign-in that the person has clicked for: on the board at once, then in the sign-in window.

import type { AuthorizationOptions } from '../../oidc/authorize.ts';
import type { SignInRequest } from '../../session/commands.ts';
import { toProblem } from '../../session/problem.ts';
import type { AuthWindow } from '../provider/auth-window.ts';
import type { ProviderAccess } from '../provider/provider-access.ts';
import type { SignIn } from '../provider/sign-in.ts';
import type { ReopenPopup } from '../toolbar/reopen-popup.ts';
import { findAttempt, type BeginSession } from './begin-session.ts';
import type { DeviceSignIn } from './device-sign-in.ts';
import type { SessionStore } from './store.ts';
import type { Tasks } from './tasks.ts';

export interface RunInWindowParts {
  readonly store: Pick<SessionStore, 'current' | 'dispatch'>;
  readonly tasks: Pick<Tasks, 'runInBackground'>;
  readonly authWindow: AuthWindow;
  readonly signIn: SignIn;
  readonly device: DeviceSignIn | undefined;
  readonly beginSession: Pick<BeginSession, 'begin'>;
  readonly reopenPopup: ReopenPopup;
  readonly nowMs: () => number;
}

/**
 * Runs the attempt in the sign-in window, in the background, and opens the popup again at its end. Resolves when the board
 * shows the attempt, so that a second click finds it. Throws {@link ProblemError} `storage-failed` if it cannot be shown, and
 * then nothing is running.
 */
export async function runInWindow(
  { store, tasks, authWindow, signIn, device, beginSession, reopenPopup, nowMs }: RunInWindowParts,
  attempt: string,
  access: ProviderAccess,
  request: SignInRequest,
  options: AuthorizationOptions,
): Promise<void> {
  const { additionalScope = null } = options;
  const providerId = access.client.provider.id;
  const startedAtMs = nowMs();
  const show = async () => {
    // The session moves before anything is awaited.
    const shown = store.dispatch({
      type: 'sign-in-started',
      providerId,
      request,
      attempt,
      startedAtMs,
      ...device?.firstView(providerId),
    });
    try {
      // The window of a sign-out may be open, and nobody waits for it any more.
      await Promise.all([shown, authWindow.cancel()]);
    } catch (error) {
      await store
        .dispatch({ type: 'sign-in-failed', attempt, problem: toProblem(error) })
        .catch(() => undefined);
      throw error;
    }
  };

  const shown = show();
  const isShown = shown.then(
    () => true,
    () => false,
  );
  // The request is made meanwhile. Only the window waits for the board.
  const isWanted = async () => (await isShown) && findAttempt(store, attempt) !== null;
  const finished = beginSession.begin({ attempt, access, additionalScope }, () =>
    signIn.inWindow(access, options, isWanted),
  );
  const reopen = async () => {
    if (await isShown) await reopenPopup.show();
  };
  tasks.runInBackground(finished.finally(reopen));
  await shown;
}
