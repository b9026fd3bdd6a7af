// One value in one of the browser's storage areas, validated when it is read.

import * as v from '../session/shape.ts';
import type { StorageArea } from '../bridge/session/board.ts';

/** Each call rejects if the storage fails. */
export interface StorageItem<T> {
  /** The stored value; null if there is none or if it does not fit the schema. */
  read(): Promise<T | null>;
  write(value: T): Promise<void>;
  remove(): Promise<void>;
}

/** The value under `key` in `area`. */
export function createStorageItem<T>(area: StorageArea, key: string, schema: v.Schema<T>): StorageItem<T> {
  return {
    read: async () => v.read(schema, (await area.get(key))[key]),
    write: (value) => area.set({ [key]: value }),
    remove: () => area.remove(key),
  };
}

// Reads several items of a storage area with one call of the browser, because each call takes about a millisecond.

/** The part of a storage area that reads several items at once; `storage.local` and `storage.session` both fit. */
export interface ManyItemsArea extends StorageArea {
  /** Not a method: those may take less than they have to, so an area that reads one item would fit. */
  readonly get: (keys: string | string[]) => Promise<Record<string, unknown>>;
}

/** The same area, and a call that reads some of its items ahead of their use. */
export interface AreaReadTogether extends StorageArea {
  /** Reads them now, unless they have been read. Never rejects: the first to need an item gets the error. */
  readAhead(): void;
}

/**
 * The same area. The first read of one of the items under `keys` reads all of them. That answer is given once for each item,
 * and only until it is written; later reads ask the area. Only for items that no one else writes.
 */
export function readTogether(area: ManyItemsArea, keys: readonly string[]): AreaReadTogether {
  const unread = new Set(keys);
  let reading: Promise<Record<string, unknown>> | null = null;
  const readAll = () => {
    const items = (reading ??= area.get([...keys]));
    // A failure isn't kept, because the storage may work again.
    items.catch(() => unread.clear());
    if (unread.size === 0) reading = null;
    return items;
  };

  return {
    readAhead() {
      if (unread.size > 0) void readAll();
    },
    get: (key) => (unread.delete(key) ? readAll() : area.get(key)),
    set(items) {
      for (const key of Object.keys(items)) unread.delete(key);
      return area.set(items);
    },
    remove(key) {
      unread.delete(key);
      return area.remove(key);
    },
  };
}
