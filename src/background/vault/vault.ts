// The vault: the only place that holds tokens. Every record in it is sealed, and only the worker imports it.

import { createQueue } from '../../concurrency/queue.ts';
import type { Profile } from '../../session/session.ts';
import type { Database, SealedRecord, WithDatabase } from './database.ts';
import { open, seal } from './seal.ts';
import {
  createRevocationKey,
  isRevocationKey,
  isSameAccount,
  isSameTokens,
  parsePendingRevocation,
  parseSession,
  sessionKey,
  type PendingRevocation,
  type RevocationKey,
  type VaultSession,
} from './vault-records.ts';

export interface Vault {
  /** The stored session; null if there is none, or none that can still be opened. */
  read(): Promise<VaultSession | null>;
  /**
   * Stores a new session in place of the old one. If the old one was of another account, its refresh token is queued
   * for revocation.
   */
  begin(session: VaultSession): Promise<void>;
  /** Stores renewed tokens if the vault still holds this very session; `gone` if it does not. */
  renew(
    session: VaultSession,
    renewed: Pick<VaultSession, 'tokens' | 'dpopKey' | 'authenticatedAtMs'>,
  ): Promise<'kept' | 'gone'>;
  /** Stores a completed profile if the vault still holds this session, renewed or not; `gone` if it does not. */
  complete(session: VaultSession, profile: Profile): Promise<'kept' | 'gone'>;
  /** Removes the session if the vault still holds this very session; its tokens are not revoked. */
  expire(session: VaultSession): Promise<'ended' | 'gone'>;
  /** Removes the stored session and queues its refresh token for revocation, in one transaction. */
  end(nowMs: number): Promise<void>;
  /** Queues the refresh token of a session that is not stored for revocation, unless the stored one shares its account. */
  discard(session: VaultSession, nowMs: number): Promise<void>;
  pendingRevocations(): Promise<ReadonlyMap<RevocationKey, PendingRevocation>>;
  keepPendingRevocation(key: RevocationKey, revocation: PendingRevocation): Promise<void>;
  removePendingRevocation(key: RevocationKey): Promise<void>;
}

const dpopPrefix = 'dpop:';

const toDpopName = (sessionId: string) => dpopPrefix + sessionId;
/** The keys of all sessions. Only one session is stored, so each write removes the others. */
const allDpopNames = () => IDBKeyRange.bound(dpopPrefix, `${dpopPrefix}\uffff`);

interface SealedRevocation {
  readonly revocationKey: RevocationKey;
  readonly sealed: SealedRecord;
}

/**
 * The vault in `withDatabase`, sealed under the key that `findKey` returns. Its operations run one after the
 * other, in the order of the calls. Each rejects with `storage-failed` if the storage fails.
 */
