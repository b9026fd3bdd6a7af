// The vault's key. Its place decides how long a session lasts.

import * as v from 'valibot';
import { createStorageItem, type StorageArea } from '../../bridge/storage-item.ts';
import { singleFlight } from '../../concurrency/single-flight.ts';
import type { Database, WithDatabase } from './database.ts';
import { generateKey, importKey } from './seal.ts';

/** Names the key, in the database and in the browser's memory. */
export const vaultKeyName = 'vault-key';

/** Where the vault's key is, in a build with one of the values of `persistence`. */
export interface KeyPlace {
  /** The key, created if there is none. Callers that find none at the same moment get the same one. */
  expect(): Promise<CryptoKey>;
  /** The key; null if there is none. */
  find(): Promise<CryptoKey | null>;
  remove(): Promise<void>;
}

/** `device`: a non-extractable key in the database, beside the records. When the last record goes, the next key takes its place. */
export function deviceKey(withDatabase: WithDatabase): KeyPlace {
  const toKey = (stored: CryptoKey | CryptoKeyPair | undefined) =>
    stored !== undefined && 'algorithm' in stored ? stored : null;
  const read = async (database: Database) => toKey(await database.get('keys', vaultKeyName));
  /** A key that was stored in the meantime stays, because otherwise nothing could open what is sealed under it. */
  const create = async (database: Database) => {
    const created = await generateKey();
    const { store, done } = database.transaction('keys', 'readwrite');
    const key = toKey(await store.get(vaultKeyName)) ?? created;
    await Promise.all([store.put(key, vaultKeyName), done]);
    return key;
  };
  return {
    // Read each time: another worker may have replaced it.
    expect: () => withDatabase(async (database) => (await read(database)) ?? (await create(database))),
    find: () => withDatabase(read),
    remove: () => withDatabase((database) => database.delete('keys', vaultKeyName)),
  };
}

/** `browser`: a key only in the browser's memory, so that the records can't be opened after the browser closes. */
export function browserKey(memory: StorageArea): KeyPlace {
  const item = createStorageItem(memory, vaultKeyName, v.array(v.number()));
  const find = async () => {
    const stored = await item.read();
    return stored === null ? null : importKey(new Uint8Array(stored));
  };
  return {
    // Concurrent callers get the same key.
    expect: singleFlight(async () => {
      const stored = await find();
      if (stored !== null) return stored;
      const raw = crypto.getRandomValues(new Uint8Array(32));
      await item.write([...raw]);
      return importKey(raw);
    }),
    find,
    remove: item.remove,
  };
}
