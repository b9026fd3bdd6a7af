// The record on disk: encrypted, with the key that its tokens are bound to next to it. Each write is one transaction. Also the
// encryption, and the stored form.

import * as v from '../../session/shape.ts';
import { detail } from '../../session/detail.ts';
import { problemCodes, ProblemError } from '../../session/problem.ts';
import { profileSchema } from '../../session/view.ts';
import {
  emptyRecord,
  type ApiGrant,
  type CodeSignIn,
  type PendingRevocation,
  type RevocableToken,
  type WorkerRecord,
} from './record.ts';
import { toPendingRevocation, toRevocableToken } from './revocable.ts';
import { step } from './step.ts';
import { type Database, type SealedRecord, type WithDatabase } from './database.ts';
import { readItem, vaultKeyName, type Persistence } from '../storage.ts';
import type { StorageArea } from '../../bridge/session/board.ts';

/** Names the record, also when it is sealed. */
export const recordName = 'record';

const dpopPrefix = 'dpop:';

/** The record as it is stored. */
export interface Stored {
  readonly record: WorkerRecord;
  /** Names the last write; null if nothing is stored. */
  readonly revision: string | null;
  /** Where its key is. */
  readonly place: Persistence;
}

/**
 * The record was written since it was read: by another worker, or by a write that seemed to have failed. Or its key now belongs
 * elsewhere.
 */
export class Overtaken extends ProblemError {}

export interface DiskParts {
  readonly withDatabase: WithDatabase;
  /** The key for the place `browser`. */
  readonly memoryKey: ReturnType<typeof createMemoryKey>;
  /** Resolves with the place where the configuration puts the key. */
  readonly persistence: () => Promise<Persistence>;
  readonly nowMs: () => number;
}

export function createDisk({ withDatabase, memoryKey, persistence, nowMs }: DiskParts) {
  /**
   * Stores `next` in place of `before`. If `durability` is `strict`, a power cut can't undo it: by default Chromium is done when
   * the operating system has the data. Throws {@link Overtaken} if something other than `before` is stored. After any other error,
   * the write may have been done.
   */
  const write = async (
    { revision, place }: Stored,
    next: WorkerRecord,
    durability: 'strict' | 'default',
  ): Promise<Stored> => {
    if (place !== (await persistence()))
      throw new Overtaken('storage-failed', detail`the place of the key has changed`);
    // A new name for each write, because a handle doesn't show which key is already stored.
    const keyName = dpopPrefix + crypto.randomUUID();
    // On the device each record has a key of its own, stored with it, so nothing is ever sealed under a key that's gone. Files keep
    // deleted records: in Firefox, the next key overwrites the last one in the file, which makes them unreadable. Chromium's files
    // keep the old key too.
    const key = place === 'device' ? await generateKey() : null;
    const content = serializeRecord(next, keyName);
    const sealed = content && (await seal(key ?? (await memoryKey.expect()), recordName, content));
    const { isSignedOutOnPurpose } = next;
    const isStored = sealed !== null || isSignedOutOnPurpose;
    const envelope = isStored ? { revision: crypto.randomUUID(), isSignedOutOnPurpose, sealed } : null;
    await withDatabase(async (database) => {
      const transaction = database.transaction(['vault', 'keys'], 'readwrite', { durability });
      const [records, keys] = [transaction.objectStore('vault'), transaction.objectStore('keys')];
      const found = await records.get(recordName);
      if ((found?.revision ?? null) !== revision)
        throw new Overtaken('storage-failed', detail`another worker has written`);
      await Promise.all([
        envelope === null ? records.delete(recordName) : records.put(envelope, recordName),
        key === null ? keys.delete(vaultKeyName) : keys.put(key, vaultKeyName),
        // All keys that tokens are bound to.
        keys.delete(IDBKeyRange.bound(dpopPrefix, `${dpopPrefix}\uffff`)),
        next.session?.dpopKey && keys.put(next.session.dpopKey, keyName),
        transaction.done,
      ]);
    });
    return { record: next, revision: envelope?.revision ?? null, place };
  };

  /**
   * Reads the record: again for as long as it has to be written and another worker comes first. If the configuration now puts the
   * key elsewhere, nothing stays readable in the old place, and the session ends: the place decides who can read it.
   */
  const load = async (): Promise<Stored> => {
    const [{ envelope, key: onDevice, pairs }, place, inMemory] = await Promise.all([
      withDatabase(readVault),
      persistence(),
      memoryKey.find().catch(async (error: unknown) => {
        // On the device the record needs nothing of the browser's memory.
        if ((await persistence()) === 'browser') throw error;
        return null;
      }),
    ]);
    const [key, otherKey] = place === 'device' ? [onDevice, inMemory] : [inMemory, onDevice];
    const sealed = envelope?.sealed ?? null;
    const inPlace = await open(key, recordName, sealed);
    const opened = inPlace ?? (await open(otherKey, recordName, sealed));
    const isSignedOutOnPurpose = envelope?.isSignedOutOnPurpose === true;
    const parsed = { ...parseRecord(opened, pairs, nowMs()), isSignedOutOnPurpose };
    const record =
      opened === inPlace ? parsed : step(parsed, { type: 'signed-out', by: 'configuration' }, nowMs());
    let stored: Stored = { record, revision: envelope?.revision ?? null, place };
    const isInOrder = (sealed === null || inPlace !== null) && !(place === 'browser' && onDevice !== null);
    try {
      if (!isInOrder) stored = await write(stored, record, 'strict');
    } catch (error) {
      if (error instanceof Overtaken) return load();
      // The next write does the same.
      if (opened !== inPlace) throw error;
    }
    // Last: if the worker dies before this, the next one can still open the record.
    if (place === 'device' && inMemory !== null) await memoryKey.remove().catch(() => undefined);
    return stored;
  };

  return { load, write };
}