export function createVault(withDatabase: WithDatabase, findKey: () => Promise<CryptoKey>): Vault {
  const queue = createQueue();
  const withKey = async <T>(work: (database: Database, key: CryptoKey) => Promise<T>): Promise<T> => {
    const key = await findKey();
    return withDatabase((database) => work(database, key));
  };
  const inTurn = <T>(work: (database: Database, key: CryptoKey) => Promise<T>): Promise<T> =>
    queue(() => withKey(work));

  /** The stored session once it was read. Each request of a feature reads it, and opening the record takes a while. */
  let cached: VaultSession | null = null;

  const readSession = async (database: Database, key: CryptoKey): Promise<VaultSession | null> => {
    if (cached !== null) return cached;
    const record = parseSession(await open(key, sessionKey, await database.get('vault', sessionKey)));
    if (record === null) return null;
    const dpopKey = await database.get('keys', toDpopName(record.id));
    cached = { ...record, dpopKey: dpopKey !== undefined && 'privateKey' in dpopKey ? dpopKey : null };
    return cached;
  };

  /** Replaces the session and its key and, if one is given, adds a revocation; all in one transaction. */
  const write = async (
    database: Database,
    key: CryptoKey,
    session: VaultSession | null,
    revocation: SealedRevocation | null = null,
  ) => {
    const sealed = session === null ? null : await seal(key, sessionKey, { ...session, dpopKey: undefined });
    // If the write fails, the content of the record is unknown.
    cached = null;
    const transaction = database.transaction(['vault', 'keys'], 'readwrite');
    const [records, keys] = [transaction.objectStore('vault'), transaction.objectStore('keys')];
    await Promise.all([
      keys.delete(allDpopNames()),
      sealed === null ? records.delete(sessionKey) : records.put(sealed, sessionKey),
      session?.dpopKey ? keys.put(session.dpopKey, toDpopName(session.id)) : null,
      revocation === null ? null : records.put(revocation.sealed, revocation.revocationKey),
      transaction.done,
    ]);
    cached = session;
  };

  return {
    read: () => queue(async () => cached ?? withKey(readSession)),

    begin: (session) =>
      inTurn(async (database, key) => {
        const old = await readSession(database, key);
        // A provider may revoke the whole grant with one of its tokens, and the sessions of one account share a grant.
        const isOther = old !== null && !isSameAccount(old, session);
        const revocation = isOther ? await sealRevocation(key, old, session.startedAtMs) : null;
        await write(database, key, session, revocation);
      }),

    renew: (session, renewed) =>
      inTurn(async (database, key) => {
        const stored = await readSession(database, key);
        if (stored === null || !isSameTokens(stored, session)) return 'gone';
        await write(database, key, { ...stored, ...renewed, generation: stored.generation + 1 });
        return 'kept';
      }),

    complete: (session, profile) =>
      inTurn(async (database, key) => {
        const stored = await readSession(database, key);
        if (stored?.id !== session.id) return 'gone';
        await write(database, key, { ...stored, profile });
        return 'kept';
      }),

    expire: (session) =>
      inTurn(async (database, key) => {
        if (!isSameTokens(await readSession(database, key), session)) return 'gone';
        await write(database, key, null);
        return 'ended';
      }),

    end: (nowMs) =>
      inTurn(async (database, key) => {
        await write(database, key, null, await sealRevocation(key, await readSession(database, key), nowMs));
      }),

    discard: (session, nowMs) =>
      inTurn(async (database, key) => {
        const stored = await readSession(database, key);
        if (stored !== null && isSameAccount(stored, session)) return;
        const revocation = await sealRevocation(key, session, nowMs);
        if (revocation !== null) await database.put('vault', revocation.sealed, revocation.revocationKey);
      }),

    pendingRevocations: () =>
      inTurn(async (database, key) => {
        const pending = new Map<RevocationKey, PendingRevocation>();
        for (const name of await database.getAllKeys('vault')) {
          if (!isRevocationKey(name)) continue;
          const revocation = parsePendingRevocation(await open(key, name, await database.get('vault', name)));
          if (revocation === null) await database.delete('vault', name);
          else pending.set(name, revocation);
        }
        return pending;
      }),

    keepPendingRevocation: (revocationKey, revocation) =>
      inTurn(async (database, key) => {
        await database.put('vault', await seal(key, revocationKey, revocation), revocationKey);
      }),

    removePendingRevocation: (revocationKey) => inTurn((database) => database.delete('vault', revocationKey)),
  };
}

/** The sealed revocation of a session's refresh token; null if there is nothing to revoke. */
async function sealRevocation(
  key: CryptoKey,
  session: VaultSession | null,
  endedAtMs: number,
): Promise<SealedRevocation | null> {
  if (session === null || session.tokens.refreshToken === null) return null;
  const revocation: PendingRevocation = {
    version: 1,
    providerId: session.profile.providerId,
    issuer: session.issuer,
    refreshToken: session.tokens.refreshToken,
    endedAtMs,
    tries: 0,
  };
  const revocationKey = createRevocationKey();
  return { revocationKey, sealed: await seal(key, revocationKey, revocation) };
}
