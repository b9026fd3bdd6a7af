// The vault: the only place that holds tokens. Every record in it is sealed; nothing but the worker imports it.

import * as v from 'valibot';
import { createQueue } from '../../concurrency/queue.ts';
import { profileSchema } from '../../bridge/session/board.ts';
import type { TokenSet } from '../../oidc/tokens.ts';
import type { Profile } from '../../session/session.ts';
import type { Database, SealedRecord, WithDatabase } from './database.ts';
import { open, seal } from './seal.ts';

/** A session with its tokens. */
export interface VaultSession {
  readonly version: 1;
  /** Tells this session from the one before and the one after, even of the same person. */
  readonly id: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly profile: Profile;
  /** When the sign-in was started that began it. */
  readonly startedAtMs: number;
  /** When the provider last signed the person in, in the window or silently. */
  readonly authenticatedAtMs: number;
  /** Counts the token sets of this session, so that the late end of an older one is recognized. */
  readonly generation: number;
  readonly tokens: TokenSet;
  /** What was asked for beyond the configured scope, so that a silent renewal asks for it again; may be empty. */
  readonly additionalScope: string;
  /** The key that the tokens are bound to (RFC 9449). It lies beside the record, because it cannot be sealed into it. */
  readonly dpopKey: CryptoKeyPair | null;
}

/** What a provider is still to be told of a session that has ended here. */
export interface PendingRevocation {
  readonly version: 1;
  readonly providerId: string;
  readonly issuer: string;
  readonly refreshToken: string;
  readonly endedAtMs: number;
  readonly tries: number;
}

export interface Vault {
  /** The session with its tokens; null where there is none, or none that can still be opened. */
  read(): Promise<VaultSession | null>;
  /** Keeps a new session in place of the old one; the old one's refresh token is left to be revoked if it was another person's. */
  begin(session: VaultSession): Promise<void>;
  /** Keeps renewed tokens, if the vault still holds this very session. */
  renew(
    session: VaultSession,
    renewed: Pick<VaultSession, 'tokens' | 'dpopKey' | 'authenticatedAtMs'>,
  ): Promise<'kept' | 'gone'>;
  /** Keeps a completed profile, if the vault still holds this session, renewed or not. */
  complete(session: VaultSession, profile: Profile): Promise<'kept' | 'gone'>;
  /** Ends the session because the provider refused its tokens, if the vault still holds this very session. */
  expire(session: VaultSession): Promise<'ended' | 'gone'>;
  /** Ends whichever session there is, in one step, and leaves its refresh token to be revoked. */
  end(nowMs: number): Promise<void>;
  /** Leaves the refresh token of a session that was never begun to be revoked. */
  discard(session: VaultSession, nowMs: number): Promise<void>;
  pendingRevocations(): Promise<ReadonlyMap<string, PendingRevocation>>;
  keepPendingRevocation(key: string, revocation: PendingRevocation): Promise<void>;
  removePendingRevocation(key: string): Promise<void>;
}

const sessionKey = 'session';
const revocationPrefix = 'revocation:';
const dpopPrefix = 'dpop:';

const toDpopName = (sessionId: string) => dpopPrefix + sessionId;
/** One session has one key, so that with each write the others are orphans. */
const allDpopNames = () => IDBKeyRange.bound(dpopPrefix, `${dpopPrefix}\uffff`);

interface SealedRevocation {
  readonly revocationKey: string;
  readonly sealed: SealedRecord;
}

/**
 * The vault in `withDatabase`, sealed under the key that `findKey` gives. Its operations run one after the
 * other, in the order in which they were called. Each rejects with `storage-failed` when the storage does.
 */
