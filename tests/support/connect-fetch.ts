// Connects the page's half of a feature's fetch to the worker's half, without a browser.

import { openFetch } from '../../src/bridge/fetch/open-fetch.ts';
import { serveFetches, type AuthorizedFetch } from '../../src/bridge/fetch/serve-fetch.ts';
import { createFakeLocks } from './fake-locks.ts';
import { createWayToWorker, type Tap } from './port-pair.ts';

export const runtime = { id: 'latchkey', getURL: (path: string) => `chrome-extension://latchkey/${path}` };
/** A page of the extension, as Chromium shows it to the worker. */
export const ownPage = {
  origin: 'chrome-extension://latchkey',
  source: { url: runtime.getURL('popup.html') },
};

/** A page's fetch whose requests `authorizedFetch` makes in the worker. */
export function connectFetch(authorizedFetch: AuthorizedFetch, tap?: Tap, addLockUser = createFakeLocks()) {
  const [page, worker] = [addLockUser(), addLockUser()];
  const listener = serveFetches(runtime, authorizedFetch, () => undefined, worker.locks);
  const { scope, sent } = createWayToWorker((message) => listener({ ...message, ...ownPage }), tap);
  return { fetch: openFetch(() => Promise.resolve(scope), page.locks), page, worker, sent };
}
