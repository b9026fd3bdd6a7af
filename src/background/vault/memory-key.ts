// The vault's key in the browser's memory alone, so that nothing opens the record after the browser has closed.

import * as v from 'valibot';
import { createStorageItem, type StorageArea } from '../../bridge/storage-item.ts';
import { importKey } from './seal.ts';

/** Names the key, in the browser's memory and in the database. */
export const vaultKeyName = 'vault-key';

/** Each call rejects if the storage fails. */
export interface MemoryKey {
  /** The key; null if there is none. */
  find(): Promise<CryptoKey | null>;
  /** The key, created if there is none. One call at a time. */
  expect(): Promise<CryptoKey>;
  remove(): Promise<void>;
}

export function createMemoryKey(memory: StorageArea): MemoryKey {
  const item = createStorageItem(memory, vaultKeyName, v.array(v.number()));

  const find = async () => {
    const bytes = await item.read();
    return bytes && importKey(new Uint8Array(bytes));
  };

  return {
    find,
    async expect() {
      const found = await find();
      if (found !== null) return found;
      const bytes = crypto.getRandomValues(new Uint8Array(32));
      await item.write([...bytes]);
      return importKey(bytes);
    },
    remove: item.remove,
  };
}
