// The session for any page of the extension: read it, watch it, command it. It knows no framework.

import { persistence } from 'latchkey:config';
import type { Command, Reply } from '../../session/commands.ts';
import { createBoardStore, type Board, type BoardStore } from './board.ts';
import { browser } from '../browser.ts';
import { sendCommand } from './messages.ts';

export type { Board } from './board.ts';

export type BoardView = { readonly status: 'starting' } | { readonly status: 'ready'; readonly board: Board };

export interface SessionObserver {
  /** What is known now; the same object until it changes. */
  getSnapshot(): BoardView;
  /** Calls `listener` after each change; returns what ends it. */
  subscribe(listener: () => void): () => void;
  /** Sends a command to the worker. Never rejects. */
  send(command: Command): Promise<Reply>;
  /**
   * Asks the person to let the extension reach the hosts that it is configured for, which they can take away from
   * it. To be called on a click. Whether they did.
   */
  allowHosts(): Promise<boolean>;
  /**
   * A report for whoever helps, as text: what is installed where, and the last steps of the worker, which need not
   * answer for it. It names no person, and holds no secret.
   */
  report(): Promise<string>;
}

/** Reads the board at once, watches it from then on, and tells the worker that a page is open. */
export function observeSession(): SessionObserver {
  const area = persistence === 'device' ? browser.storage.local : browser.storage.session;
  const { host_permissions: origins = [] } = browser.runtime.getManifest() as { host_permissions?: string[] };
  return createSessionObserver(
    createBoardStore(area),
    (command) => sendCommand(browser.runtime, command),
    () => browser.permissions.request({ origins }),
    async (board) => {
      // Few ask for one, and nobody else waits for the code of it.
      const { writeReport } = await import('../report/write-report.ts');
      return writeReport(area, board);
    },
  );
}

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

  let written = false;
  boards.watch((board) => {
    written = true;
    show(board);
  });
  const read = () =>
    boards.read().then(
      (board) => {
        // A board that was written while this one was on its way is newer.
        if (board !== null && !written) show(board);
      },
      // The page stays `starting`, and reads again when the worker has answered.
      () => undefined,
    );
  const sendAndSee = async (command: Command) => {
    const reply = await send(command);
    // By now there is a board. Where it is the one that could not be read before, nothing tells that it is there.
    if (reply.ok && view.status === 'starting') void read();
    return reply;
  };

  void read();
  void sendAndSee({ type: 'open' });

  return {
    getSnapshot: () => view,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    send: sendAndSee,
    allowHosts,
    report: () => report(view.status === 'ready' ? view.board : null),
  };
}
