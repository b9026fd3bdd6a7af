// The record of the one session, sealed, and beside it the key that its tokens are bound to.

import { strict, type Database } from './database.ts';
import type { SealedRevocation } from './pending-revocations.ts';
import { open, seal } from './seal.ts';
import { parseSession, sessionKey, type VaultSession, type VaultSessionRecord } from './vault-records.ts';

export interface SessionRecord {
  /** The session as far as it is in memory: null if there is none, undefined if it is not known. */
  cached(): VaultSession | null | undefined;
  /**
   * The stored session; null if there is none. A record that cannot be opened is deleted. The record is fetched while the
   * key is: a worker that starts has neither, and a page waits.
   */
  read(database: Database, vaultKey: CryptoKey | Promise<CryptoKey>): Promise<VaultSession | null>;
  /**
   * Replaces the session and its DPoP key and, if one is given, adds a revocation; all in one transaction, which is
   * on the disk when this resolves: after a power cut a spent refresh token would be worse than none.
   */
  write(
    database: Database,
    vaultKey: CryptoKey,
    session: VaultSession | null,
    revocation?: SealedRevocation | null,
  ): Promise<void>;
}

const dpopPrefix = 'dpop:';

const toDpopName = (sessionId: string) => dpopPrefix + sessionId;
/** The DPoP keys of all sessions. Only one session is stored, so each write removes the others. */
export const allDpopNames = () => IDBKeyRange.bound(dpopPrefix, `${dpopPrefix}\uffff`);

/** Opens the record of a session, without the key that its tokens are bound to. */
export async function openSession(
  database: Database,
  vaultKey: CryptoKey,
): Promise<VaultSessionRecord | null> {
  return parseSession(await open(vaultKey, sessionKey, await database.get('vault', sessionKey)));
}

export function createSessionRecord(): SessionRecord {
  /** Each request of a feature reads the session, and opening the record takes a while. */
  let cached: VaultSession | null | undefined;

  const write: SessionRecord['write'] = async (database, vaultKey, session, revocation = null) => {
    const sealed =
      session === null ? null : await seal(vaultKey, sessionKey, { ...session, dpopKey: undefined });
    // If the write fails, the content of the record is unknown.
    cached = undefined;
    const transaction = database.transaction(['vault', 'keys'], 'readwrite', strict);
    const [records, keys] = [transaction.objectStore('vault'), transaction.objectStore('keys')];
    await Promise.all([
      keys.delete(allDpopNames()),
      sealed === null ? records.delete(sessionKey) : records.put(sealed, sessionKey),
      session?.dpopKey ? keys.put(session.dpopKey, toDpopName(session.id)) : null,
      revocation === null ? null : records.put(revocation.sealed, revocation.key),
      transaction.done,
    ]);
    cached = session;
  };

  return {
    cached: () => cached,

    async read(database, vaultKey) {
      if (cached !== undefined) return cached;
      const [key, sealed, dpopNames] = await Promise.all([
        vaultKey,
        database.get('vault', sessionKey),
        database.getAllKeys('keys', allDpopNames()),
      ]);
      const record = parseSession(await open(key, sessionKey, sealed));
      if (record === null) {
        if (sealed !== undefined) await write(database, key, null);
        cached = null;
        return null;
      }
      const dpopName = toDpopName(record.id);
      const dpopKey = dpopNames.includes(dpopName) ? await database.get('keys', dpopName) : undefined;
      cached = { ...record, dpopKey: dpopKey !== undefined && 'privateKey' in dpopKey ? dpopKey : null };
      return cached;
    },

    write,
  };
}
