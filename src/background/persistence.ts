// Where the worker keeps the session: on the device, or in the browser's memory.

import { journalKey } from '../bridge/report/journal-lines.ts';
import { boardKey } from '../bridge/session/board.ts';
import type { StorageArea } from '../bridge/storage-item.ts';
import { ProblemError } from '../session/problem.ts';
import type { InForce } from './policy/policy-in-force.ts';
import { policyKey } from './policy/remembered-policy.ts';
import { readTogether, type ManyItemsArea } from './read-together.ts';
import { signOutMarkKey } from './session/sign-out-mark.ts';
import type { WithDatabase } from './vault/database.ts';
import type { Place } from './vault/disk.ts';
import { createRecords, type Records } from './vault/records.ts';
import { browserKey, deviceKey, vaultKeyName } from './vault/vault-key.ts';

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
  /** The area of the board and the journal. Before its first use, the other one is cleared. */
  readonly area: StorageArea;
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
  let kept: Place | null = null;
  let cleared: Place | null = null;

  const findPlace = async (): Promise<Place> => {
    if (kept !== null) return kept;
    const { persistence, managed } = await decide();
    if (managed === 'awaited') return vaultKeyName in (await memory.get(vaultKeyName)) ? 'browser' : 'device';
    return (kept = persistence);
  };
  const usePlace = async (): Promise<Place> => {
    const place = await findPlace();
    const other = place === 'device' ? 'browser' : 'device';
    if (cleared !== other) await clear(other === 'device' ? local : memory);
    cleared = other;
    return place;
  };
  const isKeptOnDevice = async () => (await usePlace()) === 'device';

  return {
    local,
    memory,
    readAhead(withDatabase) {
      local.readAhead();
      memory.readAhead();
      // Its first user gets the error.
      withDatabase(() => Promise.resolve()).catch(() => undefined);
    },
    isKeptOnDevice,
    area: laterArea(async () => ((await isKeptOnDevice()) ? local : memory)),
    openRecords: (withDatabase, nowMs) =>
      createRecords({
        withDatabase,
        keys: { device: deviceKey(withDatabase), browser: browserKey(memory) },
        decidePlace: usePlace,
        nowMs,
      }),
  };
}

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

/** The area that `choose` resolves with. Each call waits for it. */
function laterArea(choose: () => Promise<StorageArea>): StorageArea {
  return {
    get: async (key) => (await choose()).get(key),
    set: async (values) => (await choose()).set(values),
    remove: async (key) => (await choose()).remove(key),
  };
}
