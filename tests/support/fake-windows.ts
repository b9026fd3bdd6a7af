// The windows of a browser in memory, and the sign-in flows that open them, in the manner of Chromium or of Firefox. The
// contract (tests/contract) compares them with both browsers.

import { deferred } from './deferred.ts';
import type { Manner } from './fake-storage.ts';
import { turns } from './turns.ts';

/** A sign-in window, in the hands of the test. */
export interface FakeWindow {
  readonly url: string;
  readonly id: number;
  focused: number;
  /** The URL in the window's tab; null if the extension may not see its host. At first the URL of the flow. */
  page: string | null;
  /** Whether the page asks the user who has typed there whether to leave it. */
  asksToLeave: boolean;
  readonly isOpen: boolean;
  /** Shows the window, as a browser does once its first page has loaded. */
  appear(): void;
  /** Ends the flow as the redirect does. */
  redirect(responseUrl: string): void;
  /** The page cannot load: Chromium ends the flow, and Firefox shows the window with a page that says so. */
  cannotLoad(): void;
  /** Ends the flow with an error text of the browser. */
  fail(text: string): void;
  /** Closes the window as the user does. */
  close(): void;
  /** Becomes a tab of the browser's other window, at the hands of the user or of another extension. */
  becomeTab(): void;
  /** Goes with the browser. Nothing hears of it. */
  vanish(): void;
}

/** A popup window that is not of any flow of ours. */
export interface FakeForeignWindow {
  readonly id: number;
  readonly page: string | null;
  focused: number;
  isOpen: boolean;
  close(): void;
}

/** The texts in which a browser says what went wrong. */
const texts = {
  chromium: {
    closed: 'The user did not approve access.',
    asks: "User interaction required. Try setting `abortOnLoadForNonInteractive` and `timeoutMsForNonInteractive` if multiple navigations are required, or if code is used for redirects in the authorization page after it's loaded.",
    unknown: (id: number) => `No window with id: ${id}.`,
  },
  firefox: {
    closed: 'User cancelled or denied access.',
    asks: 'Requires user interaction',
    unknown: (id: number) => `Invalid window ID: ${id}`,
  },
} as const;

const cannotLoad = 'Authorization page could not be loaded.';

/** The browser's other window, which is not a popup. */
const ordinaryWindowId = 900;

export interface FlowDetails {
  readonly url: string;
  readonly interactive: boolean;
  readonly abortOnLoadForNonInteractive?: boolean;
  readonly timeoutMsForNonInteractive?: number;
}

/** Runs after what the extension was told first. */
const afterThat = (run: () => void) => void turns(2).then(run);

