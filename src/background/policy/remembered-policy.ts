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
  /** The policies before, newest first. */
  former: v.optional(v.array(rawSchema), []),
  /** Whether the browser knew of no policy the last time that a worker started. */
  isMissed: v.optional(v.boolean(), false),
});

export type Remembered = v.InferOutput<typeof schema>;

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
    read: async () => (known = await item.read()),

    async keep(policy, isMissed = false) {
      const { policy: last = null, former: before = [] } = known ?? {};
      const isSame = JSON.stringify(policy) === JSON.stringify(last);
      if (known !== null && isSame && isMissed === known.isMissed) return;
      const former = isSame || last === null ? before : [last, ...before].slice(0, maxFormer);
      const next = { version: 1, policy, former, isMissed } as const;
      known = next;
      const write = () => item.write(next);
      // If it fails twice, the next worker gets it from the browser.
      await write()
        .catch(write)
        .catch(() => undefined);
    },
  };
}
