// The record on the disk: sealed, and beside it the key that its tokens are bound to. Each write is one transaction.

import { words } from '../../session/detail.ts';
import { ProblemError } from '../../session/problem.ts';
import { isFormerName, takeOver, type FormerRecords } from '../record/former-version.ts';
import { parseRecord, serializeRecord } from '../record/parse.ts';
import { emptyRecord, isEmpty, type WorkerRecord } from '../record/record.ts';
import { step } from '../record/step.ts';
import { strict, type Database, type Envelope, type SealedRecord, type WithDatabase } from './database.ts';
import { generateKey, open, seal } from './seal.ts';
import { vaultKeyName, type KeyPlace } from './vault-key.ts';

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
export type Place = 'device' | 'browser';

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
    former: readonly string[],
  ): Promise<Stored> => {
    // A new name for each write, because a handle doesn't show which key is already stored.
    const keyName = dpopPrefix + crypto.randomUUID();
    const envelope = await toEnvelope(record, keyName, () => keys[place].expect());
    // Files keep deleted records. In Firefox, the next key overwrites this one in the file, which makes them unreadable.
    // Chromium's files keep the old key too.
    const nextKey = envelope?.sealed || place === 'browser' ? null : await generateKey();
    await withDatabase(async (database) => {
      const transaction = database.transaction(['vault', 'keys'], 'readwrite', options);
      const [records, pairs] = [transaction.objectStore('vault'), transaction.objectStore('keys')];
      const found = (await records.get(recordName)) as Partial<Envelope> | undefined;
      if ((found?.revision ?? null) !== revision)
        throw new Overtaken('storage-failed', words`another worker has written`);
      const hasKey = (await pairs.count(vaultKeyName)) > 0;
      await Promise.all([
        envelope === null ? records.delete(recordName) : records.put(envelope, recordName),
        ...former.map((name) => records.delete(name)),
        pairs.delete(allDpopNames()),
        nextKey && hasKey && pairs.put(nextKey, vaultKeyName),
        record.session?.dpopKey && pairs.put(record.session.dpopKey, keyName),
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
      const { former, ...opened } = inPlace ?? elsewhere ?? nothing;
      const isSignedOutOnPurpose = sealed.envelope?.isSignedOutOnPurpose === true;
      const record = { ...opened.record, isSignedOutOnPurpose };
      const taken = takeOver(record, former, sealed.pairs, nowMs());
      const next =
        elsewhere === null ? taken : step(taken, { type: 'signed-out', by: 'configuration' }, nowMs());
      const stored = { record: next, revision: sealed.envelope?.revision ?? null, place };
      const isSealed = Boolean(sealed.envelope?.sealed) || sealed.former.size > 0;
      const isAsRead = inPlace !== null && next === record;
      const written =
        isSealed && !isAsRead ? await write(stored, next, strict, [...sealed.former.keys()]) : stored;
      // Last: if the worker dies before this, the next one can still open the record.
      if (found[other] !== null) await keys[other].remove();
      return written;
    },

    async write(before, next, durability) {
      if (before.place !== (await decidePlace()))
        throw new Overtaken('storage-failed', words`the place of the key has changed`);
      return write(before, next, durability === 'strict' ? strict : {}, []);
    },
  };
}

/** The record as it is stored; null for nothing at all. */
async function toEnvelope(
  record: WorkerRecord,
  keyName: string,
  getKey: () => Promise<CryptoKey>,
): Promise<Envelope | null> {
  const { isSignedOutOnPurpose } = record;
  if (isEmpty(record) && !isSignedOutOnPurpose) return null;
  const sealed = isEmpty(record)
    ? null
    : await seal(await getKey(), recordName, serializeRecord(record, keyName));
  return { revision: crypto.randomUUID(), isSignedOutOnPurpose, sealed };
}

/** The sealed records, and the keys that tokens are bound to. */
interface Sealed {
  readonly envelope: Partial<Envelope> | null;
  /** Records that an earlier version has stored. */
  readonly former: ReadonlyMap<string, SealedRecord>;
  readonly pairs: ReadonlyMap<string, CryptoKeyPair>;
}

async function readSealed(database: Database): Promise<Sealed> {
  const transaction = database.transaction(['vault', 'keys']);
  const [records, pairs] = [transaction.objectStore('vault'), transaction.objectStore('keys')];
  const [names, values, pairNames, pairValues] = await Promise.all([
    records.getAllKeys(),
    records.getAll(),
    pairs.getAllKeys(allDpopNames()),
    pairs.getAll(allDpopNames()),
    transaction.done,
  ]);
  const all = names.map((name, index) => [name, values[index] as SealedRecord] as const);
  return {
    envelope: (values[names.indexOf(recordName)] as Partial<Envelope> | undefined) ?? null,
    former: new Map(all.filter(([name]) => isFormerName(name))),
    pairs: new Map(
      pairNames.flatMap((name, index) => {
        const pair = pairValues[index];
        return pair !== undefined && 'privateKey' in pair ? [[name, pair]] : [];
      }),
    ),
  };
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
