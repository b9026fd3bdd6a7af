// The way of a page's request to the worker, and back. The channels are Node's own: messages are cloned, buffers are
// transferred, and everything arrives later and in order. As in a browser, neither end of a channel notices when the other
// has gone; locks show it.

import type { MessageTarget } from '../../src/bridge/line/line.ts';
import type { RequestEvent } from '../../src/bridge/line/serve-lines.ts';
import { turns } from './turns.ts';

/** Called with each message of a channel: when the worker posts it, or when it arrives from the page. */
export type Tap = (from: 'page' | 'worker', message: unknown) => void;

/**
 * Resolves when all messages in flight have arrived: after far more turns than a request and its acceptance take, with the locks
 * that they need.
 */
export const settled = () => turns(15);

/** Creates the way on which pages send requests to the worker, which gets them with `deliver`. */
export function createWayToWorker(
  deliver: (message: Pick<RequestEvent, 'data' | 'ports'>) => void,
  tap?: Tap,
) {
  const openPorts = new Set<MessagePort>();
  let count = 0;
  /** The worker, as a page sees it. */
  const scope: MessageTarget = {
    postMessage(data, { transfer }) {
      const ports = transfer.filter((one) => one instanceof MessagePort);
      const message = structuredClone({ data, ports }, { transfer });
      count += 1;
      for (const port of message.ports) {
        openPorts.add(port);
        port.addEventListener('close', () => openPorts.delete(port));
      }
      setImmediate(() => {
        if (tap !== undefined) for (const port of message.ports) watch(port, tap);
        deliver(message);
      });
    },
  };
  return {
    scope,
    /** The worker's ends of the channels that neither end has closed. */
    openPorts: openPorts as ReadonlySet<MessagePort>,
    /** The requests so far. */
    sent: () => count,
  };
}

function watch(port: MessagePort, tap: Tap): void {
  const post = port.postMessage.bind(port) as (message: unknown, transfer?: Transferable[]) => void;
  port.postMessage = (message: unknown, transfer?: unknown) => {
    tap('worker', message);
    post(message, transfer as Transferable[] | undefined);
  };
  port.addEventListener('message', ({ data }) => tap('page', data));
}
