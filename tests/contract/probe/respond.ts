// The worker's part of the rows in which a page speaks to it.

import type { Browser } from 'webextension-polyfill';
import { close } from '../../../src/bridge/line/line.ts';
import { serveLines, type LineScope } from '../../../src/bridge/line/serve-lines.ts';

/** The parts of the worker that the rows use. */
export interface WorkerParts {
  readonly scope: LineScope;
  readonly origin: string;
  readonly browser: Pick<Browser, 'identity' | 'storage'>;
}

type Answer = (value: unknown, parts: WorkerParts) => Promise<unknown>;

/** The requests that a page may send. */
const answers: Readonly<Record<string, Answer>> = {
  answers: () => Promise.resolve('an answer'),
  'never answers': () => new Promise(() => undefined),
  launches(value, { browser }) {
    browser.identity.launchWebAuthFlow({ url: String(value), interactive: true }).catch(() => undefined);
    return Promise.resolve();
  },
  writes: (value, { browser }) => browser.storage.local.set({ written: value }),
  'holds a lock': (_value, { scope: { navigator } }) =>
    new Promise((resolve) => {
      void navigator.locks.request('contract worker', () => {
        resolve('held');
        return new Promise(() => undefined);
      });
    }),
};

let onOver: () => void = () => undefined;

/** Resolves when the next line of a page is over. */
export function nextLineOver(): Promise<void> {
  return new Promise((resolve) => (onOver = resolve));
}

/** Serves the lines of the pages. */
export function respond(parts: WorkerParts): void {
  serveLines(parts.scope, parts.origin, {
    command(content, post) {
      const { ask, value } = content as { readonly ask: string; readonly value?: unknown };
      void answers[ask]?.(value, parts).then(post);
      return () => undefined;
    },
    /** Says what it has got, moves a buffer, and echoes. */
    fetch(content, post) {
      const buffer = new ArrayBuffer(8);
      post([toKind(content), buffer], [buffer]);
      return (message) => (message === close ? onOver() : post(message));
    },
  });
}

function toKind(value: unknown): string {
  return Object.prototype.toString.call(value);
}