/** The sealed record, and the keys that are stored with it. */
async function readVault(database: Database) {
  const transaction = database.transaction(['vault', 'keys']);
  const keys = transaction.objectStore('keys');
  const [envelope, names, values] = await Promise.all([
    transaction.objectStore('vault').get(recordName),
    keys.getAllKeys(),
    keys.getAll(),
    transaction.done,
  ]);
  const stored = new Map(names.map((name, at) => [name, values[at]]));
  const key = stored.get(vaultKeyName);
  return {
    envelope: envelope ?? null,
    /** The key that seals the record; null if it isn't on the device. */
    key: key !== undefined && 'algorithm' in key ? key : null,
    /** The keys that tokens are bound to. */
    pairs: new Map(
      [...stored].flatMap(([name, pair]) => (pair && 'privateKey' in pair ? [[name, pair]] : [])),
    ),
  };
}

// Seals records with AES-GCM. Each is bound to its own name, so that none can take another's place.

const algorithm = 'AES-GCM';

/** Encrypts `value`, as JSON, under `name`. */
export async function seal(key: CryptoKey, name: string, value: unknown): Promise<SealedRecord> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const plaintext = new TextEncoder().encode(JSON.stringify(value));
  const ciphertext = await crypto.subtle.encrypt(parametersOf(iv, name), key, plaintext);
  return { iv, ciphertext };
}

/** Decrypts a record that was sealed under `name`; null for no record, and if this isn't its key. */
export async function open(
  key: CryptoKey | null,
  name: string,
  record: SealedRecord | null,
): Promise<unknown> {
  if (key === null || record === null) return null;
  try {
    const plaintext = await crypto.subtle.decrypt(parametersOf(record.iv, name), key, record.ciphertext);
    return JSON.parse(new TextDecoder().decode(plaintext)) as unknown;
  } catch {
    // Sealed with another key, or damaged. The caller decides what follows.
    return null;
  }
}

/** A new key for sealing, not extractable. */
function generateKey(): Promise<CryptoKey> {
  return crypto.subtle.generateKey({ name: algorithm, length: 256 }, false, ['encrypt', 'decrypt']);
}

/** The same of these 32 random bytes. */
function importKey(raw: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', raw, algorithm, false, ['encrypt', 'decrypt']);
}

function parametersOf(iv: Uint8Array<ArrayBuffer>, name: string) {
  return { name: algorithm, iv, additionalData: new TextEncoder().encode(name) };
}

// Keeps the key in the browser's memory only, so that nothing can decrypt the record after the browser has closed.

const bytesSchema = v.array(v.number());

/** The key in `memory`. Each call rejects if the storage fails. */
export function createMemoryKey(memory: StorageArea) {
  /** The key; null if there is none. */
  const find = async (): Promise<CryptoKey | null> => {
    const bytes = await readItem(memory, vaultKeyName, bytesSchema);
    return bytes && importKey(new Uint8Array(bytes));
  };

  return {
    find,
    /** The key, created if there is none. One call at a time. */
    async expect(): Promise<CryptoKey> {
      const found = await find();
      if (found !== null) return found;
      const bytes = crypto.getRandomValues(new Uint8Array(32));
      await memory.set({ [vaultKeyName]: [...bytes] });
      return importKey(bytes);
    },
    remove: () => memory.remove(vaultKeyName),
  };
}

// The stored form of the record. Its parts are parsed one by one, so damage to one costs only that part.

const text = v.string();
/** One that JSON can hold: it reads a number of 400 digits as infinite, and writes that as null. */
const number = v.pipe(v.number(), Number.isFinite);

/** A code from another version of the extension mustn't cost the session. */
const problemCode = (code: unknown) => v.read(v.picklist(problemCodes), code) ?? 'unexpected';

