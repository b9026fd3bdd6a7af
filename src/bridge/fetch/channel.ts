// The channel between a page and the worker for one request, on the page's side. Where the worker is a window too, as in
// Firefox, it is made of the messages between the two windows: those of a MessageChannel take three times as long there,
// because Firefox sends them through another process.

import { createWindowPorts, type Letter, type OtherWindow, type Port } from './port.ts';
import type { RequestMessage } from './protocol.ts';

/** The worker as a page reaches it: Chromium's ServiceWorker, or the window of Firefox's event page. */
export interface MessageTarget {
  postMessage(message: unknown, options: { readonly transfer: Transferable[] }): void;
}

/** A channel to the worker, for one request. */
export interface Channel {
  readonly port: Port;
  /** Sends the request, and with it the worker's end. */
  send(worker: MessageTarget, request: RequestMessage, transfer: Transferable[]): void;
}

/** Opens a channel of the platform, whose other end goes with the request. */
export function openMessageChannel(): Channel {
  const { port1: port, port2 } = new MessageChannel();
  return {
    port,
    send: (worker, request, transfer) => worker.postMessage(request, { transfer: [port2, ...transfer] }),
  };
}

/** The part of a page's window that receives the messages of other windows. */
export interface PageWindow {
  addEventListener(
    type: 'message',
    listener: (event: MessageEvent<unknown>) => void,
    options: { readonly capture: true },
  ): void;
}

/** Creates a function that opens channels made of the messages between `page` and a worker that is a window too. */
export function createWindowChannels(page: PageWindow): () => Channel {
  const ports = createWindowPorts();
  const onMessage = (event: MessageEvent<unknown>) => {
    // The feature's own listeners need not know these messages.
    if (ports.receive(event)) event.stopImmediatePropagation();
  };
  page.addEventListener('message', onMessage, { capture: true });
  return () => {
    const id = crypto.randomUUID();
    let other: OtherWindow | null = null;
    const port = ports.open(id, () => other);
    if (port === null) throw new Error('No id is given twice.');
    return {
      port,
      send(worker, request, transfer) {
        other = worker;
        worker.postMessage({ latchkeyPort: id, content: request } satisfies Letter, { transfer });
      },
    };
  };
}
