// The worker's part of the rows in which a page speaks to it.

import { serveLines, type LineScope } from '../../../src/bridge/line.ts';
import type { ProbedBrowser, ProbedPort } from '../row.ts';

/** The parts of the worker that the rows use. */
export interface WorkerParts {
  readonly runtime: {
    readonly onMessage: { addListener(listener: (message: unknown) => Promise<unknown> | undefined): void };
    readonly onConnect: {
      addListener(listener: (port: ProbedPort & { readonly name: string }) => void): void;
    };
  };
  readonly scope: LineScope;
  readonly origin: string;
  readonly locks: Pick<LockManager, 'request'>;
  readonly browser: Pick<ProbedBrowser, 'identity' | 'storage'>;
}

type Answer = (value: unknown, parts: WorkerParts) => Promise<unknown> | undefined;

/** The requests that a page may send. */
const answers: Readonly<Record<string, Answer>> = {
  answers: () => Promise.resolve('an answer'),
  ignores: () => undefined,
  rejects: () => Promise.reject(new Error('The worker says no.')),
  'never answers': () => new Promise(() => undefined),
  launches(value, { browser }) {
    browser.identity.launchWebAuthFlow({ url: String(value), interactive: true }).catch(() => undefined);
    return Promise.resolve();
  },
  writes: (value, { browser }) => browser.storage.local.set({ written: value }),
  describes: (value) => Promise.resolve(describe(value)),
  'when a port is closed': () => nextClosedPort(),
  'holds a lock': (_value, { locks }) =>
    new Promise((resolve) => {
      void locks.request('contract worker', () => {
        resolve('held');
        return new Promise(() => undefined);
      });
    }),
};

let closedPorts: string[] = [];
let onClosedPort: () => void = () => undefined;

/** Resolves with the name of a port whose other end was closed, once for each. */
export async function nextClosedPort(): Promise<string> {
  while (closedPorts.length === 0) await new Promise<void>((resolve) => (onClosedPort = resolve));
  return closedPorts.shift() ?? '';
}

/** Registers the listeners of the worker. */
export function respond(parts: WorkerParts): void {
  const { onMessage, onConnect } = parts.runtime;
  closedPorts = [];
  onMessage.addListener((message) => {
    const { ask, value } = message as { readonly ask?: string; readonly value?: unknown };
    return ask === undefined ? undefined : answers[ask]?.(value, parts);
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
  serveLines(parts.scope, parts.origin, (request, post) => {
    const buffer = new ArrayBuffer(8);
    post([describe([request]), buffer], [buffer]);
    return (message) => post(message);
  });
}

function describe(value: unknown): string {
  return (value as unknown[])
    .map((one) => (typeof one === 'object' ? Object.prototype.toString.call(one) : String(one)))
    .join(', ');
}
