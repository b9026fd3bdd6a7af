// The worker's listeners. An event that wakes a worker only reaches those that its script has registered when it ends.

import { safe, detail } from '../session/detail.ts';
import { serveLines, type Serve } from '../bridge/line/serve-lines.ts';
import { serveCommands } from '../bridge/session/messages.ts';
import type { Journal } from './journal.ts';
import type { AuthWindow } from './provider/window.ts';
import type { WiredSession } from './session/wiring.ts';
import type { WorkerBrowser, WorkerScope } from './worker-browser.ts';

/** The parts that the browser and the pages call. */
export interface ListeningParts {
  readonly session: WiredSession;
  readonly serveFetch: Serve;
  readonly authWindow: AuthWindow;
  readonly onUpdateOffered: () => void;
  readonly journal: Journal;
}

/** Registers all of them. */
export function listen(
  { runtime, windows, permissions }: WorkerBrowser,
  scope: WorkerScope,
  { session, serveFetch, authWindow, onUpdateOffered, journal }: ListeningParts,
): void {
  const { start, onBrowserStarted, onHostsAllowed } = session;
  // A failure is reported to the next page that asks.
  const run = (work: () => Promise<void>) => void work().catch(() => undefined);
  const note = (event: BrowserEvent) => journal.note(detail`browser-event: ${safe(event)}`);

  serveLines(scope, runtime.getURL('').slice(0, -1), {
    command: serveCommands(session.handle),
    fetch: serveFetch,
  });
  // Firefox for Android has none.
  windows?.onCreated.addListener(authWindow.onWindowCreated);
  windows?.onRemoved.addListener(authWindow.onWindowRemoved);
  runtime.onInstalled.addListener(({ reason }) => {
    const event = toInstallation(reason);
    if (event !== null) note(event);
    run(event === 'install' ? onBrowserStarted : start);
  });
  // A browser that starts shows the manifest's toolbar button; starting the worker sets it.
  runtime.onStartup.addListener(() => {
    note('startup');
    run(onBrowserStarted);
  });
  // Without this listener Firefox would update at once, in the middle of a sign-in.
  runtime.onUpdateAvailable.addListener(() => {
    note('update-available');
    onUpdateOffered();
  });
  permissions.onAdded.addListener(() => {
    note('hosts-allowed');
    run(onHostsAllowed);
  });
}

type Installation = 'install' | 'update' | 'browser-update';
type BrowserEvent = Installation | 'startup' | 'update-available' | 'hosts-allowed';

function toInstallation(reason: string): Installation | null {
  if (reason === 'install' || reason === 'update') return reason;
  // Chromium says `chrome_update`, Firefox `browser_update`.
  return reason.endsWith('_update') ? 'browser-update' : null;
}
