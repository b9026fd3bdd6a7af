// Connects the page's half of a feature's fetch to the worker's half, without a browser.

import { fetchPortName, type Port } from '../../src/bridge/fetch/protocol.ts';
import { openFetch } from '../../src/bridge/fetch/open-fetch.ts';
import { serveFetches, type AuthorizedFetch } from '../../src/bridge/fetch/serve-fetch.ts';
import { portPair, type PortPair, type Tap } from './port-pair.ts';

export const runtime = { id: 'latchkey', getURL: (path: string) => `chrome-extension://latchkey/${path}` };
export const ownPage = {
  id: runtime.id,
  url: runtime.getURL('popup.html'),
  origin: 'chrome-extension://latchkey',
};

/** A page's fetch whose requests `authorizedFetch` makes in the worker, and the ports that it has opened so far. */
export function connectFetch(
  authorizedFetch: AuthorizedFetch,
  tap?: Tap,
): { fetch: typeof fetch; ports: PortPair[] } {
  const listener: (port: Port) => void = serveFetches(runtime, authorizedFetch, () => undefined);
  const ports: PortPair[] = [];
  const connect = () => {
    const pair = portPair(fetchPortName, ownPage, tap);
    ports.push(pair);
    setImmediate(() => listener(pair.worker));
    return pair.page;
  };
  return { fetch: openFetch(connect), ports };
}
