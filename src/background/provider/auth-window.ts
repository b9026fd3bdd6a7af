// The sign-in window: identity.launchWebAuthFlow and the window that it opens. A browser has no way to stop a flow, so a
// flow that was cancelled before its window was known is remembered until it ends, and its window is closed once it
// proves to be ours. Windows that do not are left alone.

import * as v from 'valibot';
import { createStorageItem, type StorageArea } from '../../bridge/storage-item.ts';
import { withTimeout } from '../../concurrency/timeout.ts';
import { UnsentError } from '../../oidc/exchange.ts';
import { ProblemError } from '../../session/problem.ts';
import { createOwnWindows, type Evidence, type OwnWindow, type Tab } from './own-windows.ts';
import { isOccupied, toWindowProblem } from './window-problem.ts';

interface FlowDetails {
  readonly url: string;
  readonly interactive: boolean;
  readonly timeoutMsForNonInteractive?: number;
}

/** The parts of the browser that the window uses. Each is asked for at its first use, because that takes a browser time. */
export interface AuthWindowBrowser {
  readonly identity: {
    launchWebAuthFlow(details: FlowDetails): Promise<string>;
  };
  readonly windows: {
    update(id: number, changes: { focused: boolean }): Promise<unknown>;
    remove(id: number): Promise<void>;
  };
  readonly tabs: { query(filter: { windowType: 'popup' }): Promise<readonly Tab[]> };
  readonly runtime: {
    /** Firefox alone has this. */
    getBrowserInfo?(): Promise<unknown>;
  };
}

export interface AuthWindow {
  /**
   * Opens the window at `url` and resolves with the URL that ends the flow. `evidence` is what proves that a window is
   * the one of this flow. Throws {@link ProblemError}, with `cancelled` when the person closes the window or
   * {@link cancel} is called.
   */
  open(url: string, evidence: Evidence): Promise<string>;
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
  /** Whether a window is open that may be the one of the running flow, and that {@link cancel} cannot close. */
  mayStayOpen(): boolean;
  /** Closes the window that the last worker left behind. False if none is known. */
  closeLeftOver(): Promise<boolean>;
  readonly onWindowCreated: (window: {
    readonly id?: number | undefined;
    readonly type?: string | undefined;
  }) => void;
  readonly onWindowRemoved: (id: number) => void;
}

/** How long a flow waits for the end of those that were cancelled before. A page that hangs may never end. */
const maxWaitMs = 10_000;

/** The longest wait for the redirects of a silent sign-in. */
const silentTimeoutMs = 15_000;

interface Flow {
  readonly window: OwnWindow;
  /** Rejects with `cancelled` when {@link cancel} is called, and never settles otherwise. */
  readonly cancelled: Promise<never>;
  readonly cancel: () => void;
}

function createFlow(window: OwnWindow): Flow {
  let cancel: () => void = () => undefined;
  const cancelled = new Promise<never>((_resolve, reject) => {
    cancel = () => reject(new ProblemError('cancelled'));
  });
  return { window, cancelled, cancel };
}

