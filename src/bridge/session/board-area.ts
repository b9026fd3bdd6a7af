// The storage area of the board, for pages. The worker gets its own from the configuration and the policy.

import { persistence } from 'latchkey:config';
import { browser } from '../browser.ts';
import type { BoardArea } from './board.ts';

/**
 * The area that keeps the board as long as the vault keeps the session. It's the one that the configuration chooses. What that
 * area doesn't have is read from the other one, because a policy may have chosen it. Changes of both are reported.
 */
export function findBoardArea(
  { local, session }: Readonly<Record<'local' | 'session', BoardArea>> = browser.storage,
): BoardArea {
  const [first, second] = persistence === 'device' ? [local, session] : [session, local];
  return {
    async get(key) {
      const items = await first.get(key);
      return key in items ? items : second.get(key);
    },
    onChanged: {
      addListener(listener) {
        for (const area of [first, second]) area.onChanged.addListener(listener);
      },
    },
  };
}
