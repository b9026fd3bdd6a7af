// The worker in the real browser: with the real network, clock, randomness and database.

import { persistence, providers } from 'latchkey:config';
import { browser } from '../bridge/browser.ts';
import type { Entry } from '../bridge/report/entries.ts';
import { toMatchPattern } from '../config/origins.ts';
import type { StartFeature } from './feature/feature-worker.ts';
import { createDatabase } from './vault/database.ts';
import { startWorker, type WorkerBrowser } from './worker.ts';

/**
 * Starts the worker for the configured providers, and in it the feature's own part. Call it before the script of the
 * worker has run to its end, because the browser calls only the listeners that are there by then. `own` is the browser, or
 * a part of it. Each entry of the journal is handed to `print`.
 */
export function startInBrowser(
  own: WorkerBrowser,
  startFeature: StartFeature,
  print?: (entry: Entry) => void,
): void {
  startWorker(
    own,
    self,
    {
      fetch: (url, init) => fetch(url, init),
      nowMs: () => Date.now(),
      randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
      isOnline: () => navigator.onLine,
      mayReach,
    },
    createDatabase,
    { providers, persistence },
    startFeature,
    print,
  );
}

/** Asks for the manifest's own patterns, which name the port in Chromium and not in Firefox. */
function mayReach(origin: string): Promise<boolean> {
  const { host_permissions: patterns = [] } = browser.runtime.getManifest() as {
    host_permissions?: string[];
  };
  const origins = patterns.filter(
    (pattern) => pattern === `${origin}/*` || pattern === toMatchPattern(origin),
  );
  return browser.permissions.contains({ origins });
}
