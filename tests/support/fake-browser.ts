// A browser in memory: storage that copies its values, windows with events, one worker at a time that can be stopped
// and started, and a sign-in window in the hands of the test.

import type { WorkerBrowser, WorkerScope } from '../../src/background/worker.ts';
import { parseBoard, type Board } from '../../src/bridge/session/board.ts';
import type { PageEvent } from '../../src/bridge/fetch/serve-fetch.ts';
import { sendCommand, type Sender } from '../../src/bridge/session/messages.ts';
import type { Command, Reply } from '../../src/session/commands.ts';
import type { MessageKey } from '../../src/popup/i18n/text.ts';
import { lookUp } from './english.ts';
import { createFakeLocks } from './fake-locks.ts';
import { createWayToWorker } from './port-pair.ts';
import { deferred } from './deferred.ts';

type Changes = Record<string, { newValue?: unknown }>;

export class FakeStorageArea {
  readonly items = new Map<string, unknown>();
  readonly listeners = new Set<(changes: Changes) => void>();
  /** Set to make every write fail, as a full disk does. */
  failure: Error | null = null;

  get(keys: string | string[]): Promise<Record<string, unknown>> {
    const present = [keys].flat().filter((key) => this.items.has(key));
    return Promise.resolve(
      Object.fromEntries(present.map((key) => [key, structuredClone(this.items.get(key))])),
    );
  }

  set(items: Record<string, unknown>): Promise<void> {
    if (this.failure !== null) return Promise.reject(this.failure);
    // Chromium stores JSON, so values that JSON cannot hold are lost here too.
    for (const [key, value] of Object.entries(JSON.parse(JSON.stringify(items)) as object)) {
      this.items.set(key, value);
      for (const listener of this.listeners)
        listener({ [key]: { newValue: structuredClone(value) as unknown } });
    }
    return Promise.resolve();
  }

  remove(key: string): Promise<void> {
    this.items.delete(key);
    return Promise.resolve();
  }

  readonly onChanged = {
    addListener: (listener: (changes: Changes) => void) => void this.listeners.add(listener),
    removeListener: (listener: (changes: Changes) => void) => void this.listeners.delete(listener),
  };
}

/** The policy as a browser hands it over: nothing, until it has one. */
export class FakeManagedStorage {
  policy: Record<string, unknown> = {};
  /** `get` rejects with this error, as it does in Firefox without a policy. */
  failure: Error | null = null;
  /** Resolves when `get` may answer. Chromium answers none until it has loaded its policies after its start. */
  loaded: Promise<void> = Promise.resolve();
  /** How the extension was installed. */
  installType = 'admin';
  readonly listeners = new Set<() => void>();

  async get(): Promise<Record<string, unknown>> {
    await this.loaded;
    if (this.failure !== null) throw this.failure;
    return structuredClone(this.policy);
  }

  /** The administrator changes the policy. */
  change(policy: Record<string, unknown>): void {
    this.policy = policy;
    for (const listener of this.listeners) listener();
  }

  readonly onChanged = { addListener: (listener: () => void) => void this.listeners.add(listener) };
}

/** A sign-in window, in the hands of the test. */
export interface FakeWindow {
  readonly url: string;
  readonly id: number;
  focused: number;
  /** The URL in the window's tab; null if its host is not to be seen. At first the URL of the flow. */
  page: string | null;
  readonly isOpen: boolean;
  /** Shows the window, as a browser does once its first page has loaded. */
  appear(): void;
  /** Ends the flow as the redirect does. */
  redirect(responseUrl: string): void;
  /** Ends the flow with an error text of the browser. */
  fail(text: string): void;
  /** Closes the window as the person does. */
  close(): void;
}

/** A popup window that is not of any flow of ours. */
export interface FakeForeignWindow {
  readonly id: number;
  readonly page: string | null;
  focused: number;
  isOpen: boolean;
  close(): void;
}

type Listener<Arguments extends unknown[]> = (...args: Arguments) => unknown;

const extensionId = 'abcdefghijklmnopabcdefghijklmnop';
export const ownPage = {
  id: extensionId,
  url: `chrome-extension://${extensionId}/src/popup/index.html`,
  origin: `chrome-extension://${extensionId}`,
} as const satisfies Sender;

/** A browser with the whole API, as on a desktop. */
type WholeBrowser = WorkerBrowser & {
  readonly windows: NonNullable<WorkerBrowser['windows']>;
  readonly action: Required<WorkerBrowser['action']>;
};

/** The browser whose rule for a second flow holds; without one, all flows run side by side. */
export type Manner = 'chromium' | 'firefox';

