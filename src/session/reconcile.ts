// What a worker that has just started makes of what the last one left: the board's session, and the person whose
// tokens the vault really holds.

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

/** The person in the vault, and when the sign-in was started that put them there. */
export interface StoredSession {
  readonly profile: Profile;
  readonly startedAtMs: number;
}

/**
 * The true session. The vault decides who is signed in, with one exception: a board that says signed out was
 * told so by the person, so it wins, and the vault is to be emptied. A sign-in that has not reached the vault is
 * `interrupted`, unless it can be taken up.
 */
export function reconcile(board: Session | null, held: StoredSession | null, canTakeUp = false): Session {
  if (board === null) return held === null ? signedOut : toSignedIn(held.profile, held.startedAtMs);
  if (board.status !== 'signing-in') return reconcileSettled(board, held);
  if (held !== null && held.startedAtMs === board.startedAtMs)
    return toSignedIn(held.profile, held.startedAtMs);

  const before = reconcileSettled(board.before, held);
  if (canTakeUp) return { ...board, before };
  return before.problem === null ? { ...before, problem: problem('interrupted') } : before;
}

function reconcileSettled(board: SignedOut | SignedIn, held: StoredSession | null): SignedOut | SignedIn {
  if (board.status === 'signed-out') {
    // Whoever waited for the provider's word is gone.
    return board.providerSession?.status === 'ending'
      ? { ...board, providerSession: { ...board.providerSession, status: 'open' } }
      : board;
  }
  if (held === null) {
    return { ...signedOut, problem: problem('expired'), lastAccount: toAccountHint(board.profile) };
  }
  return isSamePerson(held.profile, board.profile) ? board : toSignedIn(held.profile, held.startedAtMs);
}
