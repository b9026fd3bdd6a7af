// A browser in memory: storage, windows with events, messages, one worker at a time that can be stopped and started, and a
// sign-in window in the hands of the test. It behaves like Chromium or like Firefox, which the contract (tests/contract)
// compares with the real ones.

import type { WorkerBrowser } from '../../src/background/worker.ts';
import type { LineScope } from '../../src/bridge/line/serve-lines.ts';
import { parseBoard, type Board } from '../../src/bridge/session/board.ts';
import { createLine, toServiceWorker, toWindow, type Line } from '../../src/bridge/line/line.ts';
import type { RequestEvent } from '../../src/bridge/line/serve-lines.ts';
import { sendCommand } from '../../src/bridge/session/messages.ts';
import type { Command, Reply } from '../../src/session/commands.ts';
import type { MessageKey } from '../../src/popup/i18n/text.ts';
import { lookUp } from './english.ts';
import { createFakeLocks, type LockUser } from './fake-locks.ts';
import { FakeStorageArea, mannerOfRun, type FakeManagedStorage, type Manner } from './fake-storage.ts';
import { createFakeWindows, toEvent } from './fake-windows.ts';
import { createWayToWorker, type Tap } from './port-pair.ts';
import { untraced } from '../trips/trace.ts';

export { FakeManagedStorage, FakeStorageArea, type Manner } from './fake-storage.ts';
export type { FakeForeignWindow, FakeWindow } from './fake-windows.ts';

const extensionId = 'abcdefghijklmnopabcdefghijklmnop';
export const ownOrigin = `chrome-extension://${extensionId}`;

/** A browser with the whole API, as on a desktop. */
type WholeBrowser = WorkerBrowser & {
  readonly identity: NonNullable<WorkerBrowser['identity']>;
  readonly windows: NonNullable<WorkerBrowser['windows']>;
  readonly action: Required<WorkerBrowser['action']>;
};

/** The texts in which a browser refuses to open a popup. */
const noPopup = {
  chromium: 'Could not find an active browser window.',
  firefox: 'openPopup() cannot be called while another panel is open',
} as const;

export interface FakeBrowserOptions {
  /** The administrator's policies; without it the browser has no managed storage. */
  readonly managed?: FakeManagedStorage | null;
  readonly manner?: Manner;
  readonly tap?: Tap | undefined;
}

