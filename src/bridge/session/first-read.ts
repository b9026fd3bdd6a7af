// Reads the board before the page's code has been loaded.

import { boardKey, type BoardArea } from './board.ts';

/** The stored board, as far as a page knows it. */
type StoredBoard =
  | { readonly status: 'reading' }
  /** Not validated; undefined if nothing is stored. */
  | { readonly status: 'read'; readonly value: unknown }
  | { readonly status: 'failed' };

export interface FirstRead {
  /** The newest known value: also one that was written after the read. */
  newest(): StoredBoard;
  /** Resolves when the status is no longer `reading`. Never rejects. */
  readonly done: Promise<void>;
}

/** Starts to read the board in `area`, and watches it from now on. */
export function startFirstRead(area: BoardArea): FirstRead {
  let newest: StoredBoard = { status: 'reading' };
  area.onChanged.addListener((changes) => {
    const value = changes[boardKey]?.newValue;
    // A board is removed only where its place has changed: the new one may have been told of before.
    if (value !== undefined) newest = { status: 'read', value };
  });
  const settle = (result: StoredBoard) => {
    // A board that was written during this read is newer.
    if (newest.status === 'reading') newest = result;
  };
  const done = area.get(boardKey).then(
    (items) => settle({ status: 'read', value: items[boardKey] }),
    () => settle({ status: 'failed' }),
  );
  return { newest: () => newest, done };
}
