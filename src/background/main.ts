// The worker's entry point: the worker in the real browser, with the real network, clock, randomness and database.

import { persistence, policyOrigins, providers } from 'latchkey:config';
import { browser } from '../bridge/browser.ts';
import type { Entry } from '../bridge/report/entries.ts';
import { toMatchPattern } from '../config/origins.ts';
import { readPolicy } from '../config/policy.ts';
import startFeature from '../feature/worker.ts';
import { createDatabase } from './vault/database.ts';
import { startWorker } from './worker.ts';

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

/** Prints the journal to the worker's console in a development build; a production build does not contain it. */
function print(entry: Entry): void {
  // oxlint-disable-next-line no-console -- development only
  if (import.meta.env.DEV) console.debug('Latchkey journal:', entry);
}

startWorker(
  browser,
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
  {
    readPolicy: (policy) => readPolicy(policy, { providers, persistence, policyOrigins }),
    // oxlint-disable-next-line no-console -- an administrator who tries a policy out looks there
    warn: (problems) => console.warn(`Latchkey: the policy is not used.\n${problems.join('\n')}`),
    print,
  },
);
