// Where the vault's key lives, which decides how long a session lasts.

import type { WithDatabase } from './database.ts';
import { generateKey, importKey } from './seal.ts';

/** The part of `storage.session` that is used here. */
export interface MemoryArea {
  get(key: string): Promise<Record<string, unknown>>;
  set(items: Record<string, unknown>): Promise<void>;
}

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
export function browserKey(memory: MemoryArea): () => Promise<CryptoKey> {
  return async () => {
    const kept = (await memory.get(name))[name];
    if (Array.isArray(kept)) return importKey(new Uint8Array(kept as number[]));
    const key = await generateKey(true);
    const raw = new Uint8Array(await crypto.subtle.exportKey('raw', key));
    await memory.set({ [name]: [...raw] });
    return importKey(raw);
  };
}
