// The vault's key. Its place decides how long a session lasts.

import * as v from 'valibot';
import { createStorageItem, type StorageArea } from '../../bridge/storage-item.ts';
import type { Database, WithDatabase } from './database.ts';
import { generateKey, importKey } from './seal.ts';

const name = 'vault-key';

/** Where the vault's key is, in a build with one of the values of `persistence`. */
export interface KeyPlace {
  /** The key, created if there is none. */
  expect(): Promise<CryptoKey>;
  /** The key; null if there is none. */
  find(): Promise<CryptoKey | null>;
  remove(): Promise<void>;
}

/** `device`: a non-extractable key in the database, beside the records. They last until the person signs out. */
export function deviceKey(withDatabase: WithDatabase): KeyPlace {
  /** By connection: a database that was deleted has another one, and another key. */
  const known = new WeakMap<Database, CryptoKey>();
  const read = async (database: Database) => {
    const stored = await database.get('keys', name);
    return stored !== undefined && 'algorithm' in stored ? stored : null;
  };
  const create = async (database: Database) => {
    const key = await generateKey(false);
    await database.put('keys', key, name);
    return key;
  };
  return {
    expect: () =>
      withDatabase(async (database) => {
        const key = known.get(database) ?? (await read(database)) ?? (await create(database));
        known.set(database, key);
        return key;
      }),
    find: () => withDatabase(read),
    remove: () =>
      withDatabase((database) => {
        known.delete(database);
        return database.delete('keys', name);
      }),
  };
}

/** `browser`: a key in the browser's memory alone, so that the records cannot be opened after the browser closes. */
export function browserKey(memory: StorageArea): KeyPlace {
  const item = createStorageItem(memory, name, v.array(v.number()));
  const find = async () => {
    const stored = await item.read();
    return stored === null ? null : importKey(new Uint8Array(stored));
  };
  return {
    async expect() {
      const stored = await find();
      if (stored !== null) return stored;
      const key = await generateKey(true);
      const raw = new Uint8Array(await crypto.subtle.exportKey('raw', key));
      await item.write([...raw]);
      return importKey(raw);
    },
    find,
    remove: item.remove,
  };
}
