// The session in memory, and the only way to change it. Subscribers follow it, and the board shows it to the pages.

import type { Board, BoardStore } from '../../bridge/session/board.ts';
import { createQueue } from '../../concurrency/queue.ts';
import { ProblemError } from '../../session/problem.ts';
import { noticeOf, settledView, signedOut, type View } from '../../session/session.ts';
import { transition, type ViewEvent } from '../../session/transition.ts';

/** Called at once after each move with the new session and the one before. Must not throw. */
export type ViewListener = (session: View, before: View) => void;

export interface ViewStore {
  /** The session now. */
  current(): View;
  /** Moves the session, and calls the subscribers. Whether the event applies; one that does not moves nothing. */
  apply(event: ViewEvent): boolean;
  /**
   * Moves the session at once, calls the subscribers, and resolves when the board shows the result. An event that
   * does not apply moves nothing. Rejects with `storage-failed` if the board cannot be written; the session has
   * moved, and {@link flushBoard} writes it later.
   */
  dispatch(event: ViewEvent): Promise<void>;
  /**
   * The same, without waiting for the board, which {@link flushBoard} does. Before {@link restore} there is nothing to move.
   */
  applyFromRecord(event: ViewEvent): void;
  /**
   * Takes over the session that the last worker left, and calls the subscribers, unless the session has moved already: after a
   * start that failed, a user may sign out. The board is not written.
   */
  restore(session: View, before: View): void;
  /** Writes the board, after all writes before. A write that fails is tried twice. Rejects with `storage-failed`. */
  publish(): Promise<void>;
  /** Waits until the board is written, even if that has failed before. Never rejects: the next call tries again. */
  flushBoard(): Promise<void>;
  /** Notes that a page shows the present notice. Returns whether one has shown it before. */
  markNotice(): boolean;
  /** Calls `listener` after each move, before the board is written. Listeners are called in the order they came. */
  subscribe(listener: ViewListener): void;
}

/** A store that writes the board of `toBoard` to `boards`. It begins signed out, until {@link ViewStore.restore}. */
export function createViewStore(
  boards: Pick<BoardStore, 'write'>,
  toBoard: (session: View) => Board,
): ViewStore {
  let session: View = signedOut;
  let isRestored = false;
  let shownNotice: ReturnType<typeof noticeOf> = null;
  const listeners = new Set<ViewListener>();
  /** Boards are written in the order of their sessions, so that the newest is the last. */
  const queue = createQueue();
  /** Whether the last write has failed, or has yet to end. */
  let isBehind = false;

  const set = (next: View, before: View) => {
    isRestored = true;
    session = next;
    for (const listener of listeners) listener(next, before);
  };

  const apply = (event: ViewEvent) => {
    const next = transition(session, event);
    if (next === session) return false;
    set(next, session);
    return true;
  };

  const publish = async () => {
    const board = toBoard(session);
    try {
      await queue(async () => {
        isBehind = true;
        await boards.write(board).catch(() => boards.write(board));
        isBehind = false;
      });
    } catch (cause) {
      throw new ProblemError('storage-failed', null, { cause });
    }
  };

  return {
    current: () => session,
    apply,
    async dispatch(event) {
      if (apply(event)) await publish();
    },
    applyFromRecord(event) {
      if (isRestored && apply(event)) publish().catch(() => undefined);
    },
    restore(next, before) {
      if (isRestored) return;
      set(next, before);
    },
    publish,
    async flushBoard() {
      await queue(() => Promise.resolve());
      if (isBehind) await publish().catch(() => undefined);
    },
    markNotice() {
      const notice = noticeOf(settledView(session));
      const isRepeated = notice !== null && notice === shownNotice;
      shownNotice = notice;
      return isRepeated;
    },
    subscribe: (listener) => void listeners.add(listener),
  };
}
