// The sign-in window: identity.launchWebAuthFlow and the window that it opens. A browser has no way to stop a flow, so a
// flow that was cancelled before its window was known is remembered until it ends, and its window is closed once it
// proves to be ours. Windows that do not are left alone.

import * as v from '../../session/shape.ts';
import { createStorageItem } from '../storage.ts';
import type { StorageArea } from '../../bridge/session/board.ts';
import { withTimeout } from '../../concurrency.ts';
import { UnsentError } from '../../oidc/http.ts';
import { detail, safe } from '../../session/detail.ts';
import { ProblemError, type ProblemCode } from '../../session/problem.ts';
import { parseUrl } from '../../session/secure-url.ts';
import type { Work } from '../work.ts';

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

/** `waitForUser` counts a flow as a wait for the user. */
export function createAuthWindow(
  browser: AuthWindowBrowser,
  memory: StorageArea,
  waitForUser: Work['waitForUser'],
): AuthWindow {
  let current: { readonly evidence: Evidence; readonly cancel: () => void } | null = null;
  /** The launched flows that the browser has not ended. */
  const unsettled = new Set<Promise<unknown>>();
  const stored = createStoredWindow(memory);

  const isCurrent = (flow: Evidence) => current?.evidence === flow;

  /** Closes a window that proved to be ours. If it was closed meanwhile, that's fine. */
  const close = (id: number | null) =>
    void (id !== null && browser.windows?.remove(id).catch(() => undefined));

  /** Closes the window of a cancelled flow, once. */
  const abandon = (flow: Evidence) => {
    const id = ownWindows.idOf(flow);
    if (id !== null) ownWindows.forget(flow);
    close(id);
  };

  const ownWindows = createOwnWindows(
    () => browser.tabs.query({ windowType: 'popup' }),
    () => current?.evidence ?? null,
    (flow, id) => void (isCurrent(flow) ? stored.set(id) : abandon(flow)),
  );

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
    open(url, evidence, isWanted, onLaunched) {
      const ended = new Promise<string>((resolve, reject) => {
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
      });
      return waitForUser(ended);
    },

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
      await Promise.all([stored.take().then(close), flow && ownWindows.look(flow.evidence)]);
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

// Finds the windows that the browser opened for our flows. `launchWebAuthFlow` does not return its window, and any page
// may open a window at the same moment, so a window is ours only if it proves to be.

/** A tab as the browser reports it. It has no URL if the extension may not see its host. */
interface Tab {
  readonly windowId?: number | undefined;
  readonly url?: string | undefined;
}

/** The marks that the window of one flow shows, and no other window does. It stands for its flow, so each flow has its own. */
export interface Evidence {
  /** The `state` of the request: an unguessable string of our own. */
  readonly state: string;
  /** The reference to a pushed request (RFC 9126). The provider chose it, so it counts at the provider only. */
  readonly requestUri: string | null;
  /** The origin of the page that the flow opens. */
  readonly origin: string;
}

/**
 * A window that proved to be a flow's. `mark`: its URL carries the request's `state` or `request_uri`. `place`: it shows
 * a page of the origin that the flow opened, and no other window has appeared since the flow began.
 */
interface KnownWindow {
  readonly id: number;
  readonly proof: 'mark' | 'place';
}

interface OwnWindows {
  /** Begins to look for the window of a flow that starts now. */
  expect(flow: Evidence): void;
  /** Forgets the flow, which has ended, or whose window is being closed. */
  forget(flow: Evidence): void;
  /**
   * Looks at all tabs now. A window is known by its place only if its flow is `wanted`, and only while no other flow is waiting for
   * a window.
   */
  look(wanted: Evidence | null): Promise<void>;
  /** The id of a running flow's window; null until it is known. */
  idOf(flow: Evidence): number | null;
  /** Looks whether a window has appeared that may be the one of this flow, which is wanted, without proof. */
  mayBeOpen(flow: Evidence): Promise<boolean>;
  onCreated(id: number): void;
  onRemoved(id: number): void;
}

/** When to look after a window has appeared: Firefox shows it before its page has loaded. */
const looksAfterMs = [0, 300, 1_500, 5_000];

/**
 * `queryTabs` returns the tabs of all popup windows, and `findWanted` the flow that is wanted. `onKnown` is called with the window's
 * id each time that a flow's window becomes known, and with null if it's gone, or in doubt again.
 */
function createOwnWindows(
  queryTabs: () => Promise<readonly Tab[]>,
  findWanted: () => Evidence | null,
  onKnown: (flow: Evidence, id: number | null) => void,
): OwnWindows {
  /** The running flows, with their windows once they are known. */
  const flows = new Map<Evidence, KnownWindow | null>();
  /** Popup windows that have appeared while a flow was waiting for its own. */
  const newcomers = new Set<number>();

  const unclaimed = () => {
    const claimed = new Set([...flows.values()].map((known) => known?.id));
    return [...newcomers].filter((id) => !claimed.has(id));
  };

  const set = (flow: Evidence, known: KnownWindow | null) => {
    flows.set(flow, known);
    onKnown(flow, known?.id ?? null);
  };

  const findByMark = (tabs: readonly Tab[]) => {
    for (const [flow, known] of flows) {
      if (known?.proof === 'mark') continue;
      const tab = tabs.find(({ url }) => url !== undefined && hasMark(url, flow));
      if (tab?.windowId !== undefined) set(flow, { id: tab.windowId, proof: 'mark' });
    }
  };

  const findByPlace = (tabs: readonly Tab[], wanted: Evidence | null) => {
    const isAtProvider = (id: number, { origin }: Evidence) =>
      tabs.some(({ windowId, url }) => windowId === id && toOrigin(url) === origin);
    for (const [flow, known] of flows) {
      // A second window at the provider may as well be ours.
      const isInDoubt = unclaimed().some((id) => isAtProvider(id, flow));
      if (known?.proof === 'place' && isInDoubt) set(flow, null);
    }
    const [[flow] = [null], ...others] = [...flows].filter(([, known]) => known === null);
    const [newcomer, ...more] = unclaimed();
    if (flow === null || flow !== wanted || others.length > 0) return;
    if (newcomer === undefined || more.length > 0 || !isAtProvider(newcomer, flow)) return;
    set(flow, { id: newcomer, proof: 'place' });
  };

  const look = async (wanted: Evidence | null) => {
    if (flows.size === 0) return;
    // Without tabs nothing is proven, and nothing is touched.
    const tabs = await queryTabs().catch(() => []);
    findByMark(tabs);
    findByPlace(tabs, wanted);
  };

  const idOf = (flow: Evidence) => flows.get(flow)?.id ?? null;

  return {
    look,
    expect: (flow) => void flows.set(flow, null),
    forget(flow) {
      const id = idOf(flow);
      flows.delete(flow);
      if (id !== null) newcomers.delete(id);
      if (flows.size === 0) newcomers.clear();
    },
    idOf,
    async mayBeOpen(flow) {
      const isInDoubt = () => flows.get(flow) === null && unclaimed().length > 0;
      // One that has just appeared may prove to be ours by now.
      if (isInDoubt()) await look(flow);
      return isInDoubt();
    },
    onCreated(id) {
      if (flows.size === 0) return;
      newcomers.add(id);
      for (const delayMs of looksAfterMs) setTimeout(() => void look(findWanted()), delayMs);
    },
    onRemoved(id) {
      newcomers.delete(id);
      for (const flow of flows.keys()) if (idOf(flow) === id) set(flow, null);
    },
  };
}

function hasMark(url: string, { state, requestUri, origin }: Evidence): boolean {
  // Some providers carry the whole request inside a parameter of their own page.
  if (url.includes(state)) return true;
  if (requestUri === null || toOrigin(url) !== origin) return false;
  return new URL(url).searchParams.get('request_uri') === requestUri;
}

function toOrigin(url: string | undefined): string | null {
  return url === undefined ? null : (parseUrl(url)?.origin ?? null);
}

// Browsers report the failure of a sign-in window as an English sentence. Only this file knows the sentences.

/** Chromium 156 has one flow at a time. */
const occupied = 'Only one web auth flow is allowed';

/** Firefox says this about a silent page that asks something, and about one that can't load. */
const firefoxSilence = 'Requires user interaction';

/** By the beginning of the text: the rest changes between versions. */
const problemsByText: readonly (readonly [beginning: string, ProblemCode])[] = [
  ['The user did not approve access', 'cancelled'],
  ['User cancelled or denied access', 'cancelled'],
  ['Authorization page could not be loaded', 'sign-in-page-failed'],
  ['Authorization page load timed out', 'timed-out'],
  ['Invalid request', 'sign-in-page-failed'],
  ["Couldn't create a browser window", 'not-supported'],
  ['Identity API is disabled in incognito windows', 'not-supported'],
  ['The browser context has been shut down', 'interrupted'],
  // An earlier flow has not ended, perhaps because its page has not loaded.
  [occupied, 'timed-out'],
  // A silent sign-in for which the provider shows a page: in Chromium, and in Firefox.
  ['User interaction required', 'expired'],
  [firefoxSilence, 'expired'],
];

/** Codes to which the browser's text would add nothing. */
const selfExplaining: readonly ProblemCode[] = ['cancelled', 'expired'];

/** The problem behind a browser's text. An unknown text is `unexpected`, never `cancelled`. */
export function toWindowProblem(error: unknown): ProblemError {
  const text = toText(error);
  const code = problemsByText.find(([beginning]) => text.startsWith(beginning))?.[1] ?? 'unexpected';
  const reason = selfExplaining.includes(code) ? null : safe(text);
  return new ProblemError(code, reason, { cause: error, window: isOccupied(error) ? 'left-open' : null });
}

/** Whether a silent flow failed because its page asked something, or didn't load at all. */
export function mayHaveFailedToLoad(problem: ProblemError): boolean {
  return toText(problem.cause).startsWith(firefoxSilence);
}

/** Whether the browser refuses a flow because another one has not ended. */
export function isOccupied(error: unknown): boolean {
  return toText(error).startsWith(occupied);
}

function toText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