const tokenType = v.picklist(['Bearer', 'DPoP']);
const tokensSchema = v.union([
  v.object({
    type: tokenType,
    accessToken: text,
    expiresAtMs: number,
    refreshToken: v.nullable(text),
    idToken: v.nullable(text),
  }),
  v.object({
    type: v.literal('id_token'),
    idToken: text,
    expiresAtMs: number,
    refreshToken: v.custom<null>((value) => value === null),
  }),
]);

const pauseSchema = v.nullable(
  v.object({ untilMs: number, lengthMs: number, failure: problemCode, sinceMs: v.exactOptional(number) }),
);

const apisSchema: v.Schema<ApiGrant[]> = v.array(
  v.object({
    key: text,
    additionalScope: text,
    token: v.nullable(v.object({ type: tokenType, accessToken: text, expiresAtMs: number })),
    pause: pauseSchema,
  }),
);

/** Members of another version are carried along. */
const sessionSchema = v.looseObject({
  id: text,
  issuer: text,
  clientId: text,
  profile: profileSchema,
  startedAtMs: number,
  authenticatedAtMs: number,
  generation: number,
  tokens: tokensSchema,
  additionalScope: text,
  grantedScope: v.nullable(text),
  /** Damage to them mustn't cost the session, because their tokens can be requested again. */
  apis: (apis) => v.read(apisSchema, apis) ?? [],
  refusals: v.array(v.object({ origin: text, generation: number, atMs: number })),
  originalClaims: v.nullable(
    v.object({
      audiences: v.array(text),
      authorizedParty: v.nullable(text),
      nonce: text,
      authTimeSeconds: v.nullable(number),
    }),
  ),
  renewalSentAtMs: v.nullable(number),
  userInfoDueMs: v.nullable(number),
  silentTriedAtMs: v.nullable(number),
  pause: pauseSchema,
  dpopKey: v.nullable(text),
});

const codeSchema: v.Schema<CodeSignIn> = v.object({
  providerId: text,
  issuer: text,
  clientId: text,
  startedAtMs: number,
  grant: v.object({
    shown: v.object({ userCode: text, verificationUri: text, expiresAtMs: number }),
    deviceCode: text,
    intervalSeconds: number,
  }),
  additionalScope: v.nullable(text),
});

const revocableMembers = {
  providerId: text,
  issuer: text,
  clientId: v.nullable(text),
  subject: v.nullable(text),
  token: text,
  expiresAtMs: v.exactOptional(number),
};

const revocableSchema: v.Schema<RevocableToken> = v.object(revocableMembers);

const pendingSchema: v.Schema<PendingRevocation> = v.looseObject({
  ...revocableMembers,
  queuedAtMs: number,
  revocableSinceMs: v.nullable(number),
  firstSentAtMs: v.nullable(number),
  pause: pauseSchema,
});

/**
 * The sealed part of the record as JSON can hold it; null if there is nothing to seal. It also holds the session's token in a form
 * that never changes, so that any version can revoke the token of a session that it can't read. `keyName` is
 * that of the stored key that the tokens are bound to.
 */
export function serializeRecord(
  { session, codeSignIn, pendingRevocations, applied, others }: WorkerRecord,
  keyName: string,
): object | null {
  const isEmpty = session === null && codeSignIn === null && pendingRevocations.length === 0;
  if (isEmpty && Object.keys(others).length === 0) return null;
  const named = session && { ...session, dpopKey: session.dpopKey && keyName };
  return {
    ...others,
    session: named,
    codeSignIn,
    pendingRevocations,
    applied,
    revocable: session && toRevocableToken(session),
  };
}

/**
 * Reads what {@link serializeRecord} returned, in this or a different version, with its key. The token of a session that
 * can't be read is to be revoked from now on. Never throws.
 */
export function parseRecord(
  stored: unknown,
  keys: ReadonlyMap<string, CryptoKeyPair>,
  nowMs: number,
): WorkerRecord {
  if (typeof stored !== 'object' || stored === null) return emptyRecord;
  const {
    session: storedSession,
    codeSignIn,
    pendingRevocations: storedPending,
    applied,
    revocable,
    ...others
  } = stored as Record<string, unknown>;
  const session = v.read(sessionSchema, storedSession);
  const pendingRevocations = (Array.isArray(storedPending) ? storedPending : []).flatMap(
    (pending: unknown) => v.read(pendingSchema, pending) ?? [],
  );
  const unread = session === null ? v.read(revocableSchema, revocable) : null;
  return {
    ...emptyRecord,
    session: session && { ...session, dpopKey: keys.get(session.dpopKey ?? '') ?? null },
    codeSignIn: v.read(codeSchema, codeSignIn),
    pendingRevocations:
      unread === null ? pendingRevocations : [...pendingRevocations, toPendingRevocation(unread, nowMs)],
    applied: v.read(v.array(text), applied) ?? [],
    others,
  };
}
