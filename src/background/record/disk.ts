// The record on the disk: sealed, and beside it the key that its tokens are bound to. Each write is one transaction.

import * as v from 'valibot';
import { detail } from '../../session/detail.ts';
import { ProblemError } from '../../session/problem.ts';
import { isFormerName, takeOver, type FormerRecords, parseRecord, serializeRecord } from './parse.ts';
import { emptyRecord, isEmpty, type WorkerRecord } from './record.ts';
import { step } from './step.ts';
import { strict, type Database, type Envelope, type SealedRecord, type WithDatabase } from './database.ts';
import { createStorageItem, vaultKeyName } from '../storage.ts';
import type { StorageArea } from '../../bridge/session/board.ts';

/** Names the record, also when it is sealed. */
export const recordName = 'record';

const dpopPrefix = 'dpop:';
/** All keys that tokens are bound to. */
const allDpopNames = () => IDBKeyRange.bound(dpopPrefix, `${dpopPrefix}\uffff`);

/** The record as it is stored. */
export interface Stored {
  readonly record: WorkerRecord;
  /** Names the last write; null if nothing is stored. */
  readonly revision: string | null;
  /** Where its key is. */
  readonly place: Place;
}

/** Where the key is, in a build with one of the values of `persistence`. */
type Place = 'device' | 'browser';

/**
 * The record was written since it was read: by another worker, or by a write that seemed to have failed. Or its key now belongs in
 * another place.
 */
export class Overtaken extends ProblemError {}

export interface Disk {
  /**
   * Reads the record. It takes over what an earlier version has stored. If the configuration wants the key in another
   * place than the one where it is, nothing stays readable there, and the session ends, because the choice of a place decides
   * who can read it.
   */
  load(): Promise<Stored>;
  /**
   * Stores `next` in place of `before`. If `durability` is `strict`, a power cut cannot undo it. Throws {@link Overtaken} if
   * something other than `before` is stored. After any other error, the write may have been done.
   */
  write(before: Stored, next: WorkerRecord, durability: 'strict' | 'default'): Promise<Stored>;
}

export interface DiskParts {
  readonly withDatabase: WithDatabase;
  /** The key for the place `browser`. */
  readonly memoryKey: MemoryKey;
  /** Resolves with the place that the configuration wants the key in. */
  readonly decidePlace: () => Promise<Place>;
  readonly nowMs: () => number;
}

export function createDisk({ withDatabase, memoryKey, decidePlace, nowMs }: DiskParts): Disk {
  const write = async (
    { revision, place }: Stored,
    record: WorkerRecord,
    options: IDBTransactionOptions,
    former: Iterable<string> = [],
  ): Promise<Stored> => {
    // A new name for each write, because a handle doesn't show which key is already stored.
    const keyName = dpopPrefix + crypto.randomUUID();
    // On the device each record has a key of its own, stored with it, so nothing is ever sealed under a key that's gone. Files keep
    // deleted records: in Firefox, the next key overwrites the last one in the file, which makes them unreadable. Chromium's files
    // keep the old key too.
    const key = place === 'device' ? await generateKey() : null;
    const sealed = isEmpty(record)
      ? null
      : await seal(key ?? (await memoryKey.expect()), recordName, serializeRecord(record, keyName));
    const { isSignedOutOnPurpose } = record;
    const isStored = sealed !== null || isSignedOutOnPurpose;
    const envelope = isStored ? { revision: crypto.randomUUID(), isSignedOutOnPurpose, sealed } : null;
    await withDatabase(async (database) => {
      const transaction = database.transaction(['vault', 'keys'], 'readwrite', options);
      const [records, keys] = [transaction.objectStore('vault'), transaction.objectStore('keys')];
      const found = (await records.get(recordName)) as Partial<Envelope> | undefined;
      if ((found?.revision ?? null) !== revision)
        throw new Overtaken('storage-failed', detail`another worker has written`);
      await Promise.all([
        envelope === null ? records.delete(recordName) : records.put(envelope, recordName),
        ...[...former].map((name) => records.delete(name)),
        key === null ? keys.delete(vaultKeyName) : keys.put(key, vaultKeyName),
        keys.delete(allDpopNames()),
        record.session?.dpopKey && keys.put(record.session.dpopKey, keyName),
        transaction.done,
      ]);
    });
    return { record, revision: envelope?.revision ?? null, place };
  };

  return {
    async load() {
      const [sealed, place, inMemory] = await Promise.all([
        withDatabase(readSealed),
        decidePlace(),
        memoryKey.find(),
      ]);
      const { envelope, former, pairs } = sealed;
      const [key, otherKey] = place === 'device' ? [sealed.key, inMemory] : [inMemory, sealed.key];
      const inPlace = await openSealed(sealed, key);
      const elsewhere = inPlace === null ? await openSealed(sealed, otherKey) : null;
      const opened = inPlace ?? elsewhere ?? nothing;
      const record = { ...opened.record, isSignedOutOnPurpose: envelope?.isSignedOutOnPurpose === true };
      const taken = takeOver(record, opened.former, pairs, nowMs());
      const next =
        elsewhere === null ? taken : step(taken, { type: 'signed-out', by: 'configuration' }, nowMs());
      const stored = { record: next, revision: envelope?.revision ?? null, place };
      const isAsRead = inPlace === null ? !envelope?.sealed : next === record;
      const isKeyLeft = place === 'browser' && sealed.key !== null;
      const isDone = isAsRead && !isKeyLeft && former.size === 0;
      const written = isDone ? stored : await write(stored, next, strict, former.keys());
      // Last: if the worker dies before this, the next one can still open the record.
      if (place === 'device' && inMemory !== null) await memoryKey.remove();
      return written;
    },

    async write(before, next, durability) {
      if (before.place !== (await decidePlace()))
        throw new Overtaken('storage-failed', detail`the place of the key has changed`);
      return write(before, next, durability === 'strict' ? strict : {});
    },
  };
}

