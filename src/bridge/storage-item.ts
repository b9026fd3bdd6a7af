// One value in one of the browser's storage areas, validated when it is read.

import * as v from 'valibot';

/** The part of a storage area that items use; `storage.local` and `storage.session` both fit. */
export interface StorageArea {
  get(key: string): Promise<Record<string, unknown>>;
  set(items: Record<string, unknown>): Promise<void>;
  remove(key: string): Promise<void>;
}

/** Each call rejects if the storage fails. */
export interface StorageItem<T> {
  /** The stored value; null if there is none or if it does not fit the schema. */
  read(): Promise<T | null>;
  write(value: T): Promise<void>;
  remove(): Promise<void>;
}

/** The value under `key` in `area`. */
export function createStorageItem<T>(
  area: StorageArea,
  key: string,
  schema: v.GenericSchema<unknown, T>,
): StorageItem<T> {
  return {
    async read() {
      const result = v.safeParse(schema, (await area.get(key))[key]);
      return result.success ? result.output : null;
    },
    write: (value) => area.set({ [key]: value }),
    remove: () => area.remove(key),
  };
}
