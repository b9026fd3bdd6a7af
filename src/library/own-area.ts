// Where the pages of another extension find the board.

import { browser } from '../bridge/browser.ts';
import { findBoardArea } from '../bridge/session/board-area.ts';
import type { BoardArea } from '../bridge/session/board.ts';
import { withOwnKeys } from './own-keys.ts';

/** The area of the board, under Latchkey's own keys. */
export function findOwnArea(): BoardArea {
  const { local, session } = browser.storage;
  return findBoardArea({ local: withOwnKeys(local), session: withOwnKeys(session) });
}