/** The sealed records, and the keys beside them. */
interface Sealed {
  readonly envelope: Partial<Envelope> | null;
  /** Records that an earlier version has stored. */
  readonly former: ReadonlyMap<string, SealedRecord>;
  /** The vault's key; null if it isn't on the device. */
  readonly key: CryptoKey | null;
  /** The keys that tokens are bound to. */
  readonly pairs: ReadonlyMap<string, CryptoKeyPair>;
}

async function readSealed(database: Database): Promise<Sealed> {
  const transaction = database.transaction(['vault', 'keys']);
  const [records, keys] = await Promise.all([
    readAll(transaction.objectStore('vault')),
    readAll(transaction.objectStore('keys')),
    transaction.done,
  ]);
  const key = keys.get(vaultKeyName);
  return {
    envelope: (records.get(recordName) as Partial<Envelope> | undefined) ?? null,
    former: new Map(
      [...records].flatMap(([name, value]) => (isFormerName(name) ? [[name, value as SealedRecord]] : [])),
    ),
    key: key !== undefined && 'algorithm' in key ? key : null,
    pairs: new Map([...keys].flatMap(([name, pair]) => ('privateKey' in pair ? [[name, pair]] : []))),
  };
}

async function readAll<T>(store: {
  getAllKeys(): Promise<string[]>;
  getAll(): Promise<T[]>;
}): Promise<ReadonlyMap<string, T>> {
  const [names, values] = await Promise.all([store.getAllKeys(), store.getAll()]);
  return new Map(names.map((name, at) => [name, values[at] as T]));
}

interface Opened {
  readonly record: WorkerRecord;
  readonly former: FormerRecords;
}

const nothing: Opened = { record: emptyRecord, former: new Map() };

/** The records that this key opens; null if it opens none. */
async function openSealed(
  { envelope, former, pairs }: Sealed,
  key: CryptoKey | null,
): Promise<Opened | null> {
  if (key === null) return null;
  const [stored, ...opened] = await Promise.all([
    open(key, recordName, envelope?.sealed ?? undefined),
    ...[...former].map(async ([name, sealed]) => [name, await open(key, name, sealed)] as const),
  ]);
  const isOpen = stored !== null || opened.some(([, value]) => value !== null);
  return isOpen ? { record: parseRecord(stored, pairs), former: new Map(opened) } : null;
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

/** Decrypts a record that was sealed under `name`; null for no record, and for one that this key does not open. */
export async function open(key: CryptoKey, name: string, record: SealedRecord | undefined): Promise<unknown> {
  if (record === undefined) return null;
  try {
    const plaintext = await crypto.subtle.decrypt(parametersOf(record.iv, name), key, record.ciphertext);
    return JSON.parse(new TextDecoder().decode(plaintext)) as unknown;
  } catch {
    // Sealed with another key, or damaged. The caller decides what follows.
    return null;
  }
}

/** A new key for sealing, not extractable. */
export function generateKey(): Promise<CryptoKey> {
  return crypto.subtle.generateKey({ name: algorithm, length: 256 }, false, ['encrypt', 'decrypt']);
}

/** The same of these 32 random bytes. */
function importKey(raw: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', raw, algorithm, false, ['encrypt', 'decrypt']);
}

function parametersOf(iv: Uint8Array<ArrayBuffer>, name: string) {
  return { name: algorithm, iv, additionalData: new TextEncoder().encode(name) };
}

// The vault's key in the browser's memory alone, so that nothing opens the record after the browser has closed.

/** Each call rejects if the storage fails. */
export interface MemoryKey {
  /** The key; null if there is none. */
  find(): Promise<CryptoKey | null>;
  /** The key, created if there is none. One call at a time. */
  expect(): Promise<CryptoKey>;
  remove(): Promise<void>;
}

export function createMemoryKey(memory: StorageArea): MemoryKey {
  const item = createStorageItem(memory, vaultKeyName, v.array(v.number()));

  const find = async () => {
    const bytes = await item.read();
    return bytes && importKey(new Uint8Array(bytes));
  };

  return {
    find,
    async expect() {
      const found = await find();
      if (found !== null) return found;
      const bytes = crypto.getRandomValues(new Uint8Array(32));
      await item.write([...bytes]);
      return importKey(bytes);
    },
    remove: item.remove,
  };
}
