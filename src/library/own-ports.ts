// Commands over ports of their own. An extension may have a listener that answers every message: an `async` one always
// does. The first answer counts, so a command that is a message might get the answer of that listener.

import type { MessageRuntime, Sender } from '../bridge/session/messages.ts';
import type { WorkerBrowser } from '../background/worker.ts';

const name = 'latchkey';
/** The key of a reply. Other listeners may send messages over a port too. */
const envelope = 'latchkey';

/** The part of a port of `browser.runtime` that is used here. */
export interface CommandPort {
  readonly name: string;
  /** The page that opened the port, as the browser describes it. Only the worker's end has one. */
  readonly sender?: Sender;
  /** Firefox alone says here why the port is closed. */
  readonly error?: { readonly message?: string } | null;
  readonly onMessage: { addListener(listener: (message: unknown) => void): void };
  readonly onDisconnect: { addListener(listener: () => void): void };
  postMessage(message: unknown): void;
  disconnect(): void;
}

/** The part of a page's `browser.runtime` that opens ports. */
export interface ConnectRuntime extends Omit<MessageRuntime, 'sendMessage'> {
  connect(settings: { readonly name: string }): CommandPort;
  /** Chromium says here why a port is closed, and prints an error unless it is read. */
  readonly lastError?: { readonly message?: string } | null;
}

/** The part of the worker's `browser.runtime` that accepts ports. */
export interface AcceptRuntime {
  readonly onConnect: { addListener(listener: (port: CommandPort) => void): void };
}

/**
 * The runtime of a page, which sends each message over a port of its own. `sendMessage` resolves with the worker's reply,
 * and rejects if the port is closed before.
 */
export function sendOverPorts(runtime: ConnectRuntime): MessageRuntime {
  return {
    id: runtime.id,
    getURL: (path) => runtime.getURL(path),
    sendMessage: (message) =>
      new Promise((resolve, reject) => {
        const port = runtime.connect({ name });
        port.onMessage.addListener((reply) => {
          if (!isReply(reply)) return;
          resolve(reply[envelope]);
          port.disconnect();
        });
        port.onDisconnect.addListener(() => {
          const reason = port.error?.message ?? runtime.lastError?.message;
          reject(new Error(reason ?? 'The worker closed the port.'));
        });
        port.postMessage(message);
      }),
  };
}

/** The worker's `onMessage`, for the messages that {@link sendOverPorts} sends. Other ports are left alone. */
export function acceptPorts({ onConnect }: AcceptRuntime): WorkerBrowser['runtime']['onMessage'] {
  return {
    addListener(listener) {
      onConnect.addListener((port) => {
        if (port.name !== name) return;
        const { sender } = port;
        port.onMessage.addListener((message) => {
          const reply = sender === undefined ? undefined : listener(message, sender);
          const post = (value: unknown) => port.postMessage({ [envelope]: value });
          // A closed port refuses the reply: the page has gone. A reply that fails is missing, and the page's timeout ends.
          reply?.then(post).catch(() => undefined);
        });
      });
    },
  };
}

function isReply(message: unknown): message is { readonly [envelope]: unknown } {
  return typeof message === 'object' && message !== null && envelope in message;
}
