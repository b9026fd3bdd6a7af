// The messages and ports of one extension in memory, between a page and the worker: any listener may answer a message, and
// the first answer counts; a port reaches every listener.

import type { Sender } from '../../src/bridge/session/messages.ts';
import type { CommandPort } from '../../src/library/own-ports.ts';
import { ownPage } from './fake-browser.ts';

type OnMessage = (message: unknown, sender: Sender) => unknown;

/** One end of a port. */
interface FakePort extends CommandPort {
  /** Hands over what the other end has sent. */
  receive(message: unknown): void;
  /** The other end was closed. */
  lose(): void;
}

function createEnd(name: string, sender: Sender | null, findOthers: () => readonly FakePort[]): FakePort {
  const messages = new Set<(message: unknown) => void>();
  const ends = new Set<() => void>();
  let isOpen = true;
  const close = () => {
    const wasOpen = isOpen;
    isOpen = false;
    return wasOpen;
  };
  return {
    name,
    ...(sender !== null && { sender }),
    onMessage: { addListener: (listener) => void messages.add(listener) },
    onDisconnect: { addListener: (listener) => void ends.add(listener) },
    postMessage(message) {
      if (!isOpen) throw new Error('Attempting to use a disconnected port object');
      for (const other of findOthers()) queueMicrotask(() => other.receive(structuredClone(message)));
    },
    disconnect() {
      if (close()) for (const other of findOthers()) other.lose();
    },
    receive(message) {
      if (isOpen) for (const listener of messages) listener(message);
    },
    lose() {
      if (close()) for (const listener of ends) listener();
    },
  };
}

/** An extension whose page has `sender`, as the browser describes it. */
export function createFakePorts(sender: Sender = ownPage) {
  const onMessage = new Set<OnMessage>();
  const onConnect = new Set<(port: CommandPort) => void>();
  const open = new Set<FakePort>();
  return {
    /** The ports of the page that are open. */
    open,
    onMessage: { addListener: (listener: OnMessage) => void onMessage.add(listener) },
    onConnect: { addListener: (listener: (port: CommandPort) => void) => void onConnect.add(listener) },
    id: ownPage.id,
    getURL: (path: string) => `${ownPage.origin}/${path}`,
    connect({ name }: { readonly name: string }): CommandPort {
      const workers: FakePort[] = [];
      const page: FakePort = createEnd(name, null, () => workers);
      open.add(page);
      page.onDisconnect.addListener(() => open.delete(page));
      for (const listener of onConnect) {
        const end = createEnd(name, sender, () => [page]);
        workers.push(end);
        listener(end);
      }
      if (workers.length === 0) queueMicrotask(() => page.lose());
      const { disconnect } = page;
      return Object.assign(page, { disconnect: () => (open.delete(page), disconnect()) });
    },
    /** Each listener gets the message, and the first answer wins: that of an async listener, whatever it is. */
    sendMessage(message: unknown): Promise<unknown> {
      const answers = [...onMessage].map((listener) => listener(message, sender));
      return Promise.race(answers.filter((answer) => answer !== undefined));
    },
  };
}
