// The record of the worker in memory and on the disk: events change it one after the other, and each change is stored before
// other parts learn of it.

import { createQueue, pause, singleFlight } from '../../concurrency.ts';
import type { Work } from '../work.ts';
import { emptyRecord, type WorkerRecord, type RecordEvent } from './record.ts';
import { findBrought, mayBeUndone } from './revocable.ts';
import { step } from './step.ts';
import { createDisk, Overtaken, type DiskParts, type Stored } from './disk.ts';

type RecordListener = (record: WorkerRecord, before: WorkerRecord, event: RecordEvent) => void;

/** An event, with its id and its time. */
interface Told {
  readonly event: RecordEvent;
  readonly id: string;
  readonly atMs: number;
}

/** The pauses between the tries to store what is held in memory: they outlast a disk that hangs for a while. */
const pausesMs = [1_000, 2_000, 4_000, 8_000, 16_000];

export type Records = ReturnType<typeof createRecords>;

/** The record in the database of `parts`. Events are stored in the order of the calls. */
export function createRecords(parts: DiskParts, work: Pick<Work, 'runInBackground'>) {
  const stored = createStoredRecord(parts);
  const queue = createQueue();
  const listeners = new Set<RecordListener>();
  /** The record that the listeners know; null before the first. */
  let shown: WorkerRecord | null = null;
  /** Events that couldn't be stored. */
  let held: readonly Told[] = [];
  /** Sign-outs that aren't stored yet. */
  let signOuts: readonly Told[] = [];
  const arrived = new Set<Pick<Set<unknown>, 'delete'>>();

  /** The record. If it can't be read, the last one that was read counts; rejects if there is none. */
  const view = async (): Promise<WorkerRecord> => {
    await stored.load().catch((error: unknown) => {
      if (stored.memory.known === null) throw error;
    });
    return stepAll(stored.memory.known ?? emptyRecord, held);
  };

  const viewAnyhow = () => view().catch(() => stepAll(emptyRecord, held));

  const show = (record: WorkerRecord, event: RecordEvent) => {
    const before = shown ?? stored.memory.first ?? emptyRecord;
    const after = stepAll(record, signOuts);
    shown = after;
    if (after !== before) for (const listener of listeners) listener(after, before, event);
  };

  /** Whether nothing is held in memory any longer. */
  const storeHeld = async (): Promise<boolean> => {
    const last = held.at(-1);
    try {
      const record = await stored.write(held);
      held = [];
      if (last !== undefined) show(record, last.event);
      return true;
    } catch {
      return false;
    }
  };

  /** Stores what is held in memory as soon as the storage works again. */
  const catchUp = singleFlight(() => repeat(() => queue(storeHeld)));

  /** Steps the record and stores it. If that fails, holds what `toHeld` makes of the event in memory, and rejects. */
  const dispatchOr = (toHeld: ToHeld, event: RecordEvent, id?: string): Promise<WorkerRecord> => {
    for (const tokens of arrived) for (const token of findBrought(event)) tokens.delete(token);
    const told = toTold(event, parts.nowMs(), id);
    if (event.type === 'signed-out') signOuts = [...signOuts, told];
    return queue(async () => {
      try {
        const record = await stored.write([...held, told]);
        held = [];
        show(record, event);
        return record;
      } catch (error) {
        const lasting = toHeld(told, stored.memory.known, held);
        if (lasting !== null) held = [...held, lasting];
        if (held.length > 0) work.runInBackground(catchUp());
        show(await viewAnyhow(), event);
        throw error;
      } finally {
        signOuts = signOuts.filter((other) => other !== told);
      }
    });
  };

  return {
    /** The record. Read once from the disk; rejects with `storage-failed` if that fails, and the next call tries again. */
    read: () => queue(view),
    /**
     * Steps the record, and resolves when it is stored. A write that fails is tried once more, on what is stored by then. Rejects
     * with `storage-failed`, and then the event has no effect, even if its write is done later. The record names `id` among the
     * events that were applied if this one has changed it.
     */
    dispatch: (event: RecordEvent, id?: string) => dispatchOr(toWithdrawal, event, id),
    /** Like `dispatch`, but never rejects: what can't be stored is held in memory, and stored later. */
    dispatchOrHold: (event: RecordEvent) => dispatchOr(toLasting, event).catch(() => queue(viewAnyhow)),
    /**
     * The tokens that have come in each work under way. A token that an event brings to the record is taken out: from then on the
     * record makes sure that it's revoked.
     */
    arrived,
    /** Whether there is something that couldn't be stored. */
    hasHeld: () => held.length > 0,
    /** Whether something is held only in memory. */
    hasUnstored: () => held.length + signOuts.length > 0,
    /**
     * Calls `listener`, which must not throw, after each change with the record, the one before, and the last event. A
     * sign-out counts as soon as it's requested: what was stored before it is no longer shown.
     */
    subscribe: (listener: RecordListener) => void listeners.add(listener),
  };
}