export function createVault(withDatabase: WithDatabase, findKey: () => Promise<CryptoKey>): Vault {
  const queue = createQueue();
  const withKey = async <T>(work: (database: Database, key: CryptoKey) => Promise<T>): Promise<T> => {
    const key = await findKey();
    return withDatabase((database) => work(database, key));
  };
  const inTurn = <T>(work: (database: Database, key: CryptoKey) => Promise<T>): Promise<T> =>
    queue(() => withKey(work));

  /** What the record holds, as far as it is known. Each request of a feature asks, and opening it takes a while. */
  let held: VaultSession | null = null;

  const readSession = async (database: Database, key: CryptoKey): Promise<VaultSession | null> => {
    if (held !== null) return held;
    const opened = await open(key, sessionKey, await database.get('vault', sessionKey));
    const session = parse(sessionSchema, opened);
    if (session === null) return null;
    const dpopKey = await database.get('keys', toDpopName(session.id));
    held = { ...session, dpopKey: dpopKey !== undefined && 'privateKey' in dpopKey ? dpopKey : null };
    return held;
  };

  /** Replaces the session, its key and, where one is given, adds an ending; all of it or nothing. */
  const write = async (
    database: Database,
    key: CryptoKey,
    session: VaultSession | null,
    revocation: SealedRevocation | null = null,
  ) => {
    const sealed = session === null ? null : await seal(key, sessionKey, { ...session, dpopKey: undefined });
    // Nobody knows what a write that fails has left.
    held = null;
    const transaction = database.transaction(['vault', 'keys'], 'readwrite');
    const [records, keys] = [transaction.objectStore('vault'), transaction.objectStore('keys')];
    await Promise.all([
      keys.delete(allDpopNames()),
      sealed === null ? records.delete(sessionKey) : records.put(sealed, sessionKey),
      session?.dpopKey ? keys.put(session.dpopKey, toDpopName(session.id)) : null,
      revocation === null ? null : records.put(revocation.sealed, revocation.revocationKey),
      transaction.done,
    ]);
    held = session;
  };

  const sealRevocation = async (
    key: CryptoKey,
    session: VaultSession | null,
    endedAtMs: number,
  ): Promise<SealedRevocation | null> => {
    if (session === null || session.tokens.refreshToken === null) return null;
    const revocation: PendingRevocation = {
      version: 1,
      providerId: session.profile.providerId,
      issuer: session.issuer,
      refreshToken: session.tokens.refreshToken,
      endedAtMs,
      tries: 0,
    };
    const revocationKey = revocationPrefix + crypto.randomUUID();
    return { revocationKey, sealed: await seal(key, revocationKey, revocation) };
  };

  return {
    read: () => queue(async () => held ?? withKey(readSession)),

    begin: (session) =>
      inTurn(async (database, key) => {
        const old = await readSession(database, key);
        // A provider may revoke the whole grant with one token of it, and one person's sessions share a grant.
        const isOther = old !== null && !isSameAccount(old, session);
        await write(
          database,
          key,
          session,
          isOther ? await sealRevocation(key, old, session.startedAtMs) : null,
        );
      }),

    renew: (session, renewed) =>
      inTurn(async (database, key) => {
        const held = await readSession(database, key);
        if (held === null || !isSameTokens(held, session)) return 'gone';
        await write(database, key, { ...held, ...renewed, generation: held.generation + 1 });
        return 'kept';
      }),

    complete: (session, profile) =>
      inTurn(async (database, key) => {
        const held = await readSession(database, key);
        if (held?.id !== session.id) return 'gone';
        await write(database, key, { ...held, profile });
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
        const settled = await readSession(database, key);
        if (settled !== null && isSameAccount(settled, session)) return;
        const revocation = await sealRevocation(key, session, nowMs);
        if (revocation !== null) await database.put('vault', revocation.sealed, revocation.revocationKey);
      }),

    pendingRevocations: () =>
      inTurn(async (database, key) => {
        const pendingRevocations = new Map<string, PendingRevocation>();
        for (const revocationKey of await database.getAllKeys('vault')) {
          if (revocationKey === sessionKey) continue;
          const revocation = parse(
            pendingRevocationSchema,
            await open(key, revocationKey, await database.get('vault', revocationKey)),
          );
          if (revocation === null) await database.delete('vault', revocationKey);
          else pendingRevocations.set(revocationKey, revocation);
        }
        return pendingRevocations;
      }),

    keepPendingRevocation: (revocationKey, revocation) =>
      inTurn(async (database, key) => {
        await database.put('vault', await seal(key, revocationKey, revocation), revocationKey);
      }),

    removePendingRevocation: (revocationKey) => inTurn((database) => database.delete('vault', revocationKey)),
  };
}

/** Whether what is held is this very session, with this very set of tokens. */
export function isSameTokens(held: VaultSession | null, session: VaultSession): boolean {
  return held?.id === session.id && held.generation === session.generation;
}

function isSameAccount(one: VaultSession, other: VaultSession): boolean {
  return one.issuer === other.issuer && one.profile.subject === other.profile.subject;
}

const text = v.string();
const sessionSchema: v.GenericSchema<unknown, Omit<VaultSession, 'dpopKey'>> = v.object({
  version: v.literal(1),
  id: text,
  issuer: text,
  clientId: text,
  profile: profileSchema,
  startedAtMs: v.number(),
  authenticatedAtMs: v.number(),
  generation: v.number(),
  tokens: v.object({
    type: v.optional(v.picklist(['Bearer', 'DPoP']), 'Bearer'),
    accessToken: text,
    expiresAtMs: v.number(),
    refreshToken: v.nullable(text),
    idToken: v.nullable(text),
  }),
  additionalScope: v.optional(text, ''),
});
const pendingRevocationSchema: v.GenericSchema<unknown, PendingRevocation> = v.object({
  version: v.literal(1),
  providerId: text,
  issuer: text,
  refreshToken: text,
  endedAtMs: v.number(),
  tries: v.number(),
});

function parse<T>(schema: v.GenericSchema<unknown, T>, opened: unknown): T | null {
  const result = v.safeParse(schema, opened);
  return result.success ? result.output : null;
}
