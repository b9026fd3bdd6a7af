// The sign-in window: identity.launchWebAuthFlow and the window that it opens. A browser has no way to stop a flow, so a
// flow that was canceled before its window was known is remembered until it ends, and its window is closed once it
// proves to be ours. Windows that don't are left alone.

import * as v from '../../session/shape.ts';
import { readItem } from '../storage.ts';
import type { StorageArea } from '../../bridge/session/board.ts';
import { inTime, withTimeout } from '../../concurrency.ts';
import { toKnownWords } from '../../oidc/problems.ts';
import { UnsentError } from '../../oidc/http.ts';
import { detail, safe } from '../../session/detail.ts';
import { ProblemError, type ProblemCode } from '../../session/problem.ts';
import type { Work } from '../work.ts';
import { createOwnWindows, type Appearance, type Evidence, type Tab } from './own-windows.ts';

/** The parts of the browser that the window uses. Each is read at its first use, because reading it takes the browser time. */
export interface AuthWindowBrowser {
  /** Missing in Firefox for Android. */
  readonly identity?: {
    launchWebAuthFlow(details: {
      readonly url: string;
      readonly interactive: boolean;
      readonly abortOnLoadForNonInteractive?: boolean;
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
    create(window: {
      tabId: number;
      type: 'popup';
    }): Promise<{ readonly id?: number | undefined } | undefined>;
  };
  readonly tabs: {
    query(filter: { windowType?: 'popup' }): Promise<readonly Tab[]>;
    remove(id: number): Promise<void>;
  };
}

export interface AuthWindow {
  /**
   * Opens the window at `url` and resolves with the URL that ends the flow. `evidence` proves that a window belongs to
   * this flow. `isWanted` is called at the very moment from which {@link cancel} reaches the flow, so no cancel
   * comes in between. Throws {@link ProblemError}, with `cancelled` if the flow isn't wanted, when the user closes the
   * window, and when {@link cancel} is called. A window that the browser has closed because a page in it failed is
   * `closed-by-browser`, with `interrupted` if it was ours for certain. `onLaunched` gets the same URL, even if the user finishes
   * after a cancel.
   */
  open(
    url: string,
    evidence: Evidence,
    isWanted: () => boolean,
    onLaunched?: (responseUrl: Promise<string>) => void,
  ): Promise<string>;
  /**
   * Resolves when the flows that were canceled have ended, or after ten seconds. Later calls don't wait for one that hasn't
   * ended by then. Never rejects.
   */
  whenFree(): Promise<void>;
  /**
   * Follows the redirects of `url` without a window, and resolves with the URL that ends the flow. Throws
   * {@link ProblemError}: `expired` if the provider shows a page, in Chromium when it has shown it for some seconds; `timed-out`
   * after 15 s, and at once while a window is open, with an {@link UnsentError} as the cause.
   */
  openSilently(url: string): Promise<string>;
  /**
   * Brings the window to the front, or while it hasn't appeared, one that was to be closed and is still there. False if there is
   * neither, or if no window proves to be ours.
   */
  show(): Promise<boolean>;
  /**
   * Ends the running flow at once and closes its window, now or when it proves to be ours. Also closes the window that the
   * last worker left behind.
   */
  cancel(): Promise<void>;
  /** Whether a window is open that may be the running flow's, and that {@link cancel} can't close. */
  mayStayOpen(): Promise<boolean>;
  /** Whether a page that failed stays in the window, as in Firefox. Chromium closes the window. */
  readonly keepsFailedPages: boolean;
  readonly onWindowCreated: (window: {
    readonly id?: number | undefined;
    readonly type?: string | undefined;
  }) => void;
  readonly onWindowRemoved: (id: number) => void;
}

/** How long a flow waits for the end of those that were canceled before. A page that hangs may never end. */
const maxWaitMs = 10_000;

/** How long the redirects of a silent sign-in may take. */
const silentTimeoutMs = 15_000;

/**
 * How long Chromium waits for a response that comes after the first page has loaded: some providers respond with a form that
 * submits itself, a refresh or a script, as all do that pass the user on to SAML. Only a page that waits for the user takes that
 * long.
 */
const lateAnswerMs = 10_000;

/**
 * When a window that was to be closed, and isn't, is closed for certain: its page may have asked whether the user wants to leave
 * it. Chromium ignores a second request within half a second.
 */
const leaveSiteMs = 1_000;

/** `waitForUser` counts a flow as a wait for the user. */
export function createAuthWindow(
  browser: AuthWindowBrowser,
  memory: StorageArea,
  waitForUser: Work['waitForUser'],
): AuthWindow {
  let current: { readonly evidence: Evidence; readonly cancel: () => void } | null = null;
  /** The launched flows that the browser hasn't ended. */
  const unsettled = new Set<Promise<unknown>>();
  const findWanted = () => current?.evidence ?? null;
  const { keepsFailedPages, ownWindows, closer, abandon } = followWindows(browser, memory, findWanted);

  const isCurrent = (flow: Evidence) => findWanted() === flow;

  const whenFree = async () => {
    if (unsettled.size > 0) await withTimeout(Promise.all(unsettled), maxWaitMs, () => unsettled.clear());
  };

  /** Launches a flow when those that were canceled have ended. Chromium has one flow at a time. */
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
    const appearance = ownWindows.appearanceOf(flow);
    ownWindows.forget(flow);
    if (result.status === 'fulfilled') return result.value;
    throw await toFlowProblem(result.reason, appearance, () => ownWindows.findMovedTab(flow));
  };

  return {
    open(url, evidence, isWanted, onLaunched) {
      const ended = new Promise<string>((resolve, reject) => {
        if (!isWanted()) throw new ProblemError('cancelled');
        current = { evidence, cancel: () => reject(new ProblemError('cancelled')) };
        const launched = launch(evidence, url);
        onLaunched?.(launched);
        const end = () => {
          if (!isCurrent(evidence)) return;
          current = null;
          void storeWindow(memory, null);
        };
        launched.then(requireUrl).finally(end).then(resolve, reject);
      });
      return waitForUser(ended);
    },

    whenFree,

    async openSilently(url) {
      // In Firefox, it could replace the cookies of the sign-in that the user is in the middle of.
      if (current !== null) throw toUnsent();
      return requireUrl(await followSilently(browser, url));
    },

    async show() {
      await ownWindows.look(current?.evidence ?? null);
      const id = (current && ownWindows.find(current.evidence)?.id) ?? closer.findLeft();
      if (id === undefined || !browser.windows) return false;
      return inTime(browser.windows.update(id, { focused: true })).then(...asBoolean);
    },

    async cancel() {
      const flow = current;
      current = null;
      flow?.cancel();
      // Read at once, before the next flow stores its own.
      await Promise.all([takeWindow(memory).then(closer.close), flow && ownWindows.look(flow.evidence)]);
      if (!flow) return;
      abandon(flow.evidence);
      const tabId = await ownWindows.findMovedTab(flow.evidence);
      if (tabId !== null) void browser.tabs.remove(tabId).catch(() => undefined);
    },

    mayStayOpen: async () =>
      closer.isOneLeft() ||
      (current !== null && (!browser.windows || ownWindows.mayBeOpen(current.evidence))),

    keepsFailedPages,

    onWindowCreated({ id, type }) {
      if (id !== undefined && type === 'popup') ownWindows.onCreated(id);
    },

    onWindowRemoved(id) {
      closer.onRemoved(id);
      ownWindows.onRemoved(id);
    },
  };
}

/** The problem behind a flow that the browser has rejected. */
async function toFlowProblem(
  reason: unknown,
  appearance: Appearance,
  findMovedTab: () => Promise<number | null>,
): Promise<ProblemError> {
  const problem = toWindowProblem(reason, appearance);
  // Firefox reports a window that was turned into a tab like one that the user has closed.
  if (problem.code !== 'cancelled' || (await findMovedTab()) === null) return problem;
  const words = detail`The sign-in window has become a tab.`;
  return new ProblemError('interrupted', words, { cause: reason, window: 'left-open' });
}

/** Follows the windows of flows, of which `findWanted` returns the one that is wanted, and closes them. */
function followWindows(browser: AuthWindowBrowser, memory: StorageArea, findWanted: () => Evidence | null) {
  const keepsFailedPages = browser.runtime.getBrowserInfo !== undefined;
  const closer = createCloser(browser, keepsFailedPages);
  const rehoused = new WeakSet<Evidence>();

  /** Closes the window of a canceled flow, once. */
  const abandon = (flow: Evidence) => {
    const known = ownWindows.find(flow);
    if (known === null) return;
    ownWindows.forget(flow);
    closer.close(known.id);
  };

  /**
   * Gives the tab of a flow a window of its own again, once. In Chromium the flow goes on in a tab, and would close that tab's
   * window at its end, with all the user's tabs in it. In Firefox it has ended.
   */
  const rehouse = async (flow: Evidence) => {
    if (keepsFailedPages || rehoused.has(flow)) return;
    rehoused.add(flow);
    const tabId = await ownWindows.findMovedTab(flow);
    if (tabId === null) return;
    const created = await browser.windows?.create({ tabId, type: 'popup' }).catch(() => undefined);
    if (created?.id !== undefined) ownWindows.rehouse(flow, { id: created.id, tabId, proof: 'mark' });
  };

  const ownWindows = createOwnWindows(
    (filter) => inTime(browser.tabs.query(filter)),
    findWanted,
    (flow, known) => void (findWanted() === flow ? storeWindow(memory, known?.id ?? null) : abandon(flow)),
    (flow) => void rehouse(flow),
  );
  return { keepsFailedPages, ownWindows, closer, abandon };
}

/** Closes windows that proved to be ours, and knows those that are still there. */
function createCloser({ windows, tabs }: AuthWindowBrowser, keepsFailedPages: boolean) {
  /** Those that were to be closed, and whether the browser says that it did. */
  const closing = new Map<number, { isDone: boolean }>();

  /** At the second request, Firefox closes a window in spite of the question. Chromium closes it if its tab is removed. */
  const insist = async (id: number) => {
    if (keepsFailedPages) return windows?.remove(id);
    const all = await tabs.query({ windowType: 'popup' });
    const tab = all.find(({ windowId }) => windowId === id);
    if (tab?.id !== undefined) await tabs.remove(tab.id);
  };

  return {
    /** One that is still open, as far as we know; undefined if none is. */
    findLeft: () => closing.keys().next().value,
    /** Whether one is still open although the browser says that it closed it: its page may be asking the user. */
    isOneLeft: () => [...closing.values()].some(({ isDone }) => isDone),
    onRemoved: (id: number) => closing.delete(id),
    /** Closes a window. If it was closed meanwhile, that's fine. */
    close(id: number | null) {
      if (id === null || !windows || closing.has(id)) return;
      const request = { isDone: false };
      closing.set(id, request);
      inTime(windows.remove(id)).then(
        () => (request.isDone = true),
        () => closing.delete(id),
      );
      setTimeout(() => {
        if (closing.get(id) === request) insist(id).catch(() => undefined);
      }, leaveSiteMs);
    },
  };
}

/** Names the window of the running flow in the browser's memory: it survives its worker, so that the next one can close it. */
const windowKey = 'auth-window';

/** Stores the id of that window, or with null that there is none. Best effort. */
async function storeWindow(memory: StorageArea, id: number | null): Promise<void> {
  await (id === null ? memory.remove(windowKey) : memory.set({ [windowKey]: id })).catch(() => undefined);
}

/** The id that was stored, which isn't any longer; null if there is none. Best effort. */
async function takeWindow(memory: StorageArea): Promise<number | null> {
  const id = await readItem(memory, windowKey, v.number()).catch(() => null);
  if (id !== null) await storeWindow(memory, null);
  return id;
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
    // Firefox refuses a flow with a member that it doesn't know, and takes a response only by redirects.
    ...(browser.runtime.getBrowserInfo === undefined && {
      abortOnLoadForNonInteractive: false,
      timeoutMsForNonInteractive: lateAnswerMs,
    }),
  });
  const toSilentProblem = (error: unknown) => {
    throw isOccupied(error) ? toUnsent() : toWindowProblem(error);
  };
  return withTimeout(launched.catch(toSilentProblem), silentTimeoutMs, () => {
    throw new ProblemError('timed-out', detail`The silent sign-in.`);
  });
}

