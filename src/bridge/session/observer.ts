// Access to the session for any page of the extension: read it, watch it, send commands. Works with any UI framework.

import type { Command, Reply } from '../../session/commands.ts';
import { browser } from '../browser.ts';
import type { Line } from '../line/line.ts';
import { pageLine } from '../line/page-line.ts';
import { findBoardArea } from './board-area.ts';
import { sendCommand } from './messages.ts';
import { watchBoard, type BoardView, type PageBoard } from './page-board.ts';

export type { Board } from './board.ts';
export type { BoardView } from './page-board.ts';

/**
 * Longer than a browser lets an idle worker run, so that this wakes a dead worker but doesn't keep one alive, because a stuck
 * worker has to die.
 */
const pingMs = 40_000;

export interface SessionObserver extends Pick<PageBoard, 'getSnapshot' | 'subscribe'> {
  /**
   * Sends a command to the worker. Never rejects; see `sendCommand`. When it's accepted, the view already shows the board that
   * the command has led to, or a newer one.
   */
  send(command: Command): Promise<Reply>;
  /**
   * Asks the user to grant the host permissions of the manifest, which they can revoke in the browser's settings.
   * Call it on a click. Resolves with whether they granted them. Never rejects: a browser that can't ask grants nothing.
   */
  allowHosts(): Promise<boolean>;
  /**
   * A report for support, as text: the installation, and the worker's last steps. Works even if the worker doesn't
   * respond. Names no user and holds no secret.
   */
  report(): Promise<string>;
}

interface ObserverOptions {
  /** By default that of this browser. */
  readonly board?: PageBoard;
  /** Calls `run` once, when the page has been painted or won't be. */
  readonly afterPaint?: (run: () => void) => void;
  /** Brings the commands to the worker. */
  readonly line?: Line;
}

/**
 * Observes the session: reads the board, watches it, and tells the worker that a page is open. With `afterPaint`, a page that has
 * a board to show tells it after the paint, because a worker takes processor time when it wakes.
 */
export function observeSession({
  board = watchBoard(findBoardArea()),
  afterPaint = (run) => run(),
  line = pageLine(),
}: ObserverOptions = {}): SessionObserver {
  const { getSnapshot, subscribe } = board;
  const sendAndRead = async (command: Command) => {
    const reply = await sendCommand(line, command);
    // The worker has written a board by now. Firefox may report it only after the reply, and only begins to report changes some
    // time after the listener was added.
    if (reply.ok) await board.read();
    return reply;
  };

  let ping: ReturnType<typeof setInterval> | undefined;
  // If the worker dies, nothing else wakes a new one to write or correct the board.
  const keepPinging = () => {
    clearInterval(ping);
    if (isUnderWay(getSnapshot())) ping = setInterval(() => void sendAndRead({ type: 'prepare' }), pingMs);
  };
  keepPinging();
  subscribe(keepPinging);

  let isTold = false;
  /** Tells the worker that a page is open, unless it has been told. */
  const tell = () => {
    if (isTold) return;
    isTold = true;
    void sendAndRead({ type: 'open' });
  };
  // Without a board, the page has to wait for the worker.
  void board.firstRead.then(() => (getSnapshot().status === 'ready' ? afterPaint(tell) : tell()));

  return {
    getSnapshot,
    subscribe,
    send(command) {
      if (command.type === 'open') isTold = true;
      else tell();
      return sendAndRead(command);
    },
    allowHosts() {
      const manifest = browser.runtime.getManifest() as { readonly host_permissions?: string[] };
      const { host_permissions: origins = [] } = manifest;
      return browser.permissions.request({ origins }).catch(() => false);
    },
    async report() {
      // Loaded on demand: few people ever need a report.
      const { writeReport } = await import('../report/write-report.ts');
      const view = getSnapshot();
      return writeReport(board.area, view.status === 'ready' ? view.board : null);
    },
  };
}

/** Whether the page waits for the worker, or for something that ends with it. */
function isUnderWay(view: BoardView): boolean {
  if (view.status === 'starting') return true;
  const { session } = view.board;
  return (
    session.status === 'signing-in' ||
    (session.status === 'signed-out' && session.providerSession?.status === 'ending')
  );
}
