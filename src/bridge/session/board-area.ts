// The storage area of the board, for pages. The worker gets its own from the configuration and the policy.

import { persistence } from 'latchkey:config';
import { browser } from '../browser.ts';
import type { BoardArea } from './board.ts';
import { eitherArea } from './either-area.ts';

/**
 * The area that keeps the board as long as the vault keeps the session. It's the one that the configuration chooses. If that
 * area has no board, it's the other one, because a policy may have chosen it.
 */
export function findBoardArea(
  { local, session }: Readonly<Record<'local' | 'session', BoardArea>> = browser.storage,
): BoardArea {
  return persistence === 'device' ? eitherArea(local, session) : eitherArea(session, local);
}
