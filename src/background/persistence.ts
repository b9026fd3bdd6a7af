// Where the worker keeps the session: on the device, or in the browser's memory.

import { journalKey } from '../bridge/report/journal-lines.ts';
import { boardKey, createBoardStore, type BoardStore, type StorageArea } from '../bridge/session/board.ts';
import { createQueue } from '../concurrency.ts';
import { ProblemError } from '../session/problem.ts';
import { type InForce, policyKey } from './policy/policy.ts';
import { readTogether, type ManyItemsArea } from './storage.ts';
import { signOutMarkKey } from './session/sign-out.ts';
import type { WithDatabase } from './record/database.ts';
import { type Place, createMemoryKey, vaultKeyName } from './record/disk.ts';
import { createRecords, type Records } from './record/records.ts';

/** The items of the area. */
const items = [boardKey, journalKey];

export interface Places {
  /** The browser's storage on the device, and its memory. */
  readonly local: StorageArea;
  readonly memory: StorageArea;
  /** Begins to read the items of both that a start needs, and to open the database. */
  readAhead(withDatabase: WithDatabase): void;
  /** Whether the session is kept on the device. While a policy is awaited, that depends on where the last worker has kept it. */
  isKeptOnDevice(): Promise<boolean>;
  readonly boards: BoardStore;
  readonly journalArea: StorageArea;
  /** The record in `withDatabase`, and its key. */
  openRecords(withDatabase: WithDatabase, nowMs: () => number): Records;
}

/**
 * The places for the `persistence` of the settings that `decide` resolves with. If a policy changes it, only the next worker
 * follows, so `decide` is called until it has resolved with settings that are known.
 */
export function createPlaces(
  storage: { readonly local: ManyItemsArea; readonly session: ManyItemsArea },
  decide: () => Promise<Pick<InForce, 'persistence' | 'managed'>>,
): Places {
  const local = readTogether(toReported(storage.local), [policyKey, signOutMarkKey, ...items]);
  const memory = readTogether(toReported(storage.session), [vaultKeyName, ...items]);
  const areas = { device: local, browser: memory };
  const boards = { device: createBoardStore(local), browser: createBoardStore(memory) };
  const inTurn = createQueue();
  let kept: Place | null = null;
  let cleared: Place | null = null;

  const findPlace = async (): Promise<Place> => {
    if (kept !== null) return kept;
    const { persistence, managed } = await decide();
    if (managed === 'awaited') return vaultKeyName in (await memory.get(vaultKeyName)) ? 'browser' : 'device';
    return (kept = persistence);
  };
  /** Runs `use` with the place when the other one is cleared. In turn, so that nothing is left in a place that has changed. */
  const inPlace = async <T>(use: (place: Place) => Promise<T>) => {
    // From now on the place stays.
    if (kept !== null && cleared === toOther(kept)) return use(kept);
    return inTurn(async () => {
      const place = await findPlace();
      const other = toOther(place);
      if (cleared !== other) await clear(areas[other]);
      cleared = other;
      return use(place);
    });
  };

  return {
    local,
    memory,
    readAhead(withDatabase) {
      local.readAhead();
      memory.readAhead();
      // Its first user gets the error.
      withDatabase(() => Promise.resolve()).catch(() => undefined);
    },
    isKeptOnDevice: () => inPlace(async (place) => place === 'device'),
    boards: {
      read: () => inPlace((place) => boards[place].read()),
      write: (board) => inPlace((place) => boards[place].write(board)),
    },
    journalArea: {
      get: (key) => inPlace((place) => areas[place].get(key)),
      set: (values) => inPlace((place) => areas[place].set(values)),
      remove: (key) => inPlace((place) => areas[place].remove(key)),
    },
    openRecords: (withDatabase, nowMs) =>
      createRecords({
        withDatabase,
        memoryKey: createMemoryKey(memory),
        decidePlace: () => inPlace((place) => Promise.resolve(place)),
        nowMs,
      }),
  };
}

const toOther = (place: Place): Place => (place === 'device' ? 'browser' : 'device');

/** Removes the items of the worker from an area. They are there only if the configuration has changed. */
async function clear(area: StorageArea): Promise<void> {
  const removeIfThere = async (item: string) => {
    if (item in (await area.get(item))) await area.remove(item);
  };
  await Promise.all(items.map(removeIfThere));
}

/** The same area, which rejects with {@link ProblemError} `storage-failed`, so that a page can say what is wrong. */
function toReported(area: ManyItemsArea): ManyItemsArea {
  const report = (cause: unknown): never => {
    throw new ProblemError('storage-failed', null, { cause });
  };
  return {
    get: (keys: string | string[]) => area.get(keys).catch(report),
    set: (changed) => area.set(changed).catch(report),
    remove: (key) => area.remove(key).catch(report),
  };
}
