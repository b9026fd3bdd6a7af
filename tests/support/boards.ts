// Questions of tests about a board.

import type { Board } from '../../src/bridge/session/board.ts';

/** Whether no sign-in is running. */
export function isSettled({ session }: Board): boolean {
  return session.status !== 'signing-in';
}
