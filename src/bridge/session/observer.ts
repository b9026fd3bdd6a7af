// Access to the session for any page of the extension: read it, watch it, send commands. Works with any UI framework.

import { persistence } from 'latchkey:config';
import type { Command, Reply } from '../../session/commands.ts';
import { createBoardStore, type Board, type BoardStore } from './board.ts';
import { browser } from '../browser.ts';
import { sendCommand } from './messages.ts';

export type { Board } from './board.ts';

/** The board as a page knows it: `starting` until the page has read one. */
export type BoardView = { readonly status: 'starting' } | { readonly status: 'ready'; readonly board: Board };

export interface SessionObserver {
  /** The current view. Returns the same object until the board changes. */
  getSnapshot(): BoardView;
  /** Calls `listener` after each change. Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void;
  /** Sends a command to the worker. Never rejects; see `sendCommand`. */
  send(command: Command): Promise<Reply>;
  /**
   * Asks the person to grant the host permissions of the manifest, which they can revoke in the browser's settings.
   * Call it on a click. Resolves with whether they granted them.
   */
  allowHosts(): Promise<boolean>;
  /**
   * A report for support, as text: the installation, and the worker's last steps. Works even if the worker does not
   * respond. Names no person and holds no secret.
   */
  report(): Promise<string>;
}

/** Observes the session: reads the board at once, watches it, and tells the worker that a page is open. */
export function observeSession(): SessionObserver {
  const area = persistence === 'device' ? browser.storage.local : browser.storage.session;
  const { host_permissions: origins = [] } = browser.runtime.getManifest() as { host_permissions?: string[] };
  return createSessionObserver(
    createBoardStore(area),
    (command) => sendCommand(browser.runtime, command),
    () => browser.permissions.request({ origins }),
    async (board) => {
      // Loaded on demand: few people ever need a report.
      const { writeReport } = await import('../report/write-report.ts');
      return writeReport(area, board);
    },
  );
}

/** The observer behind {@link observeSession}, with everything of the browser passed in. */
export function createSessionObserver(
  boards: BoardStore,
  send: (command: Command) => Promise<Reply>,
  allowHosts: () => Promise<boolean>,
  report: (board: Board | null) => Promise<string>,
): SessionObserver {
  let view: BoardView = { status: 'starting' };
  const listeners = new Set<() => void>();
  const show = (board: Board) => {
    view = { status: 'ready', board };
    for (const listener of listeners) listener();
  };

  let isWritten = false;
  boards.watch((board) => {
    isWritten = true;
    show(board);
  });
  const read = () =>
    boards.read().then(
      (board) => {
        // A board that was written during this read is newer.
        if (board !== null && !isWritten) show(board);
      },
      // Stay `starting`; the board is read again once the worker has replied.
      () => undefined,
    );
  const sendAndRead = async (command: Command) => {
    const reply = await send(command);
    // The worker has written a board by now. If this page missed the change, or its first read failed, read it here.
    if (reply.ok && view.status === 'starting') void read();
    return reply;
  };

  void read();
  void sendAndRead({ type: 'open' });

  return {
    getSnapshot: () => view,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    send: sendAndRead,
    allowHosts,
    report: () => report(view.status === 'ready' ? view.board : null),
  };
}
