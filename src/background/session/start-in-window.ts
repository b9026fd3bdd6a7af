// A sign-in that the person has clicked for: on the board at once, then in the sign-in window.

import type { AuthorizationOptions } from '../../oidc/authorize.ts';
import type { SignInRequest } from '../../session/commands.ts';
import { problem, ProblemError, toProblem } from '../../session/problem.ts';
import type { ProviderId } from '../../session/session.ts';
import type { AuthWindow } from '../provider/auth-window.ts';
import type { ProviderAccess } from '../provider/provider-access.ts';
import type { SignIn } from '../provider/sign-in.ts';
import type { ReopenPopup } from '../toolbar/reopen-popup.ts';
import type { Attempts } from './attempts.ts';
import { findAttempt, type BeginSession } from './begin-session.ts';
import type { DeviceSignIn } from './device-sign-in.ts';
import type { OwnAttempts } from './own-attempts.ts';
import type { SessionStore } from './store.ts';
import type { Tasks } from './tasks.ts';

export interface StartInWindowParts {
  readonly store: Pick<SessionStore, 'current' | 'dispatch'>;
  readonly tasks: Pick<Tasks, 'runInBackground'>;
  readonly providers: ReadonlyMap<ProviderId, ProviderAccess>;
  readonly attempts: Pick<Attempts, 'keep'>;
  readonly authWindow: AuthWindow;
  readonly signIn: SignIn;
  readonly device: DeviceSignIn | undefined;
  readonly beginSession: Pick<BeginSession, 'begin'>;
  readonly reopenPopup: ReopenPopup;
  readonly nowMs: () => number;
}

/** A sign-in as the person asked for it. */
interface Wish {
  readonly providerId: ProviderId;
  readonly request: SignInRequest;
  readonly options: AuthorizationOptions;
}

/**
 * Starts a sign-in, or raises the window of the one that this worker runs. Resolves when the board shows it. Throws
 * {@link ProblemError}: `unexpected` for an unknown provider; `storage-failed`, and then nothing is running.
 */
export async function startInWindow(
  parts: StartInWindowParts,
  ownAttempts: OwnAttempts,
  wish: Wish,
): Promise<void> {
  const { store, authWindow } = parts;
  const { providerId, options } = wish;
  const leftOver = ownAttempts.leftOver();
  if (leftOver !== null) {
    const { attempt } = leftOver;
    const interrupted = { type: 'sign-in-failed', attempt, problem: problem('interrupted') } as const;
    // Not awaited: a sign-out that comes meanwhile is the person's later wish. The sign-in writes the board again.
    store.dispatch(interrupted).catch(() => undefined);
  }
  if (store.current().status === 'signing-in') {
    await authWindow.show();
    return;
  }
  const access = parts.providers.get(providerId);
  if (access === undefined) throw new ProblemError('unexpected', `There is no provider "${providerId}".`);
  const attempt = ownAttempts.next();
  ownAttempts.begin(attempt, access);
  const shown = show(parts, attempt, wish);
  const isShown = shown.then(
    () => true,
    () => false,
  );
  // The request is made meanwhile. Only the window waits for the board.
  const isWanted = async () => (await isShown) && findAttempt(store, attempt) !== null;
  const { additionalScope = null } = options;
  const finished = parts.beginSession.begin({ attempt, access, additionalScope }, () =>
    parts.signIn.inWindow(access, options, isWanted),
  );
  const reopen = async () => {
    if (await isShown) await parts.reopenPopup.show();
  };
  parts.tasks.runInBackground(finished.finally(reopen));
  await shown;
}

/** Shows the sign-in on the board, so that a second click finds it. If that fails, nothing has started. */
async function show(
  { store, attempts, authWindow, device, nowMs }: StartInWindowParts,
  attempt: number,
  { providerId, request, options: { prompt, loginHint, additionalScope } }: Wish,
): Promise<void> {
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
}
