// The record of the worker in memory and on the disk: events change it one after the other, and each change is stored before
// other parts learn of it.

import { createQueue } from '../../concurrency.ts';
import { emptyRecord, type WorkerRecord, type RecordEvent } from './record.ts';
import { step, toLeftOver } from './step.ts';
import { createDisk, Overtaken, type DiskParts, type Stored } from './disk.ts';

export interface Records {
  /** The record. Read once from the disk; rejects with `storage-failed` if that fails, and the next call tries again. */
  read(): Promise<WorkerRecord>;
  /**
   * Steps the record, and resolves when it is stored. A write that fails is tried once more, on what is stored by then.
   * Rejects with `storage-failed`; the part of the event that must not be lost is then held in memory, and stored with the next
   * event.
   */
  dispatch(event: RecordEvent): Promise<WorkerRecord>;
  /** Likewise, but never rejects: what can't be stored is held in memory, and what can't be read counts as absent. */
  dispatchOrHold(event: RecordEvent): Promise<WorkerRecord>;
  /** Whether something is held only in memory. */
  hasUnstored(): boolean;
  /**
   * Calls `listener`, which must not throw, after each change with the record, the one before, and the last event. A
   * sign-out counts as soon as it's requested: what was stored before it is no longer shown.
   */
  subscribe(listener: RecordListener): void;
}

type RecordListener = (record: WorkerRecord, before: WorkerRecord, event: RecordEvent) => void;

/** An event and its time. */
interface Told {
  readonly event: RecordEvent;
  readonly atMs: number;
}

/** A power cut may undo these: no token is lost with them. */
const passing: readonly RecordEvent['type'][] = [
  'code-shown',
  'code-ended',
  'renewal-failed',
  'api-failed',
  'user-info-asked',
  'profile-completed',
  'revocation-sent',
  'revocation-answered',
  'revocations-checked',
];

/** The record in the database of `parts`. Events are stored in the order of the calls. */
export function createRecords(parts: DiskParts): Records {
  const { nowMs } = parts;
  const disk = createDisk(parts);
  const queue = createQueue();
  const audience = createAudience();
  /** Null if it has to be read: at first, and after a write that may or may not have succeeded. */
  let stored: Stored | null = null;
  /** The record as it was stored last: it counts for as long as the storage cannot be read. */
  let known: WorkerRecord | null = null;
  /** Events that could not be stored. */
  let unstored: readonly Told[] = [];
  /** Sign-outs that are not stored yet. */
  let signOuts: readonly Told[] = [];

  const show = (record: WorkerRecord, { event }: Told) => audience.show(stepAll(record, signOuts), event);

  const loadStored = async (): Promise<Stored> => {
    stored ??= await untilFirst(disk.load);
    known = stored.record;
    audience.begin(stored.record);
    return stored;
  };

  const store = async (told: readonly Told[]): Promise<WorkerRecord> => {
    const before = await loadStored();
    const next = stepAll(before.record, told);
    if (next === before.record) return next;
    const isPassing = told.every(({ event }) => passing.includes(event.type));
    stored = null;
    stored = await disk.write(before, next, isPassing ? 'default' : 'strict');
    return next;
  };

  /** Tries a failed write once more. */
  const storeSurely = (told: readonly Told[]): Promise<WorkerRecord> => {
    const tryToStore = () => untilFirst(() => store(told));
    return tryToStore().catch(tryToStore);
  };

  /** The record. If it can't be read, the last one that was read counts; rejects if there is none. */
  const view = async (): Promise<WorkerRecord> => {
    const loaded = await loadStored().catch((error: unknown) => {
      if (known === null) throw error;
      return { record: known };
    });
    return stepAll(loaded.record, unstored);
  };

  const viewAnyhow = () => view().catch(() => stepAll(emptyRecord, unstored));

  const keep = async (told: Told) => {
    const event = toLeftOver(told.event);
    if (event === null) return;
    unstored = [...unstored, { ...told, event }];
    const after = await viewAnyhow();
    // The kept events may come to nothing.
    if (JSON.stringify(after) === JSON.stringify(known)) unstored = [];
    show(after, told);
  };

  const storeOrKeep = async (told: Told) => {
    try {
      const record = await storeSurely([...unstored, told]);
      unstored = [];
      show(record, told);
      return record;
    } catch (error) {
      await keep(told);
      throw error;
    }
  };

  const dispatch: Records['dispatch'] = (event) => {
    const told = { event, atMs: nowMs() };
    if (event.type !== 'signed-out') return queue(() => storeOrKeep(told));
    signOuts = [...signOuts, told];
    const end = () => {
      signOuts = signOuts.filter((other) => other !== told);
    };
    return queue(() => storeOrKeep(told).finally(end));
  };

  return {
    read: () => queue(view),
    dispatch,
    dispatchOrHold: (event) => dispatch(event).catch(() => queue(viewAnyhow)),
    hasUnstored: () => unstored.length + signOuts.length > 0,
    subscribe: audience.add,
  };
}

/** Does `work` again for as long as another worker comes first. */
async function untilFirst<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
    }
  }
}

/** Those who follow the record. */
function createAudience() {
  const listeners = new Set<RecordListener>();
  let shown: WorkerRecord | null = null;
  return {
    add: (listener: RecordListener) => void listeners.add(listener),
    /** Sets the record that they know to `record`, if they don't know any yet. */
    begin(record: WorkerRecord) {
      shown ??= record;
    },
    show(record: WorkerRecord, event: RecordEvent) {
      const before = shown ?? emptyRecord;
      shown = record;
      if (record !== before) for (const listener of listeners) listener(record, before, event);
    },
  };
}

function stepAll(from: WorkerRecord, told: readonly Told[]): WorkerRecord {
  return told.reduce((record, { event, atMs }) => step(record, event, atMs), from);
}