export function createAuthWindow(browser: AuthWindowBrowser, memory: StorageArea): AuthWindow {
  /** Chromium can limit a silent flow. Firefox refuses a flow with a member that it does not know. */
  const limitsSilentFlows = browser.runtime.getBrowserInfo === undefined;
  /** The window's id, stored because the window survives its worker. */
  const storedId = createStorageItem(memory, 'auth-window', v.number());
  /** Whose window's id may be stored. `none` if no id is: neither the last worker nor this one has left one behind. */
  let stored: 'last-worker' | 'this-worker' | 'none' = 'last-worker';
  let current: Flow | null = null;
  /** The newest flow's window, until that flow is cancelled and its window was looked for once more. */
  let wanted: OwnWindow | null = null;

  /** The launched flows that the browser has not ended. */
  const unsettled = new Set<Promise<unknown>>();

  const close = (id: number) =>
    // Rejects if the window was closed meanwhile, which is fine.
    browser.windows.remove(id).catch(() => undefined);

  // Best effort: without the id the next worker leaves the window alone.
  const forgetStored = () => {
    stored = 'none';
    return storedId.remove().catch(() => undefined);
  };

  const ownWindows = createOwnWindows(
    () => browser.tabs.query({ windowType: 'popup' }),
    (window) => wanted === window,
    (window, id) => {
      if (current?.window !== window) abandon(window);
      else {
        stored = 'this-worker';
        void storedId.write(id).catch(() => undefined);
      }
    },
  );

  /** Closes the window of a cancelled flow, once. */
  const abandon = (window: OwnWindow) => {
    const id = ownWindows.idOf(window);
    if (id === null) return;
    ownWindows.forget(window);
    void close(id);
  };

  const closeLeftOver = async () => {
    // A storage that cannot be read is read again for the next flow.
    const id = await storedId.read().catch(() => undefined);
    if (id === null) stored = 'none';
    if (typeof id !== 'number') return false;
    await forgetStored();
    await close(id);
    return true;
  };

  const closeCancelled = async (window: OwnWindow) => {
    await ownWindows.look();
    if (wanted === window) wanted = null;
    if (ownWindows.idOf(window) === null) return;
    await forgetStored();
    abandon(window);
  };

  /** Launches the flow when the browser admits it. Throws `cancelled` if the flow was cancelled by then. */
  const launch = async (flow: Flow, url: string): Promise<string> => {
    if (stored !== 'none') await closeLeftOver();
    // Firefox has one window for all flows: a late flow takes it over, and both end as if the person had closed it.
    await withTimeout(Promise.all(unsettled), maxWaitMs, () => undefined);
    for (;;) {
      const before = [...unsettled];
      if (current !== flow) throw new ProblemError('cancelled');
      const settled = launchNow(flow.window, url);
      unsettled.add(settled);
      const result = await settled;
      unsettled.delete(settled);
      if (result.status === 'fulfilled') return result.value;
      // Chromium has one flow at a time. If one of ours that was cancelled is in the way, it is worth waiting for its end.
      if (before.length === 0 || !isOccupied(result.reason)) throw toWindowProblem(result.reason);
      await Promise.race(before);
    }
  };

  const launchNow = async (window: OwnWindow, url: string) => {
    ownWindows.expect(window);
    const [result] = await Promise.allSettled([
      browser.identity.launchWebAuthFlow({ url, interactive: true }),
    ]);
    ownWindows.forget(window);
    return result;
  };

  return {
    closeLeftOver,

    async open(url, evidence) {
      const window: OwnWindow = { evidence };
      const flow = createFlow(window);
      current = flow;
      wanted = window;
      try {
        return expectUrl(await Promise.race([launch(flow, url), flow.cancelled]));
      } finally {
        if (current === flow) {
          current = null;
          void forgetStored();
        }
      }
    },

    async openSilently(url) {
      // Chromium would refuse it. In Firefox it could replace the cookies of the login that the person is busy with.
      if (current !== null) throw toUnsent();
      const launched = browser.identity.launchWebAuthFlow({
        url,
        interactive: false,
        ...(limitsSilentFlows && { timeoutMsForNonInteractive: silentTimeoutMs }),
      });
      return expectUrl(
        await withTimeout(launched.catch(throwSilentProblem), silentTimeoutMs, () => {
          throw new ProblemError('timed-out', 'The silent sign-in.');
        }),
      );
    },

    async show() {
      await ownWindows.look();
      const id = current === null ? null : ownWindows.idOf(current.window);
      if (id === null) return false;
      return browser.windows.update(id, { focused: true }).then(
        () => true,
        // It was closed meanwhile.
        () => false,
      );
    },

    async cancel() {
      const flow = current;
      current = null;
      flow?.cancel();
      await Promise.all([
        flow && closeCancelled(flow.window),
        stored === 'last-worker' ? closeLeftOver() : null,
      ]);
    },

    mayStayOpen: () => current !== null && ownWindows.mayBeOpen(current.window),

    onWindowCreated({ id, type }) {
      if (id !== undefined && type === 'popup') ownWindows.onCreated(id);
    },

    onWindowRemoved: ownWindows.onRemoved,
  };
}

function throwSilentProblem(error: unknown): never {
  throw isOccupied(error) ? toUnsent() : toWindowProblem(error);
}

function toUnsent(): ProblemError {
  return new ProblemError('timed-out', 'A sign-in window is open.', { cause: new UnsentError() });
}

function expectUrl(responseUrl: string): string {
  if (!responseUrl) throw new ProblemError('unexpected', 'The sign-in window ended with no URL.');
  return responseUrl;
}
