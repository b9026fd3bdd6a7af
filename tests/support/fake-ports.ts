// The messages and ports of one extension in memory, between a page and the worker: any listener may answer a message, and
// the first answer counts; a port reaches every listener; when the worker ends, what waits for it is told.

import type { Sender } from '../../src/bridge/session/messages.ts';
import type { CommandPort } from '../../src/library/own-ports.ts';
import { mannerOfRun, type Manner } from './fake-storage.ts';

const extensionId = 'abcdefghijklmnopabcdefghijklmnop';
export const ownPage = {
  id: extensionId,
  url: `chrome-extension://${extensionId}/src/popup/index.html`,
  origin: `chrome-extension://${extensionId}`,
} as const satisfies Sender;

const noReceiver = 'Could not establish connection. Receiving end does not exist.';

/** The texts in which a browser says what went wrong. */
const texts = {
  chromium: {
    ended:
      'A listener indicated an asynchronous response by returning true, but the message channel closed before a response was received',
    disconnected: 'Attempting to use a disconnected port object',
  },
  firefox: { ended: noReceiver, disconnected: 'Attempt to postMessage on disconnected port' },
} as const;

/** One end of a port. */
interface FakePort extends CommandPort {
  /** Hands over what the other end has sent. */
  receive(message: unknown): void;
  /** The other end was closed. */
  lose(): void;
}

function createEnd(
  name: string,
  sender: Sender | null,
  disconnected: string,
  findOthers: () => readonly FakePort[],
): FakePort {
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
      if (!isOpen) throw new Error(disconnected);
      for (const other of findOthers()) queueMicrotask(() => other.receive(structuredClone(message)));
    },
    disconnect() {
      if (close()) for (const other of findOthers()) queueMicrotask(() => other.lose());
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
export function createFakePorts(sender: Sender = ownPage, manner: Manner = mannerOfRun) {
  const onMessage = new Set<(message: unknown, sender: Sender) => unknown>();
  const onConnect = new Set<(port: CommandPort) => void>();
  const open = new Set<FakePort>();
  /** Reject what the worker has not answered. */
  const unanswered = new Set<() => void>();
  const text = texts[manner];

  /** Hands a message to the worker's listeners. The first answer counts; undefined if none gives one. */
  const deliver = (message: unknown, from: Sender): Promise<unknown> | undefined => {
    const answers = [...onMessage].map((listener) => listener(message, from));
    const given = answers.filter((answer) => answer !== undefined);
    return given.length === 0 ? undefined : Promise.race(given);
  };

  return {
    /** The ports of the page that are open. */
    open,
    deliver,
    id: ownPage.id,
    getURL: (path: string) => `${ownPage.origin}/${path}`,
    onMessage: {
      addListener: (listener: (message: unknown, sender: Sender) => unknown) => void onMessage.add(listener),
    },
    onConnect: { addListener: (listener: (port: CommandPort) => void) => void onConnect.add(listener) },
    connect({ name }: { readonly name: string }): CommandPort {
      const workers: FakePort[] = [];
      const page: FakePort = createEnd(name, null, text.disconnected, () => workers);
      open.add(page);
      page.onDisconnect.addListener(() => open.delete(page));
      for (const listener of onConnect) {
        const end = createEnd(name, sender, text.disconnected, () => [page]);
        workers.push(end);
        listener(end);
      }
      if (workers.length === 0) queueMicrotask(() => page.lose());
      const { disconnect } = page;
      return Object.assign(page, { disconnect: () => (open.delete(page), disconnect()) });
    },
    sendMessage(message: unknown): Promise<unknown> {
      if (onMessage.size === 0) return Promise.reject(new Error(noReceiver));
      const answer = deliver(structuredClone(message), sender);
      if (answer === undefined) return Promise.resolve(undefined);
      return new Promise((resolve, reject) => {
        const end = () => reject(new Error(text.ended));
        unanswered.add(end);
        answer.then(resolve, reject).finally(() => unanswered.delete(end));
      });
    },
    /** Ends the worker: it hears nothing from now on. */
    stopWorker() {
      onMessage.clear();
      onConnect.clear();
      for (const port of open) port.lose();
      for (const end of unanswered) end();
    },
  };
}
