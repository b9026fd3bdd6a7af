// The worker's entry: the worker in the real browser, with the real network, clock, randomness
// and database.

import { persistence, providers } from 'latchkey:config';
import { browser } from '../bridge/browser.ts';
import { toMatchPattern } from '../config/origins.ts';
import startFeature from '../feature/worker.ts';
import { createDatabase } from './vault/database.ts';
import { startWorker } from './worker.ts';

const asked = (browser.runtime.getManifest() as { host_permissions?: string[] }).host_permissions ?? [];

/** By the very patterns of the manifest, which name the port in one browser and not in the other. */
function mayReach(origin: string): Promise<boolean> {
  const origins = asked.filter((pattern) => pattern === `${origin}/*` || pattern === toMatchPattern(origin));
  return browser.permissions.contains({ origins });
}

startWorker(
  browser,
  {
    fetch: (url, init) => fetch(url, init),
    nowMs: () => Date.now(),
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
    isOnline: () => navigator.onLine,
    mayReach,
  },
  createDatabase(),
  { providers, persistence },
  startFeature,
);
