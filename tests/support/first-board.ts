import type { Board } from '../../src/bridge/session/board.ts';
import { signedOut } from '../../src/session/view.ts';

/** The board of a new installation: signed out, providers as built. */
export function firstBoard(providers: Board['providers']): Board {
  return { version: 1, session: signedOut, providers, managed: false };
}