export function createFakeWindows(manner: Manner) {
  const onCreated = new Set<(window: { id: number; type: string }) => void>();
  const onRemoved = new Set<(id: number) => void>();
  const windows: FakeWindow[] = [];
  /** The URLs of flows, once for each time that the browser loads one. */
  const loads: string[] = [];
  /** The tabs of windows that have become tabs of the other one, and where they are. */
  const moved = new Map<number, { readonly window: FakeWindow; windowId: number }>();
  const toTabId = (windowId: number) => 10_000 + windowId;
  const foreignWindows: FakeForeignWindow[] = [];
  /** End the newest flow, and the one whose window is open, as if the user had closed its window. */
  let running: (() => void) | null = null;
  let shown: (() => void) | null = null;
  let opened = deferred<FakeWindow>();
  const text = texts[manner];

  /** The provider's response to a silent sign-in: by default a page, because no one is signed in there. */
  const silence: {
    urls: string[];
    answer: (url: string, details: FlowDetails) => Promise<string> | string;
    /** An answer by a form, a refresh or a script, some time after the first page has loaded. */
    readonly late: (
      answer: (url: string) => string,
      afterMs?: number,
    ) => (url: string, details: FlowDetails) => Promise<string>;
    /** The browser's own answer: the page can't load. Firefox reports this just like a page that asks something. */
    readonly cannotLoad: () => Promise<never>;
  } = {
    urls: [],
    answer: () => Promise.reject(new Error(text.asks)),
    late:
      (answer, afterMs = 300) =>
      (url, { abortOnLoadForNonInteractive: aborts = true, timeoutMsForNonInteractive: limitMs = 60_000 }) =>
        manner === 'firefox' || aborts || limitMs < afterMs
          ? Promise.reject(new Error(text.asks))
          : Promise.resolve(answer(url)),
    cannotLoad: () => Promise.reject(new Error(manner === 'chromium' ? cannotLoad : text.asks)),
  };

  const tellRemoved = (id: number) => {
    for (const listener of onRemoved) listener(id);
  };

  const launch = (url: string): Promise<string> => {
    if (running !== null && manner === 'chromium') {
      return Promise.reject(new Error('Only one web auth flow is allowed at a time.'));
    }
    const flow = deferred<string>();
    const id = windows.length + 1;
    loads.push(url);
    let status: 'launched' | 'open' | 'gone' = 'launched';
    const leave = (): boolean => {
      const wasOpen = status === 'open';
      status = 'gone';
      moved.delete(toTabId(id));
      if (running === replace) running = null;
      if (shown === replace) shown = null;
      return wasOpen;
    };
    const endFirst = (end: () => void) => {
      const wasOpen = leave();
      end();
      if (wasOpen) afterThat(() => tellRemoved(id));
    };
    const closed = () => flow.reject(new Error(text.closed));
    const replace = () => endFirst(closed);
    const window: FakeWindow = {
      url,
      id,
      focused: 0,
      page: url,
      asksToLeave: false,
      get isOpen() {
        return status === 'open';
      },
      appear() {
        if (status !== 'launched') return;
        if (shown !== null) {
          // Firefox has one window for all flows, and a second one ends both.
          shown();
          return replace();
        }
        // At first it has followed the redirects without a window.
        if (manner === 'firefox') loads.push(url);
        status = 'open';
        shown = replace;
        for (const listener of onCreated) listener({ id, type: 'popup' });
      },
      redirect: (responseUrl) => endFirst(() => flow.resolve(responseUrl)),
      cannotLoad: () => (manner === 'chromium' ? window.fail(cannotLoad) : window.appear()),
      fail: (reason) => endFirst(() => flow.reject(new Error(reason))),
      close() {
        if (manner === 'chromium') return replace();
        // In Firefox the window is gone before.
        const wasOpen = leave();
        if (wasOpen) tellRemoved(id);
        afterThat(closed);
      },
      becomeTab() {
        if (manner === 'firefox') {
          leave();
          afterThat(closed);
        }
        moved.set(toTabId(id), { window, windowId: ordinaryWindowId });
        tellRemoved(id);
      },
      vanish: () => void leave(),
    };
    running = replace;
    windows.push(window);
    opened.resolve(window);
    return flow.promise;
  };

  const toWindowId = ({ id }: FakeWindow) => moved.get(toTabId(id))?.windowId ?? id;
  const foreign = () => foreignWindows.map((window) => ({ window, windowId: window.id }));
  const find = (id: number) =>
    windows.find((window) => toWindowId(window) === id && window.isOpen) ??
    foreignWindows.find((window) => window.id === id && window.isOpen);
  /** Windows whose page is asking the user whether to leave it. */
  const asking = new WeakSet<object>();
  /** Whether a window closes now: its page doesn't ask, or asks already, and the browser gives way to the second request. */
  const mayLeave = (window: FakeWindow | FakeForeignWindow, removed: 'window' | 'tab') => {
    const givesWay = asking.has(window) && removed === (manner === 'firefox' ? 'window' : 'tab');
    const asks = 'asksToLeave' in window && window.asksToLeave && !givesWay;
    asking.add(window);
    return !asks;
  };
  const expectOpen = (id: number) => {
    const window = find(id);
    if (window === undefined) throw new Error(text.unknown(id));
    return window;
  };

  return {
    windows,
    loads,
    silence,
    onCreated,
    onRemoved,
    api: {
      async update(id: number) {
        expectOpen(id).focused += 1;
      },
      async remove(id: number) {
        const window = expectOpen(id);
        if (!mayLeave(window, 'window')) {
          // Firefox resolves when the user has answered.
          return manner === 'firefox' ? new Promise<void>(() => undefined) : undefined;
        }
        window.close();
        await turns(1);
      },
      /** Gives a tab a window of its own again. */
      async create({ tabId }: { readonly tabId: number }) {
        const tab = moved.get(tabId);
        if (tab === undefined) throw new Error(`No tab with id: ${tabId}.`);
        tab.windowId = 2_000 + tabId;
        for (const listener of onCreated) listener({ id: tab.windowId, type: 'popup' });
        return { id: tab.windowId };
      },
      onCreated: toEvent(onCreated),
      onRemoved: toEvent(onRemoved),
    },
    tabs: {
      query({ windowType }: { readonly windowType?: 'popup' } = {}) {
        const all = [...windows.map((window) => ({ window, windowId: toWindowId(window) })), ...foreign()];
        const asked = all.filter(({ windowId }) => windowType === undefined || windowId !== ordinaryWindowId);
        return Promise.resolve(
          asked
            .filter(({ window, windowId }) => window.isOpen || windowId !== window.id)
            .map(({ window: { id, page }, windowId }) => ({
              id: toTabId(id),
              windowId,
              ...(page !== null && { url: page }),
            })),
        );
      },
      async remove(id: number) {
        const tab = moved.get(id);
        const window = tab?.window ?? windows.find((one) => one.isOpen && toTabId(one.id) === id);
        if (window === undefined) throw new Error(`No tab with id: ${id}.`);
        moved.delete(id);
        if (window.isOpen && mayLeave(window, 'tab')) window.close();
        await turns(1);
      },
    },
    launchWebAuthFlow(details: FlowDetails): Promise<string> {
      const unknown = Object.keys(details).filter((key) => !['url', 'interactive'].includes(key));
      if (manner === 'firefox' && unknown.length > 0) {
        const named = unknown.length === 1 ? `property "${unknown[0]}"` : `properties: ${unknown.join(', ')}`;
        throw new Error(
          `Type error for parameter details (Unexpected ${named}) for identity.launchWebAuthFlow.`,
        );
      }
      if (details.interactive) return launch(details.url);
      silence.urls.push(details.url);
      loads.push(details.url);
      return Promise.resolve(silence.answer(details.url, details));
    },
    /** Opens a popup window of another site, with `page` in it; null if the extension may not see its host. */
    openForeignWindow(page: string | null): FakeForeignWindow {
      const id = 1_000 + foreignWindows.length;
      const window: FakeForeignWindow = {
        id,
        page,
        focused: 0,
        isOpen: true,
        close() {
          window.isOpen = false;
          tellRemoved(id);
        },
      };
      foreignWindows.push(window);
      for (const listener of onCreated) listener({ id, type: 'popup' });
      return window;
    },
    /** Closes all windows, as the end of the browser does. */
    closeAll() {
      for (const window of windows) window.vanish();
      for (const window of foreignWindows) window.isOpen = false;
    },
    /** The next sign-in window; one that opened since the last call counts. */
    async nextWindow(): Promise<FakeWindow> {
      const window = await opened.promise;
      opened = deferred<FakeWindow>();
      return window;
    },
  };
}

/** The event of a set of listeners. */
export function toEvent<Listener>(listeners: Set<Listener>) {
  return {
    addListener: (listener: Listener) => void listeners.add(listener),
    removeListener: (listener: Listener) => void listeners.delete(listener),
  };
}
