// Where the vault's key lives, which decides how long a session lasts.

import * as v from 'valibot';
import { createStorageItem, type StorageArea } from '../../bridge/storage-item.ts';
import type { WithDatabase } from './database.ts';
import { generateKey, importKey } from './seal.ts';

const name = 'vault-key';

/** `device`: a non-extractable key beside the records; they last until the person signs out. */
export function deviceKey(withDatabase: WithDatabase): () => Promise<CryptoKey> {
  return () =>
    withDatabase(async (database) => {
      const kept = await database.get('keys', name);
      if (kept !== undefined && 'algorithm' in kept) return kept;
      const key = await generateKey(false);
      await database.put('keys', key, name);
      return key;
    });
}

/** `browser`: a key that is in memory alone, so that the records cannot be opened once the browser has closed. */
export function browserKey(memory: StorageArea): () => Promise<CryptoKey> {
  const item = createStorageItem(memory, name, v.array(v.number()));
  return async () => {
    const stored = await item.read();
    if (stored !== null) return importKey(new Uint8Array(stored));
    const key = await generateKey(true);
    const raw = new Uint8Array(await crypto.subtle.exportKey('raw', key));
    await item.write([...raw]);
    return importKey(raw);
  };
}
