// The storage area of the board, for pages. The worker gets its own from the configuration and the policy.

import { persistence } from 'latchkey:config';
import { browser } from '../browser.ts';
import type { BoardArea } from './board.ts';

/**
 * The area that keeps the board as long as the worker keeps the session: the one that the configuration sets. A board that isn't
 * there is read from the other area, which a policy may have chosen. Changes in both are reported.
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
