// The vault's key. Its place decides how long a session lasts.

import * as v from 'valibot';
import { createStorageItem, type StorageArea } from '../../bridge/storage-item.ts';
import type { WithDatabase } from './database.ts';
import { generateKey, importKey } from './seal.ts';

const name = 'vault-key';

/** `device`: a non-extractable key in the database, beside the records. They last until the person signs out. */
export function deviceKey(withDatabase: WithDatabase): () => Promise<CryptoKey> {
  return () =>
    withDatabase(async (database) => {
      const stored = await database.get('keys', name);
      if (stored !== undefined && 'algorithm' in stored) return stored;
      const key = await generateKey(false);
      await database.put('keys', key, name);
      return key;
    });
}

/** `browser`: a key in the browser's memory alone, so that the records cannot be opened after the browser closes. */
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
