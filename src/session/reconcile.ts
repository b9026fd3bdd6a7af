// Derives the session of a worker that has just started from the board and the record that the last worker left.

import { problem } from './problem.ts';
import {
  afterFailure,
  isSamePerson,
  settledSession,
  signedOut,
  toAccountHint,
  toSignedIn,
  type Profile,
  type Session,
  type SignedIn,
  type SignedOut,
} from './session.ts';

/** The person in the record, and when their sign-in started, in milliseconds since the epoch. */
export interface StoredSession {
  readonly profile: Profile;
  readonly startedAtMs: number;
}

/**
 * The true session. The record decides who is signed in, and `isSignedOutOnPurpose` whether a person who is not has signed out.
 * A sign-in that has not reached the record becomes `interrupted`, unless it goes on.
 */
export function reconcile(
  board: Session | null,
  stored: StoredSession | null,
  isSignedOutOnPurpose: boolean,
  goesOn = false,
): Session {
  const before = settle(board && settledSession(board), stored, isSignedOutOnPurpose);
  if (board?.status !== 'signing-in' || stored?.startedAtMs === board.startedAtMs) return before;
  if (goesOn) return { ...board, before };
  return before.problem === null ? afterFailure({ ...board, before }, problem('interrupted')) : before;
}

function settle(
  board: SignedOut | SignedIn | null,
  stored: StoredSession | null,
  isSignedOutOnPurpose: boolean,
): SignedOut | SignedIn {
  if (stored !== null) {
    // The same person may have signed in once more, which the board doesn't show yet.
    const isShown =
      board?.status === 'signed-in' &&
      board.sinceMs === stored.startedAtMs &&
      isSamePerson(stored.profile, board.profile);
    return isShown ? board : toSignedIn(stored.profile, stored.startedAtMs);
  }
  if (board?.status === 'signed-in') {
    if (isSignedOutOnPurpose) return signedOut;
    return { ...signedOut, problem: problem('expired'), lastAccount: toAccountHint(board.profile) };
  }
  // The worker that waited for the provider's confirmation is gone.
  return board?.providerSession?.status === 'ending'
    ? { ...board, providerSession: { ...board.providerSession, status: 'open' } }
    : (board ?? signedOut);
}
