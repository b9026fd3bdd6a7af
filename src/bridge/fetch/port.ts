// The two ends of one request: a MessagePort, or where the worker is a window too, a port made of the messages between two
// windows. Firefox sends the messages of a MessagePort through another process, and those between windows directly.

/** The part of a MessagePort that a request uses. */
export interface Port {
  postMessage(message: unknown, transfer?: Transferable[]): void;
  addEventListener(type: 'message', listener: PortListener): void;
  removeEventListener(type: 'message', listener: PortListener): void;
  start(): void;
  close(): void;
}

type PortListener = (event: { readonly data: unknown }) => void;

/** A `message` event of a window. The browser fills in `source`. */
interface WindowMessage {
  readonly data: unknown;
  readonly source: object | null;
}

/** Another window of this extension. Its `postMessage` reaches no other origin, because none is named. */
export interface OtherWindow {
  postMessage(message: unknown, options: { readonly transfer: Transferable[] }): void;
}

/** A message that is meant for a port. */
export interface Letter {
  readonly latchkeyPort: string;
  readonly content: unknown;
}

export interface WindowPorts {
  /** Opens this window's end of the port `id` to `other`, which is null while it is not known. Null if the id is in use. */
  open(id: string, other: () => OtherWindow | null): Port | null;
  /** Hands a message to the port that it is meant for. False if there is none, or if another window has sent it. */
  receive(message: WindowMessage): boolean;
}

/** The ports of one window. Hand each `message` event of the window to `receive`. */
export function createWindowPorts(): WindowPorts {
  const ports = new Map<
    string,
    { readonly other: () => OtherWindow | null; readonly listeners: Set<PortListener> }
  >();
  return {
    open(id, other) {
      if (ports.has(id)) return null;
      const listeners = new Set<PortListener>();
      ports.set(id, { other, listeners });
      return {
        postMessage(content, transfer = []) {
          if (!ports.has(id)) return;
          try {
            other()?.postMessage({ latchkeyPort: id, content } satisfies Letter, { transfer });
          } catch {
            // The window has closed, which its lock tells.
          }
        },
        addEventListener: (_type, listener) => void listeners.add(listener),
        removeEventListener: (_type, listener) => void listeners.delete(listener),
        start: () => undefined,
        close: () => void ports.delete(id),
      };
    },
    receive({ data, source }) {
      const letter = readLetter(data);
      const port = ports.get(letter?.latchkeyPort ?? '');
      if (letter === null || port === undefined || port.other() !== source) return false;
      for (const listener of port.listeners) listener({ data: letter.content });
      return true;
    },
  };
}

/** Reads a message for a port; null for any other message. */
export function readLetter(message: unknown): Letter | null {
  if (typeof message !== 'object' || message === null || !('latchkeyPort' in message)) return null;
  const { latchkeyPort, content } = message as { latchkeyPort: unknown; content?: unknown };
  return typeof latchkeyPort === 'string' ? { latchkeyPort, content } : null;
}
