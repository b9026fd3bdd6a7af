// The worker's entry: the worker in the real browser, with the real network, clock, randomness
// and database.

import { persistence, providers } from 'latchkey:config';
import { browser } from '../bridge/browser.ts';
import { createDatabase } from './database.ts';
import { startWorker } from './worker.ts';

startWorker(
  browser,
  {
    fetch: (url, init) => fetch(url, init),
    nowMs: () => Date.now(),
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
    isOnline: () => navigator.onLine,
  },
  createDatabase(),
  { providers, persistence },
);
