// The last good policy on the device, and those before it: tokens of their providers may still have to be revoked.

import * as v from 'valibot';
import { createStorageItem, type StorageArea } from '../../bridge/storage-item.ts';

/** A policy as the browser passed it on. */
export type RawPolicy = Readonly<Record<string, unknown>>;

/** The storage key of the remembered policy. */
export const policyKey = 'policy';

/** More of them would be useless, because a token is given up after a day. */
const maxFormer = 10;

const rawSchema = v.record(v.string(), v.unknown());

const schema = v.object({
  version: v.literal(1),
  /** Null if there was none. */
  policy: v.nullable(rawSchema),
  /** Newest first. */
  formerOnes: v.exactOptional(v.array(rawSchema)),
  /** The one before, as earlier versions stored it. */
  former: v.exactOptional(rawSchema),
  isMissed: v.exactOptional(v.boolean()),
});

export interface Remembered {
  /** Null if there was none. */
  readonly policy: RawPolicy | null;
  /** The policies before, newest first. */
  readonly former: readonly RawPolicy[];
  /** Whether the browser knew of no policy the last time that a worker started. */
  readonly isMissed: boolean;
}

export interface RememberedPolicy {
  /** Null if nothing is remembered. Rejects if the storage fails. */
  read(): Promise<Remembered | null>;
  /**
   * Remembers this policy in place of the one before. If that fails twice, the next worker goes on with the one before, until
   * the browser has answered. Never rejects.
   */
  keep(policy: RawPolicy | null, isMissed?: boolean): Promise<void>;
}

/** The policy that is remembered in `area`. Read it before it is kept. */
export function createRememberedPolicy(area: StorageArea): RememberedPolicy {
  const item = createStorageItem(area, policyKey, schema);
  let known: Remembered | null = null;

  return {
    async read() {
      const stored = await item.read();
      if (stored === null) return null;
      const { policy, former, formerOnes = former === undefined ? [] : [former], isMissed = false } = stored;
      known = { policy, former: formerOnes, isMissed };
      return known;
    },

    async keep(policy, isMissed = false) {
      const { policy: last = null, former: before = [] } = known ?? {};
      const isSame = JSON.stringify(policy) === JSON.stringify(last);
      if (known !== null && isSame && isMissed === known.isMissed) return;
      const former = isSame || last === null ? before : [last, ...before].slice(0, maxFormer);
      known = { policy, former, isMissed };
      const stored = {
        version: 1,
        policy,
        ...(former.length > 0 && { formerOnes: [...former] }),
        ...(isMissed && { isMissed }),
      } as const;
      try {
        await item.write(stored).catch(async () => item.write(stored));
      } catch {
        // The next worker gets it from the browser.
      }
    },
  };
}
