// Where the worker keeps the session: on the device, or in the browser's memory.

import { journalKey } from '../bridge/report/entries.ts';
import { readTogether, type ManyItemsArea } from '../bridge/read-together.ts';
import { boardKey } from '../bridge/session/board-key.ts';
import type { StorageArea } from '../bridge/storage-item.ts';
import type { Config } from '../config/provider.ts';
import { ProblemError } from '../session/problem.ts';
import { policyKey } from './policy/policy.ts';
import { laterArea, laterKey } from './policy/places.ts';
import type { WithDatabase } from './vault/database.ts';
import { leaveFormerPlaceFirst } from './vault/former-place.ts';
import { browserKey, deviceKey, vaultKeyName, type KeyPlace } from './vault/vault-key.ts';

/** The items of the area. */
const items = [boardKey, journalKey];

export interface Places {
  /** The browser's storage on the device, and its memory. */
  readonly local: StorageArea;
  readonly memory: StorageArea;
  /** Begins to read the items of both that a start needs, and to open the database. */
  readAhead(withDatabase: WithDatabase): void;
  /** Whether the session is kept on the device. */
  isKeptOnDevice(): Promise<boolean>;
  /** The area of the board and the journal. */
  readonly area: StorageArea;
  /** The key of the vault in `withDatabase`. Before its first use, the other place is left. */
  expectVaultKey(withDatabase: WithDatabase, nowMs: () => number): Pick<KeyPlace, 'expect'>;
}

/**
 * The places for the `persistence` that `decide` resolves with. A policy that changes it is followed by the next worker, so
 * it is asked until it has decided, and no more.
 */
export function createPlaces(
  storage: { readonly local: ManyItemsArea; readonly session: ManyItemsArea },
  decide: () => Promise<Config['persistence']>,
): Places {
  const local = readTogether(toReported(storage.local), [policyKey, ...items]);
  const memory = readTogether(toReported(storage.session), [vaultKeyName, ...items]);
  let kept: Config['persistence'] | null = null;
  const isKeptOnDevice = async () => (kept ??= await decide()) === 'device';
  const choose = async <T>(onDevice: T, inBrowser: T): Promise<T> =>
    (await isKeptOnDevice()) ? onDevice : inBrowser;

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
    area: laterArea(() => choose(local, memory)),
    expectVaultKey(withDatabase, nowMs) {
      const [onDevice, inBrowser] = [deviceKey(withDatabase), browserKey(memory)];
      return leaveFormerPlaceFirst({
        withDatabase,
        key: laterKey(() => choose(onDevice, inBrowser)),
        formerKey: laterKey(() => choose(inBrowser, onDevice)),
        formerArea: laterArea(() => choose(memory, local)),
        formerItems: items,
        nowMs,
      });
    },
  };
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
