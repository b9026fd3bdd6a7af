// The browser's storage: single items, several at once, and where the worker keeps the session, which is on the device or in the
// browser's memory.

import * as v from '../session/shape.ts';
import { journalKey } from '../bridge/report/journal-lines.ts';
import { boardKey, createBoardStore, type StorageArea } from '../bridge/session/board.ts';
import { createQueue, inTime } from '../concurrency.ts';
import type { Config } from '../config/provider.ts';
import { ProblemError } from '../session/problem.ts';

/** The storage key of the remembered policy. */
export const policyKey = 'policy';
/** The storage key of a sign-out that the record doesn't know. */
export const signOutMarkKey = 'signed-out-on-purpose';
/** Names the key that seals the record, in the browser's memory and in the database. */
export const vaultKeyName = 'vault-key';

/** The value under `key` in `area`; null if there is none, or if it doesn't fit the schema. Rejects if the storage fails. */
export async function readItem<T>(area: StorageArea, key: string, schema: v.Schema<T>): Promise<T | null> {
  return v.read(schema, (await area.get(key))[key]);
}

// Reads several items of a storage area with one call of the browser, because each call takes about a millisecond.

/** The part of a storage area that reads several items at once; `storage.local` and `storage.session` both fit. */
export interface ManyItemsArea extends StorageArea {
  /** Not a method: those may take less than they have to, so an area that reads one item would fit. */
  readonly get: (keys: string | string[]) => Promise<Record<string, unknown>>;
}

/**
 * The same area, with deadlines. Each call rejects with {@link ProblemError} `storage-failed`, so that a page can say what is wrong.
 *
 * The first read of one of the items under `keys` reads all of them. Each item is returned from that read once, and only until it is
 * written; later reads go to the area. Use it only for items that nothing else writes.
 */
export function readTogether(area: ManyItemsArea, keys: readonly string[]): StorageArea {
  const unread = new Set(keys);
  let reading: Promise<Record<string, unknown>> | null = null;
  const readAll = () => {
    const items = (reading ??= orReport(area.get([...keys])));
    // A failure isn't kept, because the storage may work again.
    items.catch(() => unread.clear());
    if (unread.size === 0) reading = null;
    return items;
  };

  return {
    get: (key) => (unread.delete(key) ? readAll() : orReport(area.get(key))),
    set(items) {
      for (const key of Object.keys(items)) unread.delete(key);
      return orReport(area.set(items));
    },
    remove(key) {
      unread.delete(key);
      return orReport(area.remove(key));
    },
  };
}

function orReport<T>(call: Promise<T>): Promise<T> {
  return inTime(call).catch((cause: unknown) => {
    throw new ProblemError('storage-failed', null, { cause });
  });
}

/** Where the worker keeps the session, or the key that seals it. */
export type Persistence = Config['persistence'];

/** The items that are kept as long as the session. */
const sessionItems = [boardKey, journalKey];

/**
 * The storage for the `persistence` of the settings that `decide` resolves with. It's decided once in a worker's life, as soon as
 * the settings are known; if a policy changes it later, the next worker follows. While a policy is awaited, the session stays where
 * the last worker has kept it.
 */
export function createStorage(
  browser: { readonly local: ManyItemsArea; readonly session: ManyItemsArea },
  decide: () => Promise<Pick<Config, 'persistence'> & { readonly managed: unknown }>,
) {
  const local = readTogether(browser.local, [policyKey, signOutMarkKey, ...sessionItems]);
  const memory = readTogether(browser.session, [vaultKeyName, ...sessionItems]);
  const areas = { device: local, browser: memory };
  const inTurn = createQueue();
  let decided: Persistence | null = null;

  /** Calls `run` with the decision, when the other area is cleared. In turn until then, so that nothing is left there. */
  const use = <T>(run: (persistence: Persistence) => Promise<T>): Promise<T> => {
    if (decided !== null) return run(decided);
    return inTurn(async () => {
      if (decided !== null) return run(decided);
      const { persistence, managed } = await decide();
      const isAwaited = managed === 'awaited';
      const isInMemory = isAwaited && vaultKeyName in (await memory.get(vaultKeyName));
      const now = isAwaited ? (isInMemory ? 'browser' : 'device') : persistence;
      // Items left in the browser's memory vanish when it closes.
      if (now === 'device') await clear(memory).catch(() => undefined);
      else await clear(local);
      if (!isAwaited) decided = now;
      return run(now);
    });
  };

  /** The one that is decided. As long as a policy is awaited, the board says so, and is written again after that. */
  const area: StorageArea = {
    get: (key) => use((persistence) => areas[persistence].get(key)),
    set: (values) => use((persistence) => areas[persistence].set(values)),
    remove: (key) => use((persistence) => areas[persistence].remove(key)),
  };

  return {
    /** The browser's storage on the device, and its memory. */
    local,
    memory,
    /** Resolves with the decision. */
    persistence: () => use((persistence) => Promise.resolve(persistence)),
    boards: createBoardStore(area),
    journalArea: area,
  };
}

/** Removes the session's items from an area. They are there only if the configuration has changed. */
async function clear(area: StorageArea): Promise<void> {
  for (const item of sessionItems) if (item in (await area.get(item))) await area.remove(item);
}
