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
  /** The first mistake of a newer policy, which is not in force; null if there is none. */
  problem: v.optional(v.nullable(v.string()), null),
});

export type Remembered = v.InferOutput<typeof schema>;

const nothing: Remembered = { version: 1, policy: null, former: [], isMissed: false, problem: null };

export interface RememberedPolicy {
  /** Null if nothing is remembered. Rejects if the storage fails. */
  read(): Promise<Remembered | null>;
  /**
   * Changes these members, unless no good policy is remembered yet. If that fails twice, the next worker goes on with what was
   * remembered before, until the browser has answered. Never rejects.
   */
  keep(change: Partial<Pick<Remembered, 'policy' | 'isMissed' | 'problem'>>): Promise<void>;
}

/** The policy that is remembered in `area`. Read it before it is kept. */
export function createRememberedPolicy(area: StorageArea): RememberedPolicy {
  const item = createStorageItem(area, policyKey, schema);
  let known: Remembered | null = null;

  return {
    read: async () => (known = await item.read()),

    async keep(change) {
      if (known === null && change.policy === undefined) return;
      const { policy: last, former: before } = known ?? nothing;
      const changed = { ...(known ?? nothing), ...change };
      const former =
        last === null || isSame(last, changed.policy) ? before : [last, ...before].slice(0, maxFormer);
      const next = { ...changed, former };
      if (isSame(next, known)) return;
      known = next;
      const write = () => item.write(next);
      // If it fails twice, the next worker gets it from the browser.
      await write()
        .catch(write)
        .catch(() => undefined);
    },
  };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
