// The board on a page of the extension: it's read at once, before the rest of the page's code is there, and after each change.

import { withTimeout } from '../../concurrency.ts';
import { boardKey, parseBoard, readBoard, type Board, type BoardArea } from './board.ts';

/** A storage takes some milliseconds, and longer while the browser starts. */
const maxReadMs = 2_000;

/** The board as a page knows it: `starting` until the page has read one. */
export type BoardView = { readonly status: 'starting' } | { readonly status: 'ready'; readonly board: Board };

export type PageBoard = ReturnType<typeof watchBoard>;

/** Reads the board in `area`, and watches it as long as the page lives. */
export function watchBoard(area: BoardArea) {
  let view: BoardView = { status: 'starting' };
  const listeners = new Set<() => void>();
  const show = (next: BoardView) => {
    view = next;
    for (const listener of listeners) {
      try {
        listener();
      } catch (error) {
        // The others and the sender of a command have no part in it.
        reportError(error);
      }
    }
  };

  let reads = 0;
  let newestRead = 0;
  /** Reads the board, and shows it unless a later read was quicker. If none can be read, it shows `told`. */
  const read = async (told: Board | null = null) => {
    reads += 1;
    const own = reads;
    const found = withTimeout(readBoard(area), maxReadMs, () => null);
    const board = (await found.catch(() => null)) ?? told;
    if (board === null || own < newestRead) return;
    newestRead = own;
    const next: BoardView = { status: 'ready', board };
    // The members of both boards are in the order of the schema.
    if (JSON.stringify(next) !== JSON.stringify(view)) show(next);
  };
  area.onChanged.addListener((changes) => {
    // Firefox may report a change when a newer board has already been read.
    if (boardKey in changes) void read(parseBoard(changes[boardKey]?.newValue));
  });

  return {
    area,
    /** The current view. Returns the same object until the board changes. */
    getSnapshot: () => view,
    /**
     * Calls `listener` after each change. Returns a function that unsubscribes. An error that a listener throws goes to the
     * page's `error` event.
     */
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Resolves when the first read has ended. Never rejects. */
    firstRead: read(),
    /** Reads the board again. Never rejects: the view stays as it is if no board can be read. */
    read: () => read(),
  };
}