export function createFakeBrowser({ managed = null, manner = mannerOfRun, tap }: FakeBrowserOptions = {}) {
  const local = new FakeStorageArea('local', manner);
  const memory = new FakeStorageArea('session', manner);
  const { launchWebAuthFlow, openForeignWindow, nextWindow, closeAll, ...shownWindows } =
    createFakeWindows(manner);
  const onPageMessage = new Set<(event: RequestEvent) => void>();
  const onInstalled = new Set<(details: { reason: string }) => void>();
  const onStartup = new Set<() => void>();
  const onUpdateAvailable = new Set<() => void>();
  const onPermissionAdded = new Set<() => void>();
  const tell = (listeners: ReadonlySet<() => void>) => listeners.forEach((listener) => listener());
  /** `calls` counts those whose only effect is that the worker goes on. */
  const shown = { popups: 0, pagesOpen: 0, refusesPopup: false, reloads: 0, calls: 0 };
  /** Whether the popup that the worker opened is still there. A window in front of it closes it. */
  let isPopupOpen = false;
  const closePopup = () => void (isPopupOpen = false);
  shownWindows.onCreated.add(closePopup);
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

  const browser: WholeBrowser = {
    identity: {
      launchWebAuthFlow,
      getRedirectURL: (path) => `https://${extensionId}.chromiumapp.org/${path}`,
    },
    windows: shownWindows.api,
    tabs: shownWindows.tabs,
    permissions: { onAdded: toEvent(onPermissionAdded) },
    storage: { local, session: memory, ...(managed !== null && { managed }) },
    management: { getSelf: () => Promise.resolve({ installType: managed?.installType ?? 'normal' }) },
    action: {
      openPopup() {
        if (shown.refusesPopup || isPopupOpen) return Promise.reject(new Error(noPopup[manner]));
        shown.popups += 1;
        isPopupOpen = true;
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
      getURL: (path) => `${ownOrigin}/${path}`,
      getContexts: () => Promise.resolve(Array.from({ length: shown.pagesOpen + Number(isPopupOpen) })),
      onInstalled: toEvent(onInstalled),
      onStartup: toEvent(onStartup),
      onUpdateAvailable: toEvent(onUpdateAvailable),
      getPlatformInfo() {
        shown.calls += 1;
        return Promise.resolve({ os: 'linux' });
      },
      reload: () => void (shown.reloads += 1),
      // Firefox alone has it.
      ...(manner === 'firefox' && { getBrowserInfo: () => Promise.resolve({ name: 'Firefox' }) }),
    },
  };

  const addLockUser = createFakeLocks();
  let workerLocks = addLockUser();
  const scope: LineScope = {
    addEventListener: (_type, listener) => void onPageMessage.add(listener),
    get navigator() {
      return workerLocks;
    },
  };

  const deliver = (event: RequestEvent) => {
    for (const listener of onPageMessage) listener(event);
  };
  const wayToWorker = createWayToWorker((message) => deliver({ ...message, origin: ownOrigin }), tap);
  /** Creates the line of a page to the worker. */
  const addLine = (page: LockUser): Line =>
    createLine(
      () =>
        Promise.resolve(
          manner === 'firefox' ? toWindow(scope as object) : toServiceWorker(wayToWorker.scope),
        ),
      page.locks,
    );

  /** Told when the worker stops. */
  const onWorkerStopped = new Set<() => void>();
  const sender = addLockUser();
  void sender.locks.request('the page', () => new Promise(() => undefined));
  /** A line that delivers without a turn of the event loop, as Firefox's does, for the many scenes that send commands. */
  const commandLine: Line = (to, content, transfer, { onMessage, onLost }) => {
    const lose = () => onLost('stopped');
    onWorkerStopped.add(lose);
    // A message of the line itself is not for the listener.
    const receive = (message: unknown) => void ('acceptedBy' in (message as object) || onMessage(message));
    const post =
      onPageMessage.size === 0
        ? () => undefined
        : toWindow(scope as object)({ to, page: 'the page', content }, transfer, receive);
    if (onPageMessage.size === 0) queueMicrotask(() => onLost('unreachable'));
    return (message) => {
      onWorkerStopped.delete(lose);
      post(message);
    };
  };

  /** Sends the worker no more events. Returns what releases its locks, as its end does. Storage and windows stay. */
  const detachWorker = () => {
    for (const port of wayToWorker.openPorts) port.close();
    Reflect.deleteProperty(scope, 'latchkey');
    const { end } = workerLocks;
    workerLocks = addLockUser();
    managed?.listeners.clear();
    for (const set of [
      onPageMessage,
      onInstalled,
      onStartup,
      onUpdateAvailable,
      onPermissionAdded,
      shownWindows.onCreated,
      shownWindows.onRemoved,
    ])
      set.clear();
    tell(onWorkerStopped);
    onWorkerStopped.clear();
    return end;
  };

  const readBoard = (area = local): Board | null => untraced(() => parseBoard(area.items.get('board')));

  return {
    browser,
    scope,
    wayToWorker,
    addLine,
    commandLine,
    addLockUser,
    local,
    memory,
    shown,
    toolbar,
    silence: shownWindows.silence,
    windows: shownWindows.windows,
    loads: shownWindows.loads,
    openForeignWindow,
    nextWindow,
    /** Closes the popup that the worker opened, as a click beside it does. */
    closePopup,
    deliver,
    readBoard,
    send: (command: Command): Promise<Reply> => sendCommand(commandLine, command),
    allowHosts: () => tell(onPermissionAdded),
    offerUpdate: () => tell(onUpdateAvailable),
    install: (reason = 'install') => {
      for (const listener of onInstalled) listener({ reason });
    },
    /** Starts the browser: its toolbar button is the manifest's. */
    startUp: () => {
      Object.assign(toolbar, manifestToolbar);
      tell(onStartup);
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
    /** Ends what ends with the browser: its windows, and its memory. */
    endBrowser() {
      closeAll();
      closePopup();
      memory.items.clear();
    },
    detachWorker,
    /** Stops the worker and drops its memory; storage and windows stay. */
    stopWorker: () => detachWorker()(),
  };
}
