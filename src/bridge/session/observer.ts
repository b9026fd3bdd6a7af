// Access to the session for any page of the extension: read it, watch it, send commands. Works with any UI framework.

import { withTimeout } from '../../concurrency/timeout.ts';
import type { Command, Reply } from '../../session/commands.ts';
import type { Session } from '../../session/session.ts';
import { browser } from '../browser.ts';
import { findBoardArea } from './board-area.ts';
import { createBoardStore, parseBoard, type Board, type BoardArea, type BoardStore } from './board.ts';
import type { FirstRead } from './first-read.ts';
import type { Line } from '../line/line.ts';
import { pageLine } from '../line/page-line.ts';
import { sendCommand } from './messages.ts';

export type { Board } from './board.ts';

/**
 * Longer than a browser lets an idle worker run, so that this wakes a dead worker but doesn't keep one alive, because a stuck
 * worker has to die.
 */
const pingMs = 40_000;

/** A storage takes some milliseconds, and longer while the browser starts. */
const maxReadMs = 2_000;

/** The board as a page knows it: `starting` until the page has read one. */
export type BoardView = { readonly status: 'starting' } | { readonly status: 'ready'; readonly board: Board };

export interface SessionObserver {
  /** The current view. Returns the same object until the board changes. */
  getSnapshot(): BoardView;
  /**
   * Calls `listener` after each change. Returns a function that unsubscribes. An error that a listener throws goes to the
   * page's `error` event.
   */
  subscribe(listener: () => void): () => void;
  /**
   * Sends a command to the worker. Never rejects; see `sendCommand`. When it's accepted, the view already shows the board that
   * the command has led to, or a newer one.
   */
  send(command: Command): Promise<Reply>;
  /**
   * Asks the person to grant the host permissions of the manifest, which they can revoke in the browser's settings.
   * Call it on a click. Resolves with whether they granted them. Never rejects: a browser that cannot ask grants nothing.
   */
  allowHosts(): Promise<boolean>;
  /**
   * A report for support, as text: the installation, and the worker's last steps. Works even if the worker does not
   * respond. Names no person and holds no secret.
   */
  report(): Promise<string>;
}

/** The part of the manifest that an observer uses. */
interface Manifest {
  readonly host_permissions?: string[];
}

/** The start of a page that has to be painted early. */
interface PageStart {
  /** A read of the board that began before the page's code was loaded. */
  readonly firstRead: FirstRead;
  /** Calls `run` once, when the page has been painted or will not be. */
  readonly afterPaint: (run: () => void) => void;
}

/**
 * Observes the session: reads the board at once, watches it, and tells the worker that a page is open. With a `start`
 * the worker is told after the paint, because it takes processor time when it wakes. `area` holds the board, and `line` brings
 * the commands.
 */
export function observeSession(
  start?: PageStart,
  area: BoardArea = findBoardArea(),
  line: Line = pageLine(),
): SessionObserver {
  return createSessionObserver(
    createBoardStore(area),
    (command) => sendCommand(line, command),
    () => {
      const { host_permissions: origins = [] } = browser.runtime.getManifest() as Manifest;
      return browser.permissions.request({ origins }).catch(() => false);
    },
    async (board) => {
      // Loaded on demand: few people ever need a report.
      const { writeReport } = await import('../report/write-report.ts');
      return writeReport(area, board);
    },
    start,
  );
}

/** The observer behind {@link observeSession}, with everything of the browser passed in. */
export function createSessionObserver(
  boards: BoardStore,
  send: (command: Command) => Promise<Reply>,
  allowHosts: () => Promise<boolean>,
  report: (board: Board | null) => Promise<string>,
  start?: PageStart,
): SessionObserver {
  let view: BoardView = { status: 'starting' };
  const listeners = new Set<() => void>();
  /** The board of the view as text, whose members are in the order of the schema. */
  let shown = '';
  // If the worker dies, nothing else wakes another one to write the board, or to correct it.
  const wake = () => void sendAndRead({ type: 'prepare' });
  let ping = setInterval(wake, pingMs);
  const show = (board: Board) => {
    shown = JSON.stringify(board);
    view = { status: 'ready', board };
    clearInterval(ping);
    if (isUnderWay(board.session)) ping = setInterval(wake, pingMs);
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
  /**
   * Reads the board, and shows it unless a later read was quicker. If none can be read, it shows `told`. Without either, the view
   * stays as it is, because the board is read again once the worker has replied.
   */
  const read = async (told: Board | null = null) => {
    reads += 1;
    const own = reads;
    const found = withTimeout(boards.read(), maxReadMs, () => null);
    const board = (await found.catch(() => null)) ?? told;
    if (board === null || own < newestRead) return;
    newestRead = own;
    if (JSON.stringify(board) !== shown) show(board);
  };
  // Firefox may report a change when a newer board has already been read.
  boards.watch((board) => void read(board));
  const sendAndRead = async (command: Command) => {
    const reply = await send(command);
    // The worker has written a board by now. Firefox may report it only after the reply, and only begins to report changes some
    // time after the listener was added.
    if (reply.ok) await read();
    return reply;
  };

  let isTold = false;
  /** Tells the worker that a page is open, unless it has been told. */
  const tell = () => {
    if (isTold) return;
    isTold = true;
    void sendAndRead({ type: 'open' });
  };

  /** Shows the board of the first read, at once if it is there. Without a valid one, the page has to wait for the worker. */
  async function begin({ firstRead, afterPaint }: PageStart): Promise<void> {
    if (firstRead.newest().status === 'reading') await firstRead.done;
    const newest = firstRead.newest();
    const board = newest.status === 'read' ? parseBoard(newest.value) : null;
    // Otherwise it has been read again in the meantime.
    if (board !== null && view.status === 'starting') show(board);
    if (view.status === 'ready') afterPaint(tell);
    else tell();
  }

  if (start === undefined) {
    void read();
    tell();
  } else {
    void begin(start);
  }

  return {
    getSnapshot: () => view,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    send(command) {
      if (command.type === 'open') isTold = true;
      else tell();
      return sendAndRead(command);
    },
    allowHosts,
    report: () => report(view.status === 'ready' ? view.board : null),
  };
}

/** Whether the board waits for something that ends with the worker. */
function isUnderWay(session: Session): boolean {
  return (
    session.status === 'signing-in' ||
    (session.status === 'signed-out' && session.providerSession?.status === 'ending')
  );
}
