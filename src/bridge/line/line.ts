// The line between a page of the extension and its worker, on the page's side. The page sends a request, which wakes the worker.
// Then both send messages, until the page closes it. Content scripts and web pages reach neither end.
//
// In Chromium it is a MessageChannel. In Firefox the worker is a window in the page's own process, and the page calls a function
// of that window: Firefox sends the messages of a channel through another process, which takes three times as long.

import type { Serve } from './serve-lines.ts';

/** The page's last message. */
export const close = 'closed';

/** The services that a page may ask the worker for. */
export type Service = 'command' | 'fetch';

/** Why a line has ended: the worker couldn't be reached, or it has gone since. */
export type Loss = 'unreachable' | 'stopped';

/** The page's end of a line. */
export interface Listener {
  /** Gets each message of the worker: a copy, which isn't validated. */
  onMessage(message: unknown): void;
  /** Called once if the worker can't be reached, doesn't accept the request in 10 s, or goes. No message comes after that. */
  onLost(loss: Loss): void;
}

/**
 * Sends a request to the worker. The buffers in `transfer` move. Returns a function that sends more messages. Nothing comes
 * and nothing is sent after {@link close}.
 */
export type Line = (
  to: Service,
  content: unknown,
  transfer: Transferable[],
  listener: Listener,
) => (message: string) => void;

/** A request on its way. `page` names the lock that the page holds as long as it lives. */
export interface LineRequest {
  readonly to: Service;
  readonly page: string;
  readonly content: unknown;
}

/** The worker's word that it has a request: the name of the lock that it holds as long as it lives, or null if it got none. */
export interface Acceptance {
  readonly acceptedBy: string | null;
}

/** Brings a request to the worker, and its messages to `receive`. Throws if the worker takes none. */
export type Transport = (
  request: LineRequest,
  transfer: Transferable[],
  receive: (message: unknown) => void,
) => (message: string) => void;

/** Generous: the worker accepts a request before it does anything for it. */
const acceptTimeoutMs = 10_000;

/** Creates a page's line. `findWorker` resolves with the way to the worker, and rejects if there is none. */
export function createLine(findWorker: () => Promise<Transport>, locks: Locks): Line {
  const watch = createWatch(locks);
  const life = createLife(locks);
  return (to, content, transfer, { onMessage, onLost }) => {
    let status: 'open' | 'closed' = 'open';
    let unwatch: () => void = () => undefined;

    const post = (message: string) => {
      if (status === 'closed') return;
      if (message === close) {
        status = 'closed';
        clearTimeout(timer);
        unwatch();
      }
      sent.then((send) => send?.(message)).catch(() => undefined);
    };
    const lose = (loss: Loss) => {
      if (status === 'closed') return;
      post(close);
      onLost(loss);
    };
    const receive = (message: unknown) => {
      if (status === 'closed') return;
      if (!isAcceptance(message)) return onMessage(message);
      clearTimeout(timer);
      if (message.acceptedBy === null) lose('stopped');
      else unwatch = watch(message.acceptedBy, () => lose('stopped'));
    };

    const timer = setTimeout(() => lose('stopped'), acceptTimeoutMs);
    const sent = Promise.all([findWorker(), life()]).then(([carry, page]) =>
      status === 'closed' ? null : carry({ to, page, content }, transfer, receive),
    );
    sent.catch(() => lose('unreachable'));
    return post;
  };
}

function isAcceptance(message: unknown): message is Acceptance {
  return typeof message === 'object' && message !== null && 'acceptedBy' in message;
}

/** The part of a ServiceWorker that is used here. */
export interface MessageTarget {
  postMessage(message: unknown, options: { readonly transfer: Transferable[] }): void;
}

/** The way to Chromium's service worker. */
export function toServiceWorker(worker: MessageTarget): Transport {
  return (latchkey, transfer, receive) => {
    const { port1: port, port2 } = new MessageChannel();
    const listener = ({ data }: MessageEvent<unknown>) => receive(data);
    port.addEventListener('message', listener);
    port.start();
    worker.postMessage({ latchkey }, { transfer: [port2, ...transfer] });
    return (message) => {
      port.postMessage(message);
      if (message !== close) return;
      port.removeEventListener('message', listener);
      port.close();
    };
  };
}

/** The window of Firefox's worker. */
export interface WorkerWindow {
  /** Missing until the worker's script has run. */
  readonly latchkey?: (
    request: LineRequest,
    transfer: Transferable[],
    receive: (message: unknown, transfer?: Transferable[]) => void,
  ) => (message: string) => void;
}

/** The way to the window of Firefox's worker. */
export function toWindow(worker: WorkerWindow): Transport {
  return (request, transfer, receive) => {
    let listener = receive;
    const post = worker.latchkey?.(request, transfer, (message, moved = []) =>
      listener(structuredClone(message, { transfer: moved })),
    );
    if (post === undefined) throw new Error('The worker has not started.');
    return (message) => {
      // The worker may hold on to this function, which then refers to nothing of the page.
      if (message === close) listener = () => undefined;
      post(message);
    };
  };
}

// Tells a page when the worker is gone, and the worker when a page is. A MessagePort does neither. Each side holds a
// lock as long as it lives, and the browser gives the lock to the other side when the holder ends, in whatever way.

/** The part of the browser's `navigator.locks` that is used here. */
export type Locks = Pick<LockManager, 'request'>;

/**
 * A function that takes a lock for as long as this page or worker lives, and resolves with its name once it is held. All
 * calls share the lock; after a failure the next one tries again.
 */
export function createLife(locks: Locks): () => Promise<string> {
  let life: Promise<string> | null = null;
  const hold = () =>
    new Promise<string>((resolve, reject) => {
      const name = `latchkey:${crypto.randomUUID()}`;
      const live = () => {
        resolve(name);
        return new Promise<never>(() => undefined);
      };
      locks.request(name, live).catch((error: unknown) => {
        life = null;
        reject(error);
      });
    });
  return () => (life ??= hold());
}

/** Calls `onGone` once the holder of the lock `name` has gone, unless the function that it returns is called before. */
export type Watch = (name: string, onGone: () => void) => () => void;

/** Creates a watch that asks the browser for each lock once, however many requests wait for it. */
export function createWatch(locks: Locks): Watch {
  const waiting = new Map<string, Set<() => void>>();
  // A function of its own: the browser keeps what it refers to, which must not be one of the requests.
  const ask = (name: string) => {
    const listeners = new Set<() => void>();
    waiting.set(name, listeners);
    const tell = () => {
      waiting.delete(name);
      for (const listener of listeners) listener();
    };
    // If the browser grants no locks, the holder didn't get one either.
    locks.request(name, { mode: 'shared' }, tell).catch(tell);
    return listeners;
  };
  return (name, onGone) => {
    const listeners = waiting.get(name) ?? ask(name);
    listeners.add(onGone);
    return () => void listeners.delete(onGone);
  };
}

/** Creates the worker's line to itself, for the feature's background code. It's never lost, because both ends live equally long. */
export function createOwnLine(serve: Serve): Line {
  return (_to, content, _transfer, { onMessage }) => {
    let status: 'open' | 'closed' = 'open';
    const tell = serve(content, (message) => {
      // Later, as on the line of a page.
      queueMicrotask(() => {
        if (status === 'open') onMessage(message);
      });
    });
    return (message) => {
      if (status === 'closed') return;
      if (message === close) status = 'closed';
      tell(message);
    };
  };
}
