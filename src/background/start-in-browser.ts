// The worker in the real browser: with the real network, clock, randomness and database.

import {
  autoSignIn,
  persistence,
  policies,
  policyOrigins,
  providers,
  rememberAccounts,
} from 'latchkey:config';
import parts from 'latchkey:parts';
import { browser } from '../bridge/browser.ts';
import { toMatchPattern } from '../config/manifest.ts';
import type { StartFeature } from './feature/feature-worker.ts';
import { createDatabase } from './record/database.ts';
import { startWorker, type WorkerBrowser } from './worker.ts';

/**
 * Starts the worker for the configured providers, and in it the feature's own part. Call it before the script of the
 * worker has run to its end, because the browser calls only the listeners that are there by then. `own` is the browser, or
 * a part of it. Each line of the journal is passed to `print`. `redirects` says whether the content security policy is the
 * build's own, which keeps redirects to the configured hosts.
 */
export function startInBrowser(
  own: WorkerBrowser,
  startFeature: StartFeature,
  redirects?: 'confined',
  print?: (line: string) => void,
): void {
  startWorker(
    own,
    self,
    {
      // Bound now: in Firefox each page of the extension can replace the one of this window, and would hear tokens.
      fetch: fetch.bind(self),
      nowMs: () => Date.now(),
      randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
      isOnline: () => navigator.onLine,
      mayReach,
      redirects,
      // oxlint-disable-next-line no-console -- no page shows it, and a developer looks there
      warn: (line) => console.warn(line),
    },
    createDatabase,
    { providers, persistence, autoSignIn, rememberAccounts, policies, policyOrigins },
    parts,
    startFeature,
    {
      // oxlint-disable-next-line no-console -- an administrator who tries a policy out looks there
      warn: (problems) => console.warn(`The policy is not used.\n${problems.join('\n')}`),
      print,
    },
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
