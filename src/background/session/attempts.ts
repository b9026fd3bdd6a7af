// What is remembered of the sign-in that is under way, in the browser's memory: enough to take it up when its worker
// has died, and none of its secrets.

import * as v from 'valibot';
import { createStorageItem, type StorageArea } from '../../bridge/storage-item.ts';

const attemptSchema = v.object({
  startedAtMs: v.number(),
  loginHint: v.nullable(v.string()),
  /** What the person who is signed in was asked to allow beyond the configured scope; null at a sign-in. */
  additionalScope: v.nullable(v.string()),
});

type Attempt = Readonly<v.InferOutput<typeof attemptSchema>>;

export interface Attempts {
  keep(attempt: Attempt): Promise<void>;
  /** The attempt that began at `startedAtMs`, if that was in this run of the browser and not too long ago. */
  find(startedAtMs: number): Promise<Attempt | null>;
}

/** Whoever comes back later than this has forgotten it, and would be surprised to be signed in. */
const maxAgeMs = 10 * 60 * 1000;

export function createAttempts(memory: StorageArea, nowMs: () => number): Attempts {
  const item = createStorageItem(memory, 'attempt', attemptSchema);
  return {
    keep: item.write,
    async find(startedAtMs) {
      const stored = await item.read();
      if (stored?.startedAtMs !== startedAtMs) return null;
      return Math.abs(nowMs() - startedAtMs) < maxAgeMs ? stored : null;
    },
  };
}
