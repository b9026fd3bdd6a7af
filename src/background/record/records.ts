// The record of the worker in memory and on the disk: events change it one after the other, and each change is stored before
// other parts learn of it.

import { createQueue } from '../../concurrency.ts';
import { emptyRecord, type WorkerRecord, type RecordEvent } from './record.ts';
import { step, toLeftOver } from './step.ts';
import { createDisk, Overtaken, type DiskParts, type Stored } from './disk.ts';

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

export type Records = ReturnType<typeof createRecords>;

/** The record in the database of `parts`. Events are stored in the order of the calls. */
export function createRecords(parts: DiskParts) {
  const disk = createDisk(parts);
  const queue = createQueue();
  const listeners = new Set<RecordListener>();
  /** Null if it has to be read: at first, and after a write that may or may not have succeeded. */
  let stored: Stored | null = null;
  /** The record as it was stored last: it counts for as long as the storage cannot be read. */
  let known: WorkerRecord | null = null;
  /** The record that the listeners know; null before the first. */
  let shown: WorkerRecord | null = null;
  /** Events that could not be stored. */
  let unstored: readonly Told[] = [];
  /** Sign-outs that are not stored yet. */
  let signOuts: readonly Told[] = [];

  const load = async (): Promise<Stored> => {
    stored ??= await disk.load();
    known = stored.record;
    shown ??= stored.record;
    return stored;
  };

  /** Steps the record, and stores it: again for as long as another worker comes first, and once more after another failure. */
  const store = async (told: readonly Told[], retries = 1): Promise<WorkerRecord> => {
    try {
      const before = await load();
      const next = stepAll(before.record, told);
      if (next === before.record) return next;
      const isPassing = told.every(({ event }) => passing.includes(event.type));
      stored = null;
      stored = await disk.write(before, next, isPassing ? 'default' : 'strict');
      return next;
    } catch (error) {
      const isFailure = !(error instanceof Overtaken);
      if (isFailure && retries === 0) throw error;
      return store(told, isFailure ? retries - 1 : retries);
    }
  };

  /** The record. If it can't be read, the last one that was read counts; rejects if there is none. */
  const view = async (): Promise<WorkerRecord> => {
    await load().catch((error: unknown) => {
      if (known === null) throw error;
    });
    return stepAll(known ?? emptyRecord, unstored);
  };

  const viewAnyhow = () => view().catch(() => stepAll(emptyRecord, unstored));

  const show = (record: WorkerRecord, { event }: Told) => {
    const before = shown ?? emptyRecord;
    const after = stepAll(record, signOuts);
    shown = after;
    if (after !== before) for (const listener of listeners) listener(after, before, event);
  };

  /**
   * Steps the record, and resolves when it is stored. A write that fails is tried once more, on what is stored by then.
   * Rejects with `storage-failed`; the part of the event that must not be lost is then held in memory, and stored with the next
   * event.
   */
  const dispatch = (event: RecordEvent): Promise<WorkerRecord> => {
    const told = { event, atMs: parts.nowMs() };
    if (event.type === 'signed-out') signOuts = [...signOuts, told];
    return queue(async () => {
      try {
        const record = await store([...unstored, told]);
        unstored = [];
        show(record, told);
        return record;
      } catch (error) {
        const leftOver = toLeftOver(event);
        if (leftOver === null) throw error;
        unstored = [...unstored, { ...told, event: leftOver }];
        const after = await viewAnyhow();
        // The kept events may come to nothing.
        if (JSON.stringify(after) === JSON.stringify(known)) unstored = [];
        show(after, told);
        throw error;
      } finally {
        signOuts = signOuts.filter((other) => other !== told);
      }
    });
  };

  return {
    /** The record. Read once from the disk; rejects with `storage-failed` if that fails, and the next call tries again. */
    read: () => queue(view),
    dispatch,
    /** Like `dispatch`, but never rejects: what can't be stored is held in memory, and what can't be read counts as absent. */
    dispatchOrHold: (event: RecordEvent) => dispatch(event).catch(() => queue(viewAnyhow)),
    /** Whether something is held only in memory. */
    hasUnstored: () => unstored.length + signOuts.length > 0,
    /**
     * Calls `listener`, which must not throw, after each change with the record, the one before, and the last event. A
     * sign-out counts as soon as it's requested: what was stored before it is no longer shown.
     */
    subscribe: (listener: RecordListener) => void listeners.add(listener),
  };
}

function stepAll(from: WorkerRecord, told: readonly Told[]): WorkerRecord {
  return told.reduce((record, { event, atMs }) => step(record, event, atMs), from);
}
