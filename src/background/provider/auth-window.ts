// The sign-in window: identity.launchWebAuthFlow and the window that it opens. A browser has no way to stop a flow, so a
// flow that was cancelled before its window was known is remembered until it ends, and its window is closed once it
// proves to be ours. Windows that do not are left alone.

import type { StorageArea } from '../../bridge/storage-item.ts';
import { words } from '../../session/detail.ts';
import { ProblemError } from '../../session/problem.ts';
import { createFlowQueue } from './flow-queue.ts';
import { createOwnWindows, type Evidence, type OwnWindow, type Tab } from './own-windows.ts';
import { requireIdentity, followSilently, toUnsent, type FlowBrowser } from './silent-flow.ts';
import { createStoredWindow } from './stored-window.ts';

/** The parts of the browser that the window uses. Each is asked for at its first use, because that takes a browser time. */
export interface AuthWindowBrowser extends FlowBrowser {
  /** Missing in a browser without windows. If a flow opens one there, it can be neither raised nor closed. */
  readonly windows?: {
    update(id: number, changes: { focused: boolean }): Promise<unknown>;
    remove(id: number): Promise<void>;
  };
  readonly tabs: { query(filter: { windowType: 'popup' }): Promise<readonly Tab[]> };
}

export interface AuthWindow {
  /**
   * Opens the window at `url` and resolves with the URL that ends the flow. `evidence` proves that a window belongs to
   * this flow. `isWanted` is called at the very moment from which {@link cancel} reaches the flow, so no cancel
   * comes in between. Throws {@link ProblemError}, with `cancelled` if the flow isn't wanted, when the person closes the
   * window, and when {@link cancel} is called. `onLaunched` gets the same URL, even if the person finishes after a cancel.
   */
  open(
    url: string,
    evidence: Evidence,
    isWanted: () => boolean,
    onLaunched?: (responseUrl: Promise<string>) => void,
  ): Promise<string>;
  /** As {@link FlowQueue.whenFree}. */
  whenFree(): Promise<void>;
  /**
   * Follows the redirects of `url` without a window, and resolves with the URL that ends the flow. Throws
   * {@link ProblemError}: `expired` if the provider shows a page; `timed-out` after 15 s, and at once while a window is
   * open, with an {@link UnsentError} as the cause.
   */
  openSilently(url: string): Promise<string>;
  /** Brings the window to the front. False if it has not appeared, or if no window proves to be ours. */
  show(): Promise<boolean>;
  /**
   * Ends the running flow at once and closes its window, now or when it proves to be ours. Also closes the window that the
   * last worker left behind.
   */
  cancel(): Promise<void>;
  /** Looks whether a window is open that may be the one of the running flow, and that {@link cancel} cannot close. */
  mayStayOpen(): Promise<boolean>;
  readonly onWindowCreated: (window: {
    readonly id?: number | undefined;
    readonly type?: string | undefined;
  }) => void;
  readonly onWindowRemoved: (id: number) => void;
}

/** A flow, which stands for its window. */
interface Flow extends OwnWindow {
  /** Rejects when {@link cancel} is called. */
  readonly cancelled: Promise<never>;
  readonly cancel: () => void;
}

function createFlow(evidence: Evidence): Flow {
  let cancel = () => {};
  const cancelled = new Promise<never>((_resolve, reject) => {
    cancel = () => reject(new ProblemError('cancelled'));
  });
  return { evidence, cancelled, cancel };
}

export function createAuthWindow(browser: AuthWindowBrowser, memory: StorageArea): AuthWindow {
  let current: Flow | null = null;
  /** The newest flow, until it is cancelled and its window has been looked for one last time. */
  let wanted: OwnWindow | null = null;
  const queue = createFlowQueue();

  const close = (id: number) => {
    // Rejects if the window was closed meanwhile, which is fine.
    browser.windows?.remove(id).catch(() => undefined);
  };
  const stored = createStoredWindow(memory, close);

  const ownWindows = createOwnWindows(
    () => browser.tabs.query({ windowType: 'popup' }),
    (window) => wanted === window,
    (window, id) => {
      if (current === window) stored.keep(id);
      else abandon(window);
    },
  );

  /** Closes the window of a cancelled flow, once. */
  const abandon = (window: OwnWindow) => {
    const id = ownWindows.idOf(window);
    if (id === null) return;
    ownWindows.forget(window);
    close(id);
  };

  const closeCancelled = async (window: OwnWindow) => {
    await ownWindows.look();
    if (wanted === window) wanted = null;
    if (ownWindows.idOf(window) === null) return;
    await stored.forget();
    abandon(window);
  };

  const launch = async (flow: Flow, url: string) => {
    ownWindows.expect(flow);
    try {
      return await requireIdentity(browser).launchWebAuthFlow({ url, interactive: true });
    } finally {
      ownWindows.forget(flow);
    }
  };

  return {
    async open(url, evidence, isWanted, onLaunched) {
      if (!isWanted()) throw new ProblemError('cancelled');
      const flow = createFlow(evidence);
      current = flow;
      wanted = flow;
      try {
        const launched = queue.launch(
          () => launch(flow, url),
          () => current === flow,
        );
        onLaunched?.(launched);
        return await Promise.race([launched.then(requireUrl), flow.cancelled]);
      } finally {
        if (current === flow) {
          current = null;
          void stored.forget();
        }
      }
    },

    whenFree: queue.whenFree,

    async openSilently(url) {
      // In Firefox it could replace the cookies of the login that the person is in the middle of.
      if (current !== null) throw toUnsent();
      return requireUrl(await followSilently(browser, url));
    },

    async show() {
      await ownWindows.look();
      const id = current === null ? null : ownWindows.idOf(current);
      if (id === null || !browser.windows) return false;
      return browser.windows.update(id, { focused: true }).then(...asBoolean);
    },

    async cancel() {
      const flow = current;
      current = null;
      flow?.cancel();
      await Promise.all([flow && closeCancelled(flow), stored.closeOfLastWorker()]);
    },

    mayStayOpen: async () => current !== null && (!browser.windows || ownWindows.mayBeOpen(current)),

    onWindowCreated({ id, type }) {
      if (id !== undefined && type === 'popup') ownWindows.onCreated(id);
    },

    onWindowRemoved: ownWindows.onRemoved,
  };
}

function requireUrl(responseUrl: string): string {
  if (!responseUrl) throw new ProblemError('unexpected', words`The sign-in window ended with no URL.`);
  return responseUrl;
}

/** Rejects if the window was closed meanwhile. */
const asBoolean = [() => true, () => false] as const;
