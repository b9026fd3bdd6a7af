// What a worker that has just started makes of what the last one left: the board's session, and the person whose
// tokens the vault really holds.

import { problem } from './problem.ts';
import { isSamePerson, signedOut, toSignedIn, transition, type Profile, type Session } from './session.ts';

/** The person in the vault, and since when. */
export interface HeldSession {
  readonly profile: Profile;
  readonly signedInAtMs: number;
}

/**
 * The true session. The vault decides who is signed in, with one exception: a board that says signed out was
 * told so by the person, so it wins, and the vault is to be emptied. A sign-in cannot outlive its worker: it
 * has either reached the vault or is `interrupted`.
 */
export function reconcile(board: Session | null, held: HeldSession | null): Session {
  if (board === null) return held === null ? signedOut : toSignedIn(held.profile);
  switch (board.status) {
    case 'signed-out':
      return board;
    case 'signed-in':
      if (held === null) return transition(board, { type: 'session-ended', problem: problem('expired') });
      return isSamePerson(held.profile, board.profile) ? board : toSignedIn(held.profile);
    case 'signing-in': {
      if (held !== null && held.signedInAtMs >= board.startedAtMs) return toSignedIn(held.profile);
      const interrupted = transition(board, {
        type: 'sign-in-failed',
        attempt: board.attempt,
        problem: problem('interrupted'),
      });
      return interrupted.status === 'signed-in' ? reconcile(interrupted, held) : interrupted;
    }
  }
}
