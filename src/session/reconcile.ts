// Derives the session of a worker that has just started from the board and the vault that the last worker left.

import { problem } from './problem.ts';
import {
  isSamePerson,
  signedOut,
  toAccountHint,
  toSignedIn,
  type Profile,
  type Session,
  type SignedIn,
  type SignedOut,
} from './session.ts';

/** The person in the vault, and when their sign-in started, in milliseconds since the epoch. */
export interface StoredSession {
  readonly profile: Profile;
  readonly startedAtMs: number;
}

/**
 * The true session. The vault decides who is signed in, with one exception: a board that says signed out records the
 * person's wish, so it wins, and the caller empties the vault. A sign-in that has not reached the vault becomes
 * `interrupted`, unless it can be resumed.
 */
export function reconcile(board: Session | null, stored: StoredSession | null, canResume = false): Session {
  if (board === null) return stored === null ? signedOut : toSignedIn(stored.profile, stored.startedAtMs);
  if (board.status !== 'signing-in') return reconcileSettled(board, stored);
  if (stored !== null && stored.startedAtMs === board.startedAtMs)
    return toSignedIn(stored.profile, stored.startedAtMs);

  const before = reconcileSettled(board.before, stored);
  if (canResume) return { ...board, before };
  return before.problem === null ? { ...before, problem: problem('interrupted') } : before;
}

function reconcileSettled(board: SignedOut | SignedIn, stored: StoredSession | null): SignedOut | SignedIn {
  if (board.status === 'signed-out') {
    // The worker that waited for the provider's confirmation is gone.
    return board.providerSession?.status === 'ending'
      ? { ...board, providerSession: { ...board.providerSession, status: 'open' } }
      : board;
  }
  if (stored === null) {
    return { ...signedOut, problem: problem('expired'), lastAccount: toAccountHint(board.profile) };
  }
  return isSamePerson(stored.profile, board.profile) ? board : toSignedIn(stored.profile, stored.startedAtMs);
}
