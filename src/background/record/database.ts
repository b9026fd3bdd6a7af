// The worker's database: IndexedDB, which content scripts can't reach. It knows the stores, not their content.

import { deleteDB, openDB, type DBSchema, type IDBPDatabase } from 'idb';
import { singleFlight, withTimeout, deadlineMs } from '../../concurrency.ts';
import { safe, detail, type Detail } from '../../session/detail.ts';
import { ProblemError } from '../../session/problem.ts';

/** A record, encrypted with the key that the worker keeps for it. */
export interface SealedRecord {
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly ciphertext: ArrayBuffer;
}

/** The worker's record as it is stored. */
interface Envelope {
  /** Names the write that stored it, so that a change by another worker is noticed. */
  readonly revision: string;
  /** Unencrypted, so that losing the key doesn't lose it. */
  readonly isSignedOutOnPurpose: boolean;
  /** Null if there is nothing to seal. */
  readonly sealed: SealedRecord | null;
}

interface Stores extends DBSchema {
  /** The key that seals the record, and the key that the session's tokens are bound to. */
  keys: { key: string; value: CryptoKey | CryptoKeyPair };
  /** The worker's record. */
  vault: { key: string; value: Envelope };
  /** Providers' public metadata and keys, by provider id. */
  providers: { key: string; value: unknown };
}

export type Database = IDBPDatabase<Stores>;

/**
 * Runs `use` on the worker's database, which is opened at first use and again after the browser has closed it.
 * Throws {@link ProblemError}: `storage-failed` for any error of IndexedDB.
 */
export type WithDatabase = <T>(use: (database: Database) => Promise<T>) => Promise<T>;

/** The same, with a deadline. A write that has missed it may still be done. */
export function withDeadline(withDatabase: WithDatabase): WithDatabase {
  return (use) =>
    withTimeout(withDatabase(use), deadlineMs, () => {
      throw new ProblemError('storage-failed', detail`no answer in time`);
    });
}

/** Creates the {@link WithDatabase} of a worker. Calls `onBegunAnew` when the database had to be replaced by an empty one. */
export type OpenDatabase = (onBegunAnew: () => void) => WithDatabase;

const name = 'latchkey';

/**
 * The worker's database. One that can't be opened (damaged, or of a newer version) is tried once more and then
 * deleted, because the user couldn't even sign in again. An error after it was opened deletes nothing.
 */
export function createDatabase(onBegunAnew: () => void = () => undefined): WithDatabase {
  let database: Database | null = null;
  const forget = () => {
    database = null;
  };

  const openOnce = async () =>
    openDB<Stores>(name, 1, {
      upgrade(created) {
        created.createObjectStore('keys');
        created.createObjectStore('vault');
        created.createObjectStore('providers');
      },
      blocking() {
        // Another worker of this extension deletes the database.
        database?.close();
        forget();
      },
      terminated: forget,
    });

  const beginAnew = async () => {
    await deleteDatabase();
    const created = await openOnce();
    onBegunAnew();
    return created;
  };

  const open = singleFlight(
    async () =>
      (database ??= await openOnce()
        .catch(openOnce)
        .catch((error: unknown) => {
          // A full disk is temporary, and the stored data is intact.
          if (toName(error) === 'QuotaExceededError') throw error;
          return beginAnew();
        })),
  );

  return async (use) => {
    try {
      return await use(database ?? (await open()));
    } catch (cause) {
      if (cause instanceof ProblemError) throw cause;
      throw new ProblemError('storage-failed', toName(cause), { cause });
    }
  };
}

/** Rejects if another connection stays open: the browser then deletes the database when that closes. */
function deleteDatabase(): Promise<void> {
  return new Promise((resolve, reject) => {
    const blocked = () => reject(new DOMException('The database is in use.', 'InvalidStateError'));
    deleteDB(name, { blocked }).then(resolve, reject);
  });
}

function toName(error: unknown): Detail | null {
  return error instanceof Error ? safe(error.name) : null;
}
