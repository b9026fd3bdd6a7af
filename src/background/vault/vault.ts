// The vault: the only place that holds tokens. Every record in it is sealed, and only the worker imports it.

import { createQueue } from '../../concurrency/queue.ts';
import type { Profile } from '../../session/session.ts';
import type { Database, WithDatabase } from './database.ts';
import { listRevocations, sealRevocation } from './pending-revocations.ts';
import { seal } from './seal.ts';
import { createSessionRecord } from './session-record.ts';
import {
  isSameAccount,
  isSameTokens,
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
  /** The refresh tokens that are still to be revoked. */
  pendingRevocations(): Promise<ReadonlyMap<RevocationKey, PendingRevocation>>;
  /** Stores a pending revocation, in place of the one under this key. */
  keepPendingRevocation(key: RevocationKey, revocation: PendingRevocation): Promise<void>;
  /** Removes a pending revocation: it is done, or not worth another try. */
  removePendingRevocation(key: RevocationKey): Promise<void>;
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

  const record = createSessionRecord();

  return {
    read: () => queue(async () => record.cached() ?? withKey(record.read)),

    begin: (session) =>
      inTurn(async (database, key) => {
        const old = await record.read(database, key);
        // A provider may revoke the whole grant with one of its tokens, and the sessions of one account share a grant.
        const isOther = old !== null && !isSameAccount(old, session);
        const revocation = isOther ? await sealRevocation(key, old, session.startedAtMs) : null;
        await record.write(database, key, session, revocation);
      }),

    renew: (session, renewed) =>
      inTurn(async (database, key) => {
        const stored = await record.read(database, key);
        if (stored === null || !isSameTokens(stored, session)) return 'gone';
        await record.write(database, key, { ...stored, ...renewed, generation: stored.generation + 1 });
        return 'kept';
      }),

    complete: (session, profile) =>
      inTurn(async (database, key) => {
        const stored = await record.read(database, key);
        if (stored?.id !== session.id) return 'gone';
        await record.write(database, key, { ...stored, profile });
        return 'kept';
      }),

    expire: (session) =>
      inTurn(async (database, key) => {
        if (!isSameTokens(await record.read(database, key), session)) return 'gone';
        await record.write(database, key, null);
        return 'ended';
      }),

    end: (nowMs) =>
      inTurn(async (database, key) => {
        const revocation = await sealRevocation(key, await record.read(database, key), nowMs);
        await record.write(database, key, null, revocation);
      }),

    discard: (session, nowMs) =>
      inTurn(async (database, key) => {
        const stored = await record.read(database, key);
        if (stored !== null && isSameAccount(stored, session)) return;
        const revocation = await sealRevocation(key, session, nowMs);
        if (revocation !== null) await database.put('vault', revocation.sealed, revocation.key);
      }),

    pendingRevocations: () => inTurn(listRevocations),

    keepPendingRevocation: (revocationKey, revocation) =>
      inTurn(async (database, key) => {
        await database.put('vault', await seal(key, revocationKey, revocation), revocationKey);
      }),

    removePendingRevocation: (revocationKey) => inTurn((database) => database.delete('vault', revocationKey)),
  };
}
