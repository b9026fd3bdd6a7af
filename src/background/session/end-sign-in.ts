// Ends a running sign-in before it has succeeded: the person cancels it, or a policy does not allow it any more.

import { problem, type Problem } from '../../session/problem.ts';
import type { ProviderId } from '../../session/session.ts';
import type { AuthWindow } from '../provider/auth-window.ts';
import type { ProviderAccess } from '../provider/provider-access.ts';
import type { Attempts } from './attempts.ts';
import { findAttempt, type BeginSession } from './begin-session.ts';
import type { ShownNotice } from './shown-notice.ts';
import type { SessionStore } from './store.ts';

export interface EndSignInParts {
  readonly store: Pick<SessionStore, 'current' | 'dispatch'>;
  readonly providers: ReadonlyMap<ProviderId, ProviderAccess>;
  readonly attempts: Pick<Attempts, 'forget'>;
  readonly authWindow: AuthWindow;
  readonly beginSession: Pick<BeginSession, 'storing'>;
  readonly shownNotice: ShownNotice;
}

export interface EndSignIn {
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

/** An attempt of this worker, with the settings that it began with; without them if there was no such provider. */
export interface OwnAttempt {
  readonly attempt: number;
  readonly access: ProviderAccess | undefined;
}

/**
 * `newestOwn` returns the newest attempt of this worker. `isOfLastWorker` says whether the window of the sign-in, if it has
 * one, is the last worker's.
 */
export function createEndSignIn(
  { store, providers, attempts, authWindow, beginSession, shownNotice }: EndSignInParts,
  newestOwn: () => OwnAttempt | null,
  isOfLastWorker: () => boolean,
): EndSignIn {
  return {
    async cancel() {
      const session = store.current();
      const isLeftOver = isOfLastWorker();
      const isClosed = isLeftOver && (await authWindow.closeLeftOver());
      // Another sign-in may have begun meanwhile, which nobody has asked to cancel.
      if (session.status !== 'signing-in' || findAttempt(store, session.attempt) === null) return;
      const { attempt } = session;
      const stored = beginSession.storing(attempt);
      if (stored !== null) return stored;
      const isWindowLeft = isLeftOver ? !isClosed : authWindow.mayStayOpen();
      const cancelled: Problem = { ...problem('cancelled'), ...(isWindowLeft && { window: 'left-open' }) };
      const failed = store.dispatch({ type: 'sign-in-failed', attempt, problem: cancelled });
      // The page with the cancel button shows the notice at once.
      shownNotice.mark();
      // If the board cannot be written, the next worker must not resume it.
      await Promise.all([failed, attempts.forget(), authWindow.cancel()]);
    },

    async endIfChanged(notOffered) {
      const session = store.current();
      if (session.status !== 'signing-in') return;
      const { attempt } = session;
      const access = providers.get(session.providerId);
      const own = newestOwn();
      const isOwn = own?.attempt === attempt;
      if (access !== undefined && (!isOwn || access === own.access)) return;
      const stored = beginSession.storing(attempt);
      if (stored !== null) return stored;
      const reason = access === undefined ? notOffered : null;
      await Promise.all([
        store.dispatch({ type: 'sign-in-failed', attempt, problem: reason ?? problem('interrupted') }),
        attempts.forget(),
        isOwn ? authWindow.cancel() : authWindow.closeLeftOver(),
      ]);
    },
  };
}
