// Connects the two halves of a feature's fetch without a browser.

import { openFetch } from '../../src/bridge/fetch/open-fetch.ts';
import { serveFetches, type AuthorizedFetch } from '../../src/bridge/fetch/serve-fetch.ts';
import { createOwnLine } from '../../src/bridge/line/own-line.ts';
import { createLine, toServiceWorker } from '../../src/bridge/line/line.ts';
import { serveLines, type RequestEvent } from '../../src/bridge/line/serve-lines.ts';
import { createFakeLocks } from './fake-locks.ts';
import { createWayToWorker, type Tap } from './port-pair.ts';

const origin = 'chrome-extension://latchkey';

/** A page's fetch whose requests `authorizedFetch` makes in the worker. */
export function connectFetch(authorizedFetch: AuthorizedFetch, tap?: Tap) {
  const addLockUser = createFakeLocks();
  const [page, worker] = [addLockUser(), addLockUser()];
  let deliver: (event: RequestEvent) => void = () => undefined;
  const scope = {
    addEventListener: (_type: 'message', listener: typeof deliver) => void (deliver = listener),
    navigator: worker,
  };
  const serve = serveFetches(authorizedFetch, () => undefined);
  serveLines(scope, origin, { fetch: serve, command: serve });
  const way = createWayToWorker((message) => deliver({ ...message, origin }), tap);
  const line = createLine(() => Promise.resolve(toServiceWorker(way.scope)), page.locks);
  return { fetch: openFetch(line), page, sent: way.sent };
}

/** The fetch of a feature's half in the worker, whose requests `authorizedFetch` makes. */
export function connectOwnFetch(authorizedFetch: AuthorizedFetch): typeof fetch {
  return openFetch(createOwnLine(serveFetches(authorizedFetch, () => undefined)), 0);
}
