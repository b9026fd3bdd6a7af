// The vault: the only place that holds tokens. Every record in it is sealed, and only the worker imports it.

import { createQueue } from '../../concurrency/queue.ts';
import type { Profile } from '../../session/session.ts';
import { strict, type Database, type WithDatabase } from './database.ts';
import { listDueRevocations, listRevocations, sealPending, sealRevocation } from './pending-revocations.ts';
import { createSessionRecord, type SessionRecord } from './session-record.ts';
import type { KeyPlace } from './vault-key.ts';
import {
  isSameTokens,
  toLooseToken,
  type LooseToken,
  type PendingRevocation,
  type RevocationKey,
  type VaultSession,
} from './vault-records.ts';

/** New tokens of a session. */
export type NewTokens = Pick<VaultSession, 'tokens' | 'dpopKey' | 'authenticatedAtMs' | 'originalClaims'>;

export interface Vault {
  /** The stored session; null if there is none, or none that can still be opened. */
  read(): Promise<VaultSession | null>;
  /** Stores a new session in place of the old one, whose refresh token is queued for revocation. */
  begin(session: VaultSession): Promise<void>;
  /**
   * Stores renewed tokens if the vault still holds this very session; `gone` if it does not. `replaced` is the refresh
   * token that they replace, if the provider neither replaced nor refused it; it is queued for revocation.
   */
  renew(session: VaultSession, renewed: NewTokens, replaced?: LooseToken | null): Promise<'kept' | 'gone'>;
  /** Stores what was tried to renew the tokens, if the vault still holds this very session; `gone` if it does not. */
  note(
    session: VaultSession,
    tried: Pick<VaultSession, 'renewalSentAtMs' | 'silentTry'>,
  ): Promise<'kept' | 'gone'>;
  /** Stores a completed profile if the vault still holds this session, renewed or not; `gone` if it does not. */
  complete(session: VaultSession, profile: Profile): Promise<'kept' | 'gone'>;
  /**
   * Removes the session if the vault still holds this very session. Its refresh token is queued for revocation, unless
   * the provider has refused it.
   */
  expire(
    session: VaultSession,
    nowMs: number,
    refreshToken: 'refused' | 'unrefused',
  ): Promise<'ended' | 'gone'>;
  /** Removes the stored session and queues its refresh token for revocation, in one transaction. */
  end(nowMs: number): Promise<void>;
  /**
   * Queues a refresh token for revocation, unless the stored session uses it. Every token that is not stored comes
   * here or to another operation that queues it. Two remain: a token that the provider replaced in a renewal, which it
   * revokes itself (RFC 6749 section 6), and one that it refused.
   */
  drop(token: LooseToken, nowMs: number): Promise<void>;
  /** All refresh tokens that are still to be revoked. */
  pendingRevocations(): Promise<ReadonlyMap<RevocationKey, PendingRevocation>>;
  /**
   * The refresh tokens to revoke now, newest first. A token of the stored session's account waits for the end of that
   * session: a provider may revoke the whole grant with one of its tokens, which would sign the person out.
   */
  dueRevocations(nowMs: number): Promise<ReadonlyMap<RevocationKey, PendingRevocation>>;
  /** Stores a pending revocation, in place of the one under this key. */
  keepPendingRevocation(key: RevocationKey, revocation: PendingRevocation): Promise<void>;
  /** Removes a pending revocation: it is done, or not worth another try. */
  removePendingRevocation(key: RevocationKey): Promise<void>;
}

/**
 * The vault in `withDatabase`, sealed under the key in its place. Its operations run one after the
 * other, in the order of the calls. Each rejects with `storage-failed` if the storage fails.
 */
export function createVault(withDatabase: WithDatabase, { expect }: Pick<KeyPlace, 'expect'>): Vault {
  const queue = createQueue();
  const withKey = async <T>(work: (database: Database, key: CryptoKey) => Promise<T>): Promise<T> => {
    const key = await expect();
    return withDatabase((database) => work(database, key));
  };
  const inTurn = <T>(work: (database: Database, key: CryptoKey) => Promise<T>): Promise<T> =>
    queue(() => withKey(work));

  const record = createSessionRecord();

  return {
    read: () =>
      queue(async () => {
        const known = record.cached();
        return known === undefined ? readFirst(withDatabase, record, expect()) : known;
      }),

    begin: (session) =>
      inTurn(async (database, key) => {
        const old = await record.read(database, key);
        const replaced = old === null ? null : toLooseToken(old);
        const revocation = await sealRevocation(key, replaced, session, session.startedAtMs);
        await record.write(database, key, session, revocation);
      }),

    renew: (session, renewed, replaced = null) =>
      inTurn(async (database, key) => {
        const stored = await record.read(database, key);
        if (stored === null || !isSameTokens(stored, session)) return 'gone';
        const next: VaultSession = {
          ...stored,
          ...renewed,
          generation: stored.generation + 1,
          renewalSentAtMs: null,
          silentTry: null,
        };
        const revocation = await sealRevocation(key, replaced, next, renewed.authenticatedAtMs);
        await record.write(database, key, next, revocation);
        return 'kept';
      }),

    note: (session, tried) =>
      inTurn(async (database, key) => {
        const stored = await record.read(database, key);
        if (stored === null || !isSameTokens(stored, session)) return 'gone';
        await record.write(database, key, { ...stored, ...tried });
        return 'kept';
      }),

    complete: (session, profile) =>
      inTurn(async (database, key) => {
        const stored = await record.read(database, key);
        if (stored?.id !== session.id) return 'gone';
        await record.write(database, key, { ...stored, profile });
        return 'kept';
      }),

    expire: (session, nowMs, refreshToken) =>
      inTurn(async (database, key) => {
        const stored = await record.read(database, key);
        if (stored === null || !isSameTokens(stored, session)) return 'gone';
        const token = refreshToken === 'refused' ? null : toLooseToken(stored);
        await record.write(database, key, null, await sealRevocation(key, token, null, nowMs));
        return 'ended';
      }),

    end: (nowMs) =>
      inTurn(async (database, key) => {
        const stored = await record.read(database, key);
        const token = stored === null ? null : toLooseToken(stored);
        await record.write(database, key, null, await sealRevocation(key, token, null, nowMs));
      }),

    drop: (token, nowMs) =>
      inTurn(async (database, key) => {
        const revocation = await sealRevocation(key, token, await record.read(database, key), nowMs);
        if (revocation === null) return;
        const transaction = database.transaction('vault', 'readwrite', strict);
        await Promise.all([transaction.store.put(revocation.sealed, revocation.key), transaction.done]);
      }),

    pendingRevocations: () => inTurn(listRevocations),

    dueRevocations: (nowMs) =>
      inTurn(async (database, key) =>
        listDueRevocations(database, key, await record.read(database, key), nowMs),
      ),

    keepPendingRevocation: (revocationKey, revocation) =>
      inTurn(async (database, key) => {
        await database.put('vault', await sealPending(key, revocationKey, revocation), revocationKey);
      }),

    removePendingRevocation: (revocationKey) => inTurn((database) => database.delete('vault', revocationKey)),
  };
}

/** Reads the record while the key is on its way. */
function readFirst(
  withDatabase: WithDatabase,
  record: SessionRecord,
  key: Promise<CryptoKey>,
): Promise<VaultSession | null> {
  // Its failure is that of the read, unless the database fails before.
  key.catch(() => undefined);
  return withDatabase((database) => record.read(database, key));
}
