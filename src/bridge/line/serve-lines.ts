// The worker's side of the lines from the pages of the extension.

import {
  createLife,
  createWatch,
  type Locks,
  close,
  type Acceptance,
  type Service,
  type LineRequest,
  type WorkerWindow,
} from './line.ts';

/** Sends a message to the page: anything that can be cloned. The buffers in `transfer` move. */
type Post = (message: unknown, transfer?: Transferable[]) => void;

/**
 * Serves the request of a page, whose content isn't validated. Returns a function that is called with each later message of the
 * page, and with `closed` as the last one, when the page has enough or has gone.
 */
export type Serve = (content: unknown, post: Post) => (message: unknown) => void;

/** The worker's global scope. */
export interface LineScope {
  addEventListener(type: 'message', listener: (event: RequestEvent) => void): void;
  readonly navigator: { readonly locks: Locks };
}

/** The part of a `message` event that is used here. The browser fills in `origin`. */
export interface RequestEvent {
  readonly data: unknown;
  readonly origin: string;
  readonly ports: readonly MessagePort[];
}

/**
 * Serves the lines of this extension's pages, whose origin is `ownOrigin`, from now on. Leaves other messages to other
 * listeners.
 */
export function serveLines(
  scope: LineScope,
  ownOrigin: string,
  services: Readonly<Record<Service, Serve>>,
): void {
  const { locks } = scope.navigator;
  const watch = createWatch(locks);
  const life = createLife(locks);

  const accept = ({ to, page, content }: LineRequest, post: Post) => {
    let tell = services[to](content, post);
    const receive = (message: unknown) => {
      tell(message);
      if (message !== close) return;
      tell = () => undefined;
      unwatch();
    };
    const answer = (acceptance: Acceptance) => post(acceptance);
    // The page has gone, unless the browser has refused a lock.
    const lose = () => {
      answer({ acceptedBy: null });
      receive(close);
    };
    const unwatch = watch(page, lose);
    life().then((acceptedBy) => answer({ acceptedBy }), lose);
    return receive;
  };

  scope.addEventListener('message', ({ data, origin, ports: [port] }) => {
    const request = origin === ownOrigin ? readRequest(data) : null;
    if (request === null || port === undefined) return;
    const receive = accept(request, (message, transfer = []) => port.postMessage(message, transfer));
    port.addEventListener('message', (event) => {
      if (event.data === close) port.close();
      receive(event.data);
    });
    port.start();
  });
  const latchkey: WorkerWindow['latchkey'] = (request, transfer, receive) =>
    // A copy: nothing that belongs to a page's window can be used once it has closed.
    accept(structuredClone(request, { transfer }), (message, moved) => {
      // Later, as a channel does. It fails if the page has gone.
      Promise.resolve()
        .then(() => receive(message, moved))
        .catch(() => undefined);
    });
  Object.assign(scope, { latchkey });
}

/** Reads a page's message; null if it isn't a request for one of our services. */
function readRequest(message: unknown): LineRequest | null {
  const { latchkey } = (message ?? {}) as { readonly latchkey?: Partial<LineRequest> | null };
  const isOurs = latchkey?.to === 'command' || latchkey?.to === 'fetch';
  return isOurs && typeof latchkey.page === 'string' ? (latchkey as LineRequest) : null;
}
