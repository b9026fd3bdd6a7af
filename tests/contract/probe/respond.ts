// The worker's part of the rows in which a page speaks to it.

import type { ProbedBrowser, ProbedPort } from '../row.ts';

/** The events of the worker that the rows use. */
export interface WorkerRuntime {
  readonly onMessage: { addListener(listener: (message: unknown) => Promise<unknown> | undefined): void };
  readonly onConnect: { addListener(listener: (port: ProbedPort & { readonly name: string }) => void): void };
}

/** What a page may ask for. */
const answers: Readonly<
  Record<
    string,
    (value: unknown, locks: Locks, identity: ProbedBrowser['identity']) => Promise<unknown> | undefined
  >
> = {
  answers: () => Promise.resolve('an answer'),
  ignores: () => undefined,
  rejects: () => Promise.reject(new Error('The worker says no.')),
  'never answers': () => new Promise(() => undefined),
  launches(value, _locks, { launchWebAuthFlow }) {
    launchWebAuthFlow({ url: String(value), interactive: true }).catch(() => undefined);
    return Promise.resolve();
  },
  describes: (value) => Promise.resolve(describe(value)),
  'when a port is closed': () => nextClosedPort(),
  'holds a lock': (_value, locks) =>
    new Promise((resolve) => {
      void locks.request('contract worker', () => {
        resolve('held');
        return new Promise(() => undefined);
      });
    }),
};

type Locks = Pick<LockManager, 'request'>;

let closedPorts: string[] = [];
let onClosedPort: () => void = () => undefined;

/** Resolves with the name of a port whose other end was closed, once for each. */
export async function nextClosedPort(): Promise<string> {
  while (closedPorts.length === 0) await new Promise<void>((resolve) => (onClosedPort = resolve));
  return closedPorts.shift() ?? '';
}

/** Registers the listeners of the worker. */
export function respond(
  { onMessage, onConnect }: WorkerRuntime,
  locks: Locks,
  identity: ProbedBrowser['identity'],
): void {
  closedPorts = [];
  onMessage.addListener((message) => {
    const { ask, value } = message as { readonly ask?: string; readonly value?: unknown };
    return ask === undefined ? undefined : answers[ask]?.(value, locks, identity);
  });
  // The first answer counts, so this one says nothing.
  onMessage.addListener(() => undefined);
  onConnect.addListener((port) => {
    port.onMessage.addListener((sent) => port.postMessage(sent));
    port.onDisconnect.addListener(() => {
      closedPorts.push(port.name);
      onClosedPort();
    });
    if (port.name === 'closes') port.disconnect();
  });
}

function describe(value: unknown): string {
  return (value as unknown[])
    .map((one) => (typeof one === 'object' ? Object.prototype.toString.call(one) : String(one)))
    .join(', ');
}
