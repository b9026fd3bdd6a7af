// Connects the page's half of a feature's fetch to the worker's half, without a browser.

import { openFetch } from '../../src/bridge/fetch/open-fetch.ts';
import { serveFetches, type AuthorizedFetch } from '../../src/bridge/fetch/serve-fetch.ts';
import { lineToServiceWorker, serveLines } from '../../src/bridge/line.ts';
import { createFakeLocks } from './fake-locks.ts';
import { createWayToWorker, type Tap } from './port-pair.ts';

const origin = 'chrome-extension://latchkey';

/** A page's fetch whose requests `authorizedFetch` makes in the worker. */
export function connectFetch(authorizedFetch: AuthorizedFetch, tap?: Tap, addLockUser = createFakeLocks()) {
  const [page, worker] = [addLockUser(), addLockUser()];
  const serve = serveFetches(authorizedFetch, () => undefined, worker.locks);
  const addEventListener: Parameters<typeof serveLines>[0]['addEventListener'] = (_type, listener) =>
    void (deliver = (message) => listener({ ...message, origin }));
  let deliver: Parameters<typeof createWayToWorker>[0] = () => undefined;
  serveLines({ addEventListener }, origin, serve);
  const { scope, sent } = createWayToWorker((message) => deliver(message), tap);
  const line = lineToServiceWorker(scope);
  return { fetch: openFetch(() => Promise.resolve(line), page.locks), page, worker, sent };
}
