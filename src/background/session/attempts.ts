// A record of the running sign-in in the browser's memory: enough to resume it after its worker died, and no secret
// of it.

import * as v from 'valibot';
import { createStorageItem, type StorageArea } from '../../bridge/storage-item.ts';
import type { SigningIn } from '../../session/session.ts';

const attemptSchema = v.object({
  startedAtMs: v.number(),
  loginHint: v.nullable(v.string()),
  /** Whether the person asked for another account than the one that the provider knows. */
  prompt: v.nullable(v.literal('select_account')),
  /** The scope requested beyond the configured one; null at an ordinary sign-in. */
  additionalScope: v.nullable(v.string()),
});

export type Attempt = Readonly<v.InferOutput<typeof attemptSchema>>;

export interface Attempts {
  /** Stores the attempt in place of the one before. Rejects if the storage fails. */
  keep(attempt: Attempt): Promise<void>;
  /** Removes the stored attempt, so that it is not resumed. Never rejects. */
  forget(): Promise<void>;
  /**
   * The attempt of `session`, if that started in this run of the browser, less than ten minutes ago. A code that is shown
   * is waited for until it ends. Null also if the storage fails, so that the sign-in ends.
   */
  find(session: Pick<SigningIn, 'startedAtMs' | 'device'>): Promise<Attempt | null>;
}

/** After this time a person would be surprised to be signed in. */
const maxAgeMs = 10 * 60 * 1000;

export function createAttempts(memory: StorageArea, nowMs: () => number): Attempts {
  const item = createStorageItem(memory, 'attempt', attemptSchema);
  return {
    keep: item.write,
    // If the storage fails, the board says what the person wished.
    forget: () => item.remove().catch(() => undefined),
    async find({ startedAtMs, device }) {
      const stored = await item.read().catch(() => null);
      if (stored?.startedAtMs !== startedAtMs) return null;
      const longestMs = device ? device.expiresAtMs - startedAtMs : maxAgeMs;
      return Math.abs(nowMs() - startedAtMs) < longestMs ? stored : null;
    },
  };
}
