// What is remembered of the sign-in that is under way, in the browser's memory: enough to take it up when its worker
// has died, and none of its secrets.

import * as v from 'valibot';
import type { MemoryArea } from '../vault/vault-key.ts';

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

const key = 'attempt';

/** Whoever comes back later than this has forgotten it, and would be surprised to be signed in. */
const maxAgeMs = 10 * 60 * 1000;

export function createAttempts(memory: MemoryArea, nowMs: () => number): Attempts {
  return {
    async keep(attempt) {
      await memory.set({ [key]: attempt });
    },
    async find(startedAtMs) {
      const kept = v.safeParse(attemptSchema, (await memory.get(key))[key]);
      if (!kept.success || kept.output.startedAtMs !== startedAtMs) return null;
      return Math.abs(nowMs() - startedAtMs) < maxAgeMs ? kept.output : null;
    },
  };
}
