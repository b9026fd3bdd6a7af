// The worker's database: IndexedDB, which content scripts cannot reach. It knows the stores, not their content.

import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import { singleFlight } from '../../concurrency/single-flight.ts';
import { ProblemError } from '../../session/problem.ts';

/** A record that is encrypted under the vault's key. */
export interface SealedRecord {
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly ciphertext: ArrayBuffer;
}

interface Stores extends DBSchema {
  /** The vault's key, and the key that the session's tokens are bound to. */
  keys: { key: string; value: CryptoKey | CryptoKeyPair };
  /** The records of vault-records.ts, sealed. */
  vault: { key: string; value: SealedRecord };
  /** Providers' public metadata and keys, by provider id. */
  providers: { key: string; value: unknown };
}

export type Database = IDBPDatabase<Stores>;

/**
 * Runs `use` on the worker's database, which is opened at first use and again after the browser has closed it.
 * Throws {@link ProblemError}: `storage-failed` for any error of IndexedDB.
 */
export type WithDatabase = <T>(use: (database: Database) => Promise<T>) => Promise<T>;

export function createDatabase(name = 'latchkey'): WithDatabase {
  let database: Database | null = null;

  const open = singleFlight(
    async () =>
      (database ??= await openDB<Stores>(name, 1, {
        upgrade(created) {
          created.createObjectStore('keys');
          created.createObjectStore('vault');
          created.createObjectStore('providers');
        },
        terminated() {
          database = null;
        },
      })),
  );

  return async (use) => {
    try {
      return await use(await open());
    } catch (cause) {
      if (cause instanceof ProblemError) throw cause;
      throw new ProblemError('storage-failed', cause instanceof Error ? cause.name : null, { cause });
    }
  };
}
