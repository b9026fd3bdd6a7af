// A browser that sends every call through the gates. It doesn't need to know an API by name, so one that the worker
// newly uses is explored from the first day.

import type { WorkerBrowser } from '../../../src/background/worker.ts';
import { journalKey, readJournal } from '../../../src/bridge/report/journal-lines.ts';
import { boardKey, parseBoard } from '../../../src/bridge/session/board.ts';

/** Runs a call of the worker: `path` names it, such as `storage.local.set`. */
export type RunCall = <T>(path: string, args: readonly unknown[], effect: () => Promise<T>) => Promise<T>;

/** Calls that answer at once, without a promise. */
const promptCalls = ['addListener', 'removeListener', 'getURL', 'getRedirectURL', 'getMessage', 'reload'];

/** The same browser, with its asynchronous calls made by `run`. */
export function toGatedBrowser<Browser extends WorkerBrowser>(browser: Browser, run: RunCall): Browser {
  return toGated(browser, '', run);
}

function toGated<T extends object>(part: T, path: string, run: RunCall): T {
  return new Proxy(part, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof key === 'symbol') return value;
      const name = path === '' ? key : `${path}.${key}`;
      if (typeof value === 'function') return toGatedCall(target, value as Call, name, run);
      return typeof value === 'object' && value !== null ? toGated(value, name, run) : value;
    },
  });
}

/** The name of a call, with the items of a storage. */
export function toLabel(path: string, [argument]: readonly unknown[]): string {
  if (!path.startsWith('storage.') || argument === undefined) return path;
  const isItems = typeof argument === 'object' && !Array.isArray(argument);
  const items = isItems ? Object.keys(argument ?? {}) : [argument].flat();
  return `${path} ${items.join(' and ')}`;
}

type Call = (...args: readonly unknown[]) => unknown;

function toGatedCall(target: object, call: Call, name: string, run: RunCall): Call {
  if (promptCalls.includes(name.slice(name.lastIndexOf('.') + 1))) {
    return (...args) => Reflect.apply(call, target, args);
  }
  return (...args) => {
    // A trip is that of the worker alone.
    if (globalThis.enteredFunctions === undefined && /^storage\.\w+\.set$/.test(name))
      void expectReadable(args[0] as Record<string, unknown>);
    return run(name, args, async () => Reflect.apply(call, target, args) as unknown);
  };
}

/** Fails the run, by a rejection that nothing handles, if the worker writes a board or a journal that its readers do not accept. */
async function expectReadable(items: Record<string, unknown>): Promise<void> {
  const { [boardKey]: board, [journalKey]: lines = [] } = items;
  if (board !== undefined && parseBoard(board) === null)
    throw new Error(`No page can read this board: ${JSON.stringify(board)}`);
  const read = await readJournal({ get: async () => items });
  const unread = (lines as readonly string[]).filter((line) => !read.includes(line));
  if (unread.length > 0) throw new Error(`No report has these lines: ${unread.join('; ')}`);
}
