// Where the worker keeps the session: on the device, or in the browser's memory.

import { journalKey } from '../bridge/report/entries.ts';
import { boardKey } from '../bridge/session/board-key.ts';
import type { StorageArea } from '../bridge/storage-item.ts';
import type { Config } from '../config/provider.ts';
import { laterArea, laterKey } from './policy/places.ts';
import type { WithDatabase } from './vault/database.ts';
import { leaveFormerPlaceFirst } from './vault/former-place.ts';
import { browserKey, deviceKey, type KeyPlace } from './vault/vault-key.ts';

export interface Places {
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
  { local, session: memory }: { readonly local: StorageArea; readonly session: StorageArea },
  decide: () => Promise<Config['persistence']>,
): Places {
  let kept: Config['persistence'] | null = null;
  const isKeptOnDevice = async () => (kept ??= await decide()) === 'device';
  const choose = async <T>(onDevice: T, inBrowser: T): Promise<T> =>
    (await isKeptOnDevice()) ? onDevice : inBrowser;

  return {
    isKeptOnDevice,
    area: laterArea(() => choose(local, memory)),
    expectVaultKey(withDatabase, nowMs) {
      const [onDevice, inBrowser] = [deviceKey(withDatabase), browserKey(memory)];
      return leaveFormerPlaceFirst({
        withDatabase,
        key: laterKey(() => choose(onDevice, inBrowser)),
        formerKey: laterKey(() => choose(inBrowser, onDevice)),
        formerArea: laterArea(() => choose(memory, local)),
        formerItems: [boardKey, journalKey],
        nowMs,
      });
    },
  };
}
