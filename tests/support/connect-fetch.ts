// Connects the two halves of a feature's fetch in the fake browser.

import { openFetch } from '../../src/bridge/fetch/open-fetch.ts';
import { serveFetches, type AuthorizedFetch } from '../../src/bridge/fetch/serve-fetch.ts';
import { createOwnLine } from '../../src/bridge/line/line.ts';
import { serveLines } from '../../src/bridge/line/serve-lines.ts';
import { createFakeBrowser, ownOrigin } from './fake-browser.ts';
import type { Tap } from './port-pair.ts';

/** A page's fetch whose requests `authorizedFetch` makes in the worker. */
export function connectFetch(authorizedFetch: AuthorizedFetch, tap?: Tap) {
  const { scope, addLockUser, addLine, wayToWorker } = createFakeBrowser({ manner: 'chromium', tap });
  const serve = serveFetches(authorizedFetch, () => undefined);
  serveLines(scope, ownOrigin, { fetch: serve, command: serve });
  const page = addLockUser();
  return { fetch: openFetch(addLine(page)), page, sent: wayToWorker.sent };
}

/** The fetch of a feature's half in the worker, whose requests `authorizedFetch` makes. */
export function connectOwnFetch(authorizedFetch: AuthorizedFetch): typeof fetch {
  return openFetch(createOwnLine(serveFetches(authorizedFetch, () => undefined)), 0);
}
