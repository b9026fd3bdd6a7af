// A fake of the browser's port, with both ends. Messages are cloned and arrive later, in order. Only the other end
// receives a disconnect event, and posting to a disconnected port throws.

import type { Port } from '../../src/bridge/fetch/protocol.ts';
import type { Sender } from '../../src/bridge/own-page.ts';

interface PortEnd extends Port {
  /** The number of listeners at this end. Zero once its user has cleaned up. */
  listening(): number;
}

/** Called with each message when it is posted. */
export type Tap = (from: 'page' | 'worker', message: unknown) => void;

export interface PortPair {
  readonly page: PortEnd;
  readonly worker: PortEnd;
}

/** Creates a connected pair. `sender` is what the worker's end shows as its sender. */
export function portPair(name: string, sender: Sender, tap: Tap = () => undefined): PortPair {
  const page = end(name, undefined, (message) => tap('page', message));
  const worker = end(name, sender, (message) => tap('worker', message));
  page.join(worker);
  worker.join(page);
  return { page, worker };
}

/** Resolves when all messages in flight have arrived. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}

interface Joinable extends PortEnd {
  join(other: Joinable): void;
  receive(message: unknown): void;
  lose(): void;
}

function end(name: string, sender: Sender | undefined, tap: (message: unknown) => void): Joinable {
  const messageListeners = new Set<(message: unknown) => void>();
  const disconnectListeners = new Set<() => void>();
  let status: 'open' | 'closed' = 'open';
  let other: Joinable;

  const event = <Listener>(listeners: Set<Listener>) => ({
    addListener: (listener: Listener) => void listeners.add(listener),
    removeListener: (listener: Listener) => void listeners.delete(listener),
  });
  return {
    name,
    sender,
    join(joined) {
      other = joined;
    },
    onMessage: event(messageListeners),
    onDisconnect: event(disconnectListeners),
    listening: () => messageListeners.size + disconnectListeners.size,
    postMessage(message: unknown) {
      if (status === 'closed') throw new Error('Attempting to use a disconnected port object');
      const copy = structuredClone(message);
      tap(message);
      setImmediate(() => other.receive(copy));
    },
    disconnect() {
      if (status === 'closed') return;
      status = 'closed';
      setImmediate(() => other.lose());
    },
    receive(message: unknown) {
      if (status === 'closed') return;
      for (const listener of messageListeners) listener(message);
    },
    lose() {
      if (status === 'closed') return;
      status = 'closed';
      for (const listener of disconnectListeners) listener();
    },
  };
}