function toTold(event: RecordEvent, atMs: number, id: string = crypto.randomUUID()): Told {
  return { event, id, atMs };
}

/** Tries again after each pause, until it succeeds. */
async function repeat(attempt: () => Promise<boolean>): Promise<void> {
  for (const pauseMs of pausesMs) {
    await pause(pauseMs);
    if (await attempt()) return;
  }
}

/** The record on the disk, as the worker knows it. */
function createStoredRecord(parts: DiskParts) {
  const disk = createDisk(parts);
  /** Null if it has to be read: at first, and after a write that may or may not have succeeded. */
  let stored: Stored | null = null;
  const memory: {
    /** The record as it was stored last: it counts for as long as the storage can't be read. Null before it was read. */
    known: WorkerRecord | null;
    /** As it was read first. */
    first: WorkerRecord | null;
  } = { known: null, first: null };

  const load = async (): Promise<Stored> => {
    stored ??= await disk.load();
    memory.known = stored.record;
    memory.first ??= stored.record;
    return stored;
  };

  /** Steps the record, and stores it: again for as long as another worker comes first, and once more after another failure. */
  const write = async (told: readonly Told[], retries = 1): Promise<WorkerRecord> => {
    try {
      const before = await load();
      const next = stepAll(before.record, told);
      if (next === before.record) return next;
      stored = null;
      stored = await disk.write(before, next, mayBeUndone(before.record, next) ? 'default' : 'strict');
      memory.known = next;
      return next;
    } catch (error) {
      const isFailure = !(error instanceof Overtaken);
      if (isFailure && retries === 0) throw error;
      return write(told, isFailure ? retries - 1 : retries);
    }
  };

  return { load, write, memory };
}

/**
 * The part of an event that couldn't be stored to hold in memory; null for nothing. `known` is the record as it was stored last, and `held`
 * what is held already.
 */
type ToHeld = (told: Told, known: WorkerRecord | null, held: readonly Told[]) => Told | null;

/** The part of the event that matters later; null if it changes nothing. */
const toLasting: ToHeld = (told, known, held) => {
  const { event } = told;
  if (known === null) return told;
  const before = stepAll(known, held);
  if (stepAll(before, [told]) === before) return null;
  // Another worker may begin a session before it is stored.
  return event.type === 'signed-out'
    ? { ...told, event: { ...event, session: known.session?.id ?? null } }
    : told;
};

/** The event that undoes one whose caller was told that it failed: its write may be done after all. */
const toWithdrawal: ToHeld = ({ event, atMs }, known, held) => {
  if (event.type === 'code-shown') return toTold({ type: 'code-ended' }, atMs);
  if (event.type !== 'granted') return null;
  const { session, isSignedOutOnPurpose } = stepAll(known ?? emptyRecord, held);
  const before = { session, isSignedOutOnPurpose };
  return toTold({ type: 'grant-withdrawn', session: event.session, before }, atMs);
};

/** How many events are remembered: more than other workers cause while a disk hangs. */
const maxApplied = 20;

function stepAll(from: WorkerRecord, told: readonly Told[]): WorkerRecord {
  // The events before it were applied together with it.
  const last = told.findLastIndex(({ id }) => from.applied.includes(id));
  return told.slice(last + 1).reduce((record, { event, id, atMs }) => {
    const next = step(record, event, atMs);
    return next === record ? record : { ...next, applied: [...record.applied, id].slice(-maxApplied) };
  }, from);
}
