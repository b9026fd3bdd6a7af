// The sign-in window: identity.launchWebAuthFlow and the window that it opens. A browser has no way to stop a flow, so a
// flow that was cancelled before its window was known is remembered until it ends, and its window is closed once it
// proves to be ours. Windows that do not are left alone.

import * as v from 'valibot';
import { createStorageItem, type StorageArea } from '../../bridge/storage-item.ts';
import { withTimeout } from '../../concurrency/timeout.ts';
import { UnsentError } from '../../oidc/exchange.ts';
import { detail } from '../../session/detail.ts';
import { ProblemError } from '../../session/problem.ts';
import { createOwnWindows, type Evidence, type Tab } from './own-windows.ts';
import { isOccupied, toWindowProblem } from './window-problem.ts';

/** The parts of the browser that the window uses. Each is asked for at its first use, because that takes a browser time. */
export interface AuthWindowBrowser {
  /** Missing in Firefox for Android. */
  readonly identity?: {
    launchWebAuthFlow(details: {
      readonly url: string;
      readonly interactive: boolean;
      readonly timeoutMsForNonInteractive?: number;
    }): Promise<string>;
  };
  readonly runtime: {
    /** Firefox alone has this. */
    getBrowserInfo?(): Promise<unknown>;
  };
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
   * comes in between. Throws {@link ProblemError}, with `cancelled` if the flow isn't wanted, when the user closes the
   * window, and when {@link cancel} is called. `onLaunched` gets the same URL, even if the user finishes after a cancel.
   */
  open(
    url: string,
    evidence: Evidence,
    isWanted: () => boolean,
    onLaunched?: (responseUrl: Promise<string>) => void,
  ): Promise<string>;
  /**
   * Resolves when the flows that were cancelled have ended, or after ten seconds. Later calls don't wait for one that has not
   * ended by then. Never rejects.
   */
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

/** How long a flow waits for the end of those that were cancelled before. A page that hangs may never end. */
const maxWaitMs = 10_000;

/** How long the redirects of a silent sign-in may take. */
const silentTimeoutMs = 15_000;

export function createAuthWindow(browser: AuthWindowBrowser, memory: StorageArea): AuthWindow {
  let current: { readonly evidence: Evidence; readonly cancel: () => void } | null = null;
  /** The launched flows that the browser has not ended. */
  const unsettled = new Set<Promise<unknown>>();
  const stored = createStoredWindow(memory);

  const isCurrent = (flow: Evidence) => current?.evidence === flow;

  /** Closes a window that proved to be ours. If it was closed meanwhile, that's fine. */
  const close = (id: number) => void browser.windows?.remove(id).catch(() => undefined);

  /** Closes the window of a cancelled flow, once. */
  const abandon = (flow: Evidence) => {
    const id = ownWindows.idOf(flow);
    if (id === null) return;
    ownWindows.forget(flow);
    close(id);
  };

  const ownWindows = createOwnWindows(
    () => browser.tabs.query({ windowType: 'popup' }),
    () => current?.evidence ?? null,
    (flow, id) => void (isCurrent(flow) ? stored.set(id) : abandon(flow)),
  );

  const closeStored = async () => {
    const id = await stored.take();
    if (id !== null) close(id);
  };

  const whenFree = async () => {
    await withTimeout(Promise.all(unsettled), maxWaitMs, () => unsettled.clear());
  };

  /** Launches a flow when those that were cancelled have ended. Chromium has one flow at a time. */
  const launch = async (flow: Evidence, url: string) => {
    // Firefox has one window for all flows: a late flow takes it over, and both end as if the user had closed it.
    await whenFree();
    if (!isCurrent(flow)) throw new ProblemError('cancelled');
    const identity = requireIdentity(browser);
    ownWindows.expect(flow);
    const settled = Promise.allSettled([identity.launchWebAuthFlow({ url, interactive: true })]);
    unsettled.add(settled);
    const [result] = await settled;
    unsettled.delete(settled);
    ownWindows.forget(flow);
    if (result.status === 'rejected') throw toWindowProblem(result.reason);
    return result.value;
  };

  return {
    open: (url, evidence, isWanted, onLaunched) =>
      new Promise((resolve, reject) => {
        const cancelled = new ProblemError('cancelled');
        if (!isWanted()) throw cancelled;
        current = { evidence, cancel: () => reject(cancelled) };
        const launched = launch(evidence, url);
        onLaunched?.(launched);
        const end = () => {
          if (!isCurrent(evidence)) return;
          current = null;
          void stored.set(null);
        };
        launched.then(requireUrl).finally(end).then(resolve, reject);
      }),

    whenFree,

    async openSilently(url) {
      // In Firefox it could replace the cookies of the login that the user is in the middle of.
      if (current !== null) throw toUnsent();
      return requireUrl(await followSilently(browser, url));
    },

    async show() {
      await ownWindows.look(current?.evidence ?? null);
      const id = current && ownWindows.idOf(current.evidence);
      if (id === null || !browser.windows) return false;
      return browser.windows.update(id, { focused: true }).then(...asBoolean);
    },

    async cancel() {
      const flow = current;
      current = null;
      flow?.cancel();
      // Read at once, before the next flow stores its own.
      await Promise.all([closeStored(), flow && ownWindows.look(flow.evidence)]);
      if (flow) abandon(flow.evidence);
    },

    mayStayOpen: async () => current !== null && (!browser.windows || ownWindows.mayBeOpen(current.evidence)),

    onWindowCreated({ id, type }) {
      if (id !== undefined && type === 'popup') ownWindows.onCreated(id);
    },

    onWindowRemoved: ownWindows.onRemoved,
  };
}

/** The window of the running flow. It survives its worker, so that the next one can close it. Best effort. */
function createStoredWindow(memory: StorageArea) {
  const item = createStorageItem(memory, 'auth-window', v.number());
  const set = (id: number | null) => (id === null ? item.remove() : item.write(id)).catch(() => undefined);
  return {
    set,
    async take(): Promise<number | null> {
      const id = await item.read().catch(() => null);
      if (id !== null) await set(null);
      return id;
    },
  };
}

/** The browser's sign-in window. Throws {@link ProblemError} `not-supported` where there is none. */
export function requireIdentity<Identity>({ identity }: { readonly identity?: Identity }): Identity {
  if (!identity) throw new ProblemError('not-supported');
  return identity;
}

/** Resolves with the URL that ends the flow. Throws {@link ProblemError}: `expired` if the provider shows a page. */
async function followSilently(browser: AuthWindowBrowser, url: string): Promise<string> {
  const launched = requireIdentity(browser).launchWebAuthFlow({
    url,
    interactive: false,
    // Chromium can limit a silent flow. Firefox refuses a flow with a member that it does not know.
    ...(browser.runtime.getBrowserInfo === undefined && { timeoutMsForNonInteractive: silentTimeoutMs }),
  });
  const toSilentProblem = (error: unknown) => {
    throw isOccupied(error) ? toUnsent() : toWindowProblem(error);
  };
  return withTimeout(launched.catch(toSilentProblem), silentTimeoutMs, () => {
    throw new ProblemError('timed-out', detail`The silent sign-in.`);
  });
}

/** The problem of a silent flow that cannot begin while a window is open. */
function toUnsent(): ProblemError {
  return new ProblemError('timed-out', detail`A sign-in window is open.`, { cause: new UnsentError() });
}

function requireUrl(responseUrl: string): string {
  if (!responseUrl) throw new ProblemError('unexpected', detail`The sign-in window ended with no URL.`);
  return responseUrl;
}

/** Rejects if the window was closed meanwhile. */
const asBoolean = [() => true, () => false] as const;