/** A browser; one without `managed` has no policies. */
export function createFakeBrowser(managed: FakeManagedStorage | null = null, manner: Manner | null = null) {
  const local = new FakeStorageArea();
  const memory = new FakeStorageArea();
  const onMessage = new Set<(message: unknown, sender: Sender) => Promise<Reply> | undefined>();
  const onPageMessage = new Set<(event: PageEvent) => void>();
  const onInstalled = new Set<Listener<[{ reason: string }]>>();
  const onStartup = new Set<Listener<[]>>();
  const onUpdateAvailable = new Set<Listener<[]>>();
  const onPermissionAdded = new Set<Listener<[]>>();
  const onCreated = new Set<Listener<[{ id: number; type: string }]>>();
  const onRemoved = new Set<Listener<[number]>>();
  const windows: FakeWindow[] = [];
  /** Popup windows of other sites and extensions. */
  const foreignWindows: FakeForeignWindow[] = [];
  /** The interactive flows that have not ended, each with what ends it as the person does. */
  const running = new Set<() => void>();
  /** `calls` counts those whose only effect is that the worker goes on. */
  const shown = { popups: 0, pagesOpen: 0, refusesPopup: false, reloads: 0, calls: 0, hasOneFlow: false };
  /** The toolbar button of the manifest. */
  const manifestToolbar = {
    icon: 'latchkey-signed-out',
    title: lookUp('extensionName'),
    badge: '',
    color: '',
  };
  const toolbar = { ...manifestToolbar, calls: 0 };
  const setToolbar = (change: Partial<typeof manifestToolbar>) => {
    Object.assign(toolbar, change, { calls: toolbar.calls + 1 });
    return Promise.resolve();
  };
  let opened = deferred<FakeWindow>();

  /** The provider's response to a silent sign-in: by default a page, because nobody is signed in there. */
  const silence: { urls: string[]; answer: (url: string) => Promise<string> } = {
    urls: [],
    answer: () => Promise.reject(new Error('User interaction required.')),
  };

  const launchWebAuthFlow = ({ url, interactive }: { url: string; interactive: boolean }) => {
    if (!interactive) {
      silence.urls.push(url);
      return silence.answer(url);
    }
    if ((shown.hasOneFlow || manner === 'chromium') && running.size > 0) {
      return Promise.reject(new Error('Only one web auth flow is allowed at a time.'));
    }
    if (manner === 'firefox' && running.size > 0) {
      // It has one window for all flows.
      for (const endOther of running) endOther();
      return Promise.reject(new Error('User cancelled or denied access.'));
    }
    const flow = deferred<string>();
    const id = windows.length + 1;
    let isOpen = false;
    const end = () => {
      running.delete(close);
      if (!isOpen) return;
      isOpen = false;
      for (const listener of onRemoved) listener(id);
    };
    const close = () => {
      end();
      const text =
        manner === 'firefox' ? 'User cancelled or denied access.' : 'The user did not approve access.';
      flow.reject(new Error(text));
    };
    running.add(close);
    const window: FakeWindow = {
      url,
      id,
      focused: 0,
      page: url,
      get isOpen() {
        return isOpen;
      },
      appear() {
        isOpen = true;
        for (const listener of onCreated) listener({ id, type: 'popup' });
      },
      redirect(responseUrl) {
        end();
        flow.resolve(responseUrl);
      },
      fail(text) {
        end();
        flow.reject(new Error(text));
      },
      close,
    };
    windows.push(window);
    opened.resolve(window);
    return flow.promise;
  };

  const findWindow = (id: number) => [...windows, ...foreignWindows].find((window) => window.id === id);

  const browser: WholeBrowser = {
    identity: {
      launchWebAuthFlow,
      getRedirectURL: (path) => `https://${extensionId}.chromiumapp.org/${path}`,
    },
    windows: {
      update(id) {
        const window = findWindow(id);
        if (window !== undefined) window.focused += 1;
        return Promise.resolve();
      },
      remove(id) {
        findWindow(id)?.close();
        return Promise.resolve();
      },
      onCreated: { addListener: (listener) => void onCreated.add(listener) },
      onRemoved: { addListener: (listener) => void onRemoved.add(listener) },
    },
    tabs: {
      query: () =>
        Promise.resolve(
          [...windows, ...foreignWindows]
            .filter(({ isOpen }) => isOpen)
            .map(({ id, page }) => ({ windowId: id, ...(page !== null && { url: page }) })),
        ),
    },
    permissions: { onAdded: { addListener: (listener) => void onPermissionAdded.add(listener) } },
    storage: { local, session: memory, ...(managed !== null && { managed }) },
    management: { getSelf: () => Promise.resolve({ installType: managed?.installType ?? 'normal' }) },
    action: {
      openPopup() {
        if (shown.refusesPopup) return Promise.reject(new Error('Could not find an active browser window.'));
        shown.popups += 1;
        return Promise.resolve();
      },
      setIcon: ({ path }) =>
        setToolbar({ icon: /(latchkey[a-z-]*)-16\.png$/.exec(path['16'] ?? '')?.[1] ?? '' }),
      setTitle: ({ title }) => setToolbar({ title }),
      setBadgeText: ({ text }) => setToolbar({ badge: text }),
      setBadgeBackgroundColor: ({ color }) => setToolbar({ color }),
    },
    i18n: { getMessage: (key, substitutions) => lookUp(key as MessageKey, substitutions) },
    runtime: {
      id: extensionId,
      getURL: (path) => `chrome-extension://${extensionId}/${path}`,
      getContexts: () => Promise.resolve(Array.from({ length: shown.pagesOpen })),
      sendMessage: (message) => deliver(message, ownPage) ?? Promise.resolve(undefined),
      onMessage: { addListener: (listener) => void onMessage.add(listener) },
      onInstalled: { addListener: (listener) => void onInstalled.add(listener) },
      onStartup: { addListener: (listener) => void onStartup.add(listener) },
      onUpdateAvailable: { addListener: (listener) => void onUpdateAvailable.add(listener) },
      getPlatformInfo() {
        shown.calls += 1;
        return Promise.resolve({ os: 'linux' });
      },
      reload: () => void (shown.reloads += 1),
    },
  };

  const addLockUser = createFakeLocks();
  let workerLocks = addLockUser();
  const scope: WorkerScope = {
    addEventListener: (_type, listener) => void onPageMessage.add(listener),
    get navigator() {
      return workerLocks;
    },
  };

  const wayToWorker = createWayToWorker((message) => {
    const { origin, url } = ownPage;
    for (const listener of onPageMessage) listener({ ...message, origin, source: { url } });
  });

  const deliver = (message: unknown, sender: Sender) => {
    for (const listener of onMessage) {
      const reply = listener(message, sender);
      if (reply !== undefined) return reply;
    }
    return undefined;
  };

  const readBoard = (area = local): Board | null => parseBoard(area.items.get('board'));

  return {
    browser,
    scope,
    wayToWorker,
    addLockUser,
    local,
    memory,
    shown,
    toolbar,
    silence,
    windows,
    /** Opens a popup window of another site, with `page` in it; null if its host is not to be seen. */
    openForeignWindow(page: string | null): FakeForeignWindow {
      const id = 1_000 + foreignWindows.length;
      const window: FakeForeignWindow = {
        id,
        page,
        focused: 0,
        isOpen: true,
        close() {
          window.isOpen = false;
          for (const listener of onRemoved) listener(id);
        },
      };
      foreignWindows.push(window);
      for (const listener of onCreated) listener({ id, type: 'popup' });
      return window;
    },
    deliver,
    readBoard,
    send: (command: Command): Promise<Reply> => sendCommand(browser.runtime, command),
    allowHosts: () => {
      for (const listener of onPermissionAdded) listener();
    },
    offerUpdate: () => {
      for (const listener of onUpdateAvailable) listener();
    },
    install: (reason = 'install') => {
      for (const listener of onInstalled) listener({ reason });
    },
    /** Starts the browser: its toolbar button is the manifest's. */
    startUp: () => {
      Object.assign(toolbar, manifestToolbar);
      for (const listener of onStartup) listener();
    },
    /** The next sign-in window; one that opened since the last call counts. */
    async nextWindow(): Promise<FakeWindow> {
      const window = await opened.promise;
      opened = deferred<FakeWindow>();
      return window;
    },
    /** Resolves with the first board from now on that fits. */
    boardWhere(fits: (board: Board) => boolean, area = local): Promise<Board> {
      return new Promise((resolve) => {
        const check = () => {
          const board = readBoard(area);
          if (board === null || !fits(board)) return false;
          area.listeners.delete(check);
          resolve(board);
          return true;
        };
        if (!check()) area.listeners.add(check);
      });
    },
    /** Stops the worker and drops its memory; storage and windows stay. */
    stopWorker() {
      for (const port of wayToWorker.openPorts) port.close();
      workerLocks.end();
      workerLocks = addLockUser();
      managed?.listeners.clear();
      for (const set of [
        onMessage,
        onPageMessage,
        onInstalled,
        onStartup,
        onUpdateAvailable,
        onPermissionAdded,
        onCreated,
        onRemoved,
      ])
        set.clear();
    },
  };
}