/** The problem of a silent flow that can't begin while a window is open. */
function toUnsent(): ProblemError {
  return new ProblemError('timed-out', detail`A sign-in window is open.`, { cause: new UnsentError() });
}

function requireUrl(responseUrl: string): string {
  if (!responseUrl) throw new ProblemError('unexpected', detail`The sign-in window ended with no URL.`);
  return responseUrl;
}

/** Rejects if the window was closed meanwhile. */
const asBoolean = [() => true, () => false] as const;

// Browsers report the failure of a sign-in window as an English sentence. Only this file knows the sentences.

/** Chromium 156 has one flow at a time. */
const occupied = 'Only one web auth flow is allowed';

/** Firefox says this about a silent page that asks something, and about one that can't load. */
const firefoxSilence = 'Requires user interaction';

/**
 * Chromium ends a flow so at a page that doesn't load with a status below 400, even after a window has shown others: at a second
 * click on a slow link, a `mailto:` link, a download, or a wrong password at a server that responds with 401.
 */
const pageFailed = 'Authorization page could not be loaded';

/** By the beginning of the text: the rest changes between versions. */
const problemsByText: readonly (readonly [beginning: string, ProblemCode])[] = [
  ['The user did not approve access', 'cancelled'],
  ['User cancelled or denied access', 'cancelled'],
  [pageFailed, 'sign-in-page-failed'],
  ['Authorization page load timed out', 'timed-out'],
  ['Invalid request', 'sign-in-page-failed'],
  ["Couldn't create a browser window", 'not-supported'],
  ['Identity API is disabled in incognito windows', 'not-supported'],
  ['The browser context has been shut down', 'interrupted'],
  // An earlier flow hasn't ended, perhaps because its page hasn't loaded.
  [occupied, 'timed-out'],
  // A silent sign-in for which the provider shows a page: in Chromium, and in Firefox.
  ['User interaction required', 'expired'],
  [firefoxSilence, 'expired'],
];

