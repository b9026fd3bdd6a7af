// The storage area of the board, for pages. The worker gets its own from the configuration.

import { persistence } from 'latchkey:config';
import { browser } from '../browser.ts';
import type { BoardArea } from './board.ts';

/** The area that keeps the board as long as the vault keeps the session. */
export function findBoardArea(): BoardArea {
  return persistence === 'device' ? browser.storage.local : browser.storage.session;
}
