// The record on the disk: sealed, and beside it the key that its tokens are bound to. Each write is one transaction.

import { words } from '../../session/detail.ts';
import { ProblemError } from '../../session/problem.ts';
import { parseRecord, serializeRecord } from '../record/parse.ts';
import { emptyRecord, isEmpty, type WorkerRecord } from '../record/record.ts';
import { step } from '../record/step.ts';
import { strict, type Database, type Envelope, type WithDatabase } from './database.ts';
import { generateKey, open, seal } from './seal.ts';
import { vaultKeyName, type KeyPlace } from './vault-key.ts';

/** Names the record, also when it is sealed. */
export const recordName = 'record';

/** Names the key that the session's tokens are bound to. */
const dpopKeyName = 'dpop-key';

/** The record as it is stored. */
export interface Stored {
  readonly record: WorkerRecord;
  /** Names the last write; null if nothing is stored. */
  readonly revision: string | null;
  /** Where its key is. */
  readonly place: Place;
}

/** Where the key is, in a build with one of the values of `persistence`. */
export type Place = 'device' | 'browser';

/**
 * The record was written since it was read: by another worker, or by a write that seemed to have failed. Or its key now belongs in
 * another place.
 */
export class Overtaken extends ProblemError {}

export interface Disk {
  /**
   * Reads the record. If the configuration wants the key in another place than the one where it is, nothing stays readable there,
   * and the session ends, because the choice of a place decides who can read it.
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
  readonly keys: Readonly<Record<Place, KeyPlace>>;
  /** Resolves with the place that the configuration wants the key in. */
  readonly decidePlace: () => Promise<Place>;
  readonly nowMs: () => number;
}

export function createDisk({ withDatabase, keys, decidePlace, nowMs }: DiskParts): Disk {
  const write = async (
    { revision, place }: Stored,
    record: WorkerRecord,
    options: IDBTransactionOptions,
  ): Promise<Stored> => {
    const envelope = await toEnvelope(record, () => keys[place].expect());
    // Files keep deleted records. In Firefox, the next key overwrites this one in the file, which makes them unreadable.
    // Chromium's files keep the old key too.
    const nextKey = envelope?.sealed || place === 'browser' ? null : await generateKey();
    const dpopKey = record.session?.dpopKey;
    await withDatabase(async (database) => {
      const transaction = database.transaction(['vault', 'keys'], 'readwrite', options);
      const [records, stored] = [transaction.objectStore('vault'), transaction.objectStore('keys')];
      if (((await records.get(recordName))?.revision ?? null) !== revision)
        throw new Overtaken('storage-failed', words`another worker has written`);
      const hasKey = (await stored.count(vaultKeyName)) > 0;
      await Promise.all([
        envelope === null ? records.delete(recordName) : records.put(envelope, recordName),
        dpopKey ? stored.put(dpopKey, dpopKeyName) : stored.delete(dpopKeyName),
        nextKey && hasKey && stored.put(nextKey, vaultKeyName),
        transaction.done,
      ]);
    });
    return { record, revision: envelope?.revision ?? null, place };
  };

  return {
    async load() {
      const [sealed, place, device, browser] = await Promise.all([
        withDatabase(readSealed),
        decidePlace(),
        keys.device.find(),
        keys.browser.find(),
      ]);
      const found = { device, browser };
      const other = place === 'device' ? 'browser' : 'device';
      const inPlace = await openSealed(sealed, found[place]);
      const elsewhere = inPlace === null ? await openSealed(sealed, found[other]) : null;
      const isSignedOutOnPurpose = sealed.envelope?.isSignedOutOnPurpose === true;
      const record = { ...(inPlace ?? elsewhere ?? emptyRecord), isSignedOutOnPurpose };
      const next =
        elsewhere === null ? record : step(record, { type: 'signed-out', by: 'configuration' }, nowMs());
      const stored = { record: next, revision: sealed.envelope?.revision ?? null, place };
      const isToWrite = Boolean(sealed.envelope?.sealed) && inPlace === null;
      const written = isToWrite ? await write(stored, next, strict) : stored;
      // Last: if the worker dies before this, the next one can still open the record.
      if (found[other] !== null) await keys[other].remove();
      return written;
    },

    async write(before, next, durability) {
      if (before.place !== (await decidePlace()))
        throw new Overtaken('storage-failed', words`the place of the key has changed`);
      return write(before, next, durability === 'strict' ? strict : {});
    },
  };
}

/** The record as it is stored; null for nothing at all. */
async function toEnvelope(record: WorkerRecord, getKey: () => Promise<CryptoKey>): Promise<Envelope | null> {
  const { isSignedOutOnPurpose } = record;
  if (isEmpty(record) && !isSignedOutOnPurpose) return null;
  const sealed = isEmpty(record) ? null : await seal(await getKey(), recordName, serializeRecord(record));
  return { revision: crypto.randomUUID(), isSignedOutOnPurpose, sealed };
}

/** The sealed record, and the key that its session's tokens are bound to. */
interface Sealed {
  readonly envelope: Partial<Envelope> | undefined;
  readonly dpopKey: CryptoKeyPair | null;
}

async function readSealed(database: Database): Promise<Sealed> {
  const transaction = database.transaction(['vault', 'keys']);
  const [envelope, key] = await Promise.all([
    transaction.objectStore('vault').get(recordName),
    transaction.objectStore('keys').get(dpopKeyName),
    transaction.done,
  ]);
  return { envelope, dpopKey: key !== undefined && 'privateKey' in key ? key : null };
}

/** The record if this key opens it; otherwise null. */
async function openSealed(
  { envelope, dpopKey }: Sealed,
  key: CryptoKey | null,
): Promise<WorkerRecord | null> {
  const opened = key && (await open(key, recordName, envelope?.sealed));
  return opened === null ? null : parseRecord(opened, dpopKey);
}
