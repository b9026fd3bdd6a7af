// The line between a page of the extension and its worker. The page sends a request, which wakes the worker. Then both send
// messages, until the page says that it is over. Content scripts and web pages reach neither end.
//
// In Chromium it is a MessageChannel. In Firefox the worker is a window in the page's own process, and the page calls a function
// of that window: Firefox sends the messages of a channel through another process, which takes three times as long.

/** The page's last message. */
export const over = 'over';

/** Sends a message, which may be anything that can be cloned. The buffers in `transfer` move. */
type Post = (message: unknown, transfer?: Transferable[]) => void;

/**
 * Sends a request to the worker, and calls `onMessage` with each message that comes back, which is not validated. Returns a
 * function that sends further messages. No message comes after it has sent {@link over}. Throws if the worker takes no request.
 */
export type Line = (
  request: object,
  transfer: Transferable[],
  onMessage: (message: unknown) => void,
) => (message: string) => void;

/**
 * Serves a request of a page of this extension, which `post` replies to. Returns a function that is called with the page's
 * further messages. Neither tells that the page has gone.
 */
export type Serve = (request: unknown, post: Post) => (message: unknown) => void;

/** The key of a request among other messages to the worker, and the name of the function in the window of Firefox's worker. */
const name = 'latchkey';

/** The part of a ServiceWorker that is used here. */
export interface MessageTarget {
  postMessage(message: unknown, options: { readonly transfer: Transferable[] }): void;
}

/** The line to Chromium's service worker. */
export function lineToServiceWorker(worker: MessageTarget): Line {
  return (request, transfer, onMessage) => {
    const { port1: port, port2 } = new MessageChannel();
    const listener = ({ data }: MessageEvent<unknown>) => onMessage(data);
    port.addEventListener('message', listener);
    port.start();
    worker.postMessage({ [name]: request }, { transfer: [port2, ...transfer] });
    return (message) => {
      port.postMessage(message);
      if (message !== over) return;
      port.removeEventListener('message', listener);
      port.close();
    };
  };
}

/** The window of Firefox's worker. */
export interface WorkerWindow {
  /** Missing until the worker's script has run. */
  readonly [name]?: (request: object, transfer: Transferable[], post: Post) => (message: string) => void;
}

/** The line to the window of Firefox's worker. */
export function lineToWindow(worker: WorkerWindow): Line {
  return (request, transfer, onMessage) => {
    let listener = onMessage;
    const post = worker[name]?.(request, transfer, (message, moved = []) =>
      listener(structuredClone(message, { transfer: moved })),
    );
    if (post === undefined) throw new Error('The worker has not started.');
    return (message) => {
      if (message === over) listener = () => undefined;
      try {
        post(message);
      } catch {
        // The worker has gone, and nothing of its window can be called any more.
      }
    };
  };
}

/** The worker's global scope. */
export interface LineScope {
  addEventListener(type: 'message', listener: (event: RequestEvent) => void): void;
}

/** The part of a `message` event that is used here. The browser fills in `origin`. */
export interface RequestEvent {
  readonly data: unknown;
  readonly origin: string;
  readonly ports: readonly MessagePort[];
}

/** Serves the requests of this extension's pages, whose origin is `ownOrigin`. Leaves other messages to other listeners. */
export function serveLines(scope: LineScope, ownOrigin: string, serve: Serve): void {
  scope.addEventListener('message', ({ data, origin, ports: [port] }) => {
    if (origin !== ownOrigin || port === undefined || !isRequest(data)) return;
    const onMessage = serve(data[name], (message, transfer = []) => port.postMessage(message, transfer));
    port.addEventListener('message', (event) => {
      if (event.data === over) port.close();
      onMessage(event.data);
    });
    port.start();
  });
  const serveWindow: WorkerWindow[typeof name] = (request, transfer, post) =>
    // A copy: nothing that belongs to a page's window can be used once it has closed.
    serve(structuredClone(request, { transfer }), (message, moved) => {
      // Later, as a channel does. It fails if the page has gone.
      Promise.resolve()
        .then(() => post(message, moved))
        .catch(() => undefined);
    });
  Object.assign(scope, { [name]: serveWindow });
}

function isRequest(message: unknown): message is { readonly [name]: unknown } {
  return typeof message === 'object' && message !== null && name in message;
}
