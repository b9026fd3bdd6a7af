// The sign-in window: identity.launchWebAuthFlow and the window that it opens, whose id the browser does not return.
// Browsers report failures as English sentences; only this file knows them.

import * as v from 'valibot';
import { createStorageItem, type StorageArea } from '../../bridge/storage-item.ts';
import { withTimeout } from '../../concurrency/timeout.ts';
import { ProblemError, type ProblemCode } from '../../session/problem.ts';

/** The parts of the browser that the window uses. */
export interface AuthWindowBrowser {
  readonly identity: {
    launchWebAuthFlow(details: { url: string; interactive: boolean }): Promise<string>;
  };
  readonly windows: {
    update(id: number, changes: { focused: boolean }): Promise<unknown>;
    remove(id: number): Promise<void>;
  };
  readonly memory: StorageArea;
}

export interface AuthWindow {
  /**
   * Opens the window at `url` and resolves with the URL that ends the flow. Throws {@link ProblemError}, with
   * `cancelled` when the person closes the window or {@link cancel} is called.
   */
  open(url: string): Promise<string>;
  /**
   * Follows the redirects of `url` without a window, and resolves with the URL that ends the flow. Throws
   * {@link ProblemError} if the provider shows a page, or after 15 s.
   */
  openSilently(url: string): Promise<string>;
  /** Brings the window to the front. False if it has not appeared yet. */
  show(): Promise<boolean>;
  /** Ends the running flow and closes its window, now or when it appears. */
  cancel(): Promise<void>;
  readonly onWindowCreated: (window: {
    readonly id?: number | undefined;
    readonly type?: string | undefined;
  }) => void;
  readonly onWindowRemoved: (id: number) => void;
}

/** By the beginning of the text: the rest changes between versions. */
const problemsByText: readonly (readonly [beginning: string, ProblemCode])[] = [
  ['The user did not approve access', 'cancelled'],
  ['User cancelled or denied access', 'cancelled'],
  ['User interaction required', 'expired'],
  ['Requires user interaction', 'expired'],
  ['Authorization page could not be loaded', 'sign-in-page-failed'],
  ['Authorization page load timed out', 'timed-out'],
  ['Invalid request', 'sign-in-page-failed'],
  ["Couldn't create a browser window", 'not-supported'],
  ['Identity API is disabled in incognito windows', 'not-supported'],
  ['The browser context has been shut down', 'interrupted'],
];

/** The problem behind a browser's text. An unknown text is `unexpected`, never `cancelled`. */
export function toWindowProblem(error: unknown): ProblemError {
  const text = error instanceof Error ? error.message : String(error);
  const code = problemsByText.find(([beginning]) => text.startsWith(beginning))?.[1] ?? 'unexpected';
  return new ProblemError(code, code === 'cancelled' ? null : text, { cause: error });
}

function throwWindowProblem(error: unknown): never {
  throw toWindowProblem(error);
}

function expectUrl(responseUrl: string): string {
  if (!responseUrl) throw new ProblemError('unexpected', 'The sign-in window ended with no URL.');
  return responseUrl;
}

/** The longest wait for the redirects of a silent sign-in. */
const silentTimeoutMs = 15_000;

interface Flow {
  windowId: number | null;
  readonly cancel: (reason: ProblemError) => void;
}

export function createAuthWindow({ identity, windows, memory }: AuthWindowBrowser): AuthWindow {
  /** The window's id, stored because the window survives its worker. */
  const storedId = createStorageItem(memory, 'auth-window', v.number());
  let current: Flow | null = null;
  /** Flows that were cancelled before their window appeared. A browser has no way to stop one. */
  const abandoned = new Set<Flow>();

  const close = (id: number) =>
    // Rejects if the window was closed meanwhile, which is fine.
    windows.remove(id).catch(() => undefined);

  const closeLeftOver = async () => {
    const id = await storedId.read();
    if (id === null) return;
    await storedId.remove();
    await close(id);
  };

  const launch = async (flow: Flow, url: string) => {
    await closeLeftOver();
    if (current !== flow) throw new ProblemError('cancelled');
    try {
      return await identity.launchWebAuthFlow({ url, interactive: true }).catch(throwWindowProblem);
    } finally {
      abandoned.delete(flow);
    }
  };

  return {
    async open(url) {
      let flow: Flow | null = null;
      try {
        const responseUrl = await new Promise<string>((resolve, reject) => {
          flow = current = { windowId: null, cancel: reject };
          launch(flow, url).then(resolve, reject);
        });
        return expectUrl(responseUrl);
      } finally {
        if (current === flow) current = null;
        await storedId.remove();
      }
    },

    async openSilently(url) {
      const launched = identity.launchWebAuthFlow({ url, interactive: false });
      return expectUrl(
        await withTimeout(launched.catch(throwWindowProblem), silentTimeoutMs, () => {
          throw new ProblemError('timed-out', 'The silent sign-in.');
        }),
      );
    },

    async show() {
      if (current === null || current.windowId === null) return false;
      await windows.update(current.windowId, { focused: true });
      return true;
    },

    async cancel() {
      const flow = current;
      if (flow === null) return;
      current = null;
      if (flow.windowId === null) abandoned.add(flow);
      flow.cancel(new ProblemError('cancelled'));
      if (flow.windowId !== null) await close(flow.windowId);
    },

    onWindowCreated({ id, type }) {
      if (id === undefined || type !== 'popup') return;
      if (current !== null && current.windowId === null) {
        current.windowId = id;
        void storedId.write(id);
      } else if (abandoned.size > 0) {
        void close(id);
      }
    },

    onWindowRemoved(id) {
      if (current?.windowId === id) current.windowId = null;
    },
  };
}