/** Codes to which the browser's text would add nothing. */
const selfExplaining: readonly ProblemCode[] = ['cancelled', 'expired'];

/**
 * The problem behind a browser's text, after a window with that appearance. An unknown text is `unexpected`, never `cancelled`.
 */
export function toWindowProblem(error: unknown, appearance: Appearance = null): ProblemError {
  const text = toText(error);
  const found = problemsByText.find(([beginning]) => text.startsWith(beginning));
  const [known, code] = found ?? [toKnownWords(text), 'unexpected'];
  const reason = selfExplaining.includes(code) ? null : safe(`${known}.`);
  if (appearance !== null && text.startsWith(pageFailed)) {
    const end = appearance === 'ours' ? 'interrupted' : code;
    return new ProblemError(end, reason, { cause: error, window: 'closed-by-browser' });
  }
  return new ProblemError(code, reason, { cause: error, window: isOccupied(error) ? 'left-open' : null });
}

/** Whether a silent flow failed because a page didn't load, or perhaps because it asked something. */
export function mayHaveFailedToLoad({ cause }: ProblemError): boolean {
  return [firefoxSilence, pageFailed].some((beginning) => toText(cause).startsWith(beginning));
}

/** Whether the browser says that the user has closed the window. */
export function isClosedByUser({ code, cause }: ProblemError): boolean {
  return code === 'cancelled' && cause instanceof Error;
}

/** Whether the browser refuses a flow because a previous one hasn't ended. */
export function isOccupied(error: unknown): boolean {
  return toText(error).startsWith(occupied);
}

function toText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
