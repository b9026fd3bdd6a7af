// The code of a sign-in that waits for the person (RFC 8628), sealed, so that the next worker goes on waiting. It is a
// secret like a token: whoever has it gets the tokens once the person has agreed.

import * as v from 'valibot';
import { createQueue } from '../../concurrency/queue.ts';
import type { DeviceGrant } from '../../oidc/device.ts';
import { strict, type SealedRecord, type WithDatabase } from './database.ts';
import { open, seal } from './seal.ts';
import type { Records } from './records.ts';

const name = 'device-grant';

const schema = v.object({
  /** When the sign-in started: it tells one from another. */
  startedAtMs: v.number(),
  grant: v.object({
    shown: v.object({ userCode: v.string(), verificationUri: v.string(), expiresAtMs: v.number() }),
    deviceCode: v.string(),
    intervalSeconds: v.number(),
  }),
});

/** The stored code of one sign-in. Each operation rejects with `storage-failed` if the storage fails. */
export interface StoredGrant {
  /** Stores the code of the sign-in that started at `startedAtMs`, in place of the one before. */
  keep(startedAtMs: number, grant: DeviceGrant): Promise<void>;
  /** The code of the sign-in that started at `startedAtMs`; null if it is not stored or cannot be opened. */
  find(startedAtMs: number): Promise<DeviceGrant | null>;
  remove(): Promise<void>;
}

/** The code in `withDatabase`, sealed under the vault's key. */
export function createStoredGrant(
  withDatabase: WithDatabase,
  { expectKey }: Pick<Records, 'expectKey'>,
): StoredGrant {
  // In the order of the calls, so that the removal of an old code removes no new one.
  const queue = createQueue();
  return {
    keep: (startedAtMs, grant) =>
      queue(async () => {
        const sealed = await seal(await expectKey(), name, { startedAtMs, grant });
        await withDatabase(async (database) => {
          const transaction = database.transaction('vault', 'readwrite', strict);
          await Promise.all([transaction.store.put(sealed, name), transaction.done]);
        });
      }),
    find: (startedAtMs) =>
      queue(async () => {
        const key = await expectKey();
        const opened = await withDatabase(async (database) =>
          open(key, name, (await database.get('vault', name)) as SealedRecord | undefined),
        );
        const stored = v.safeParse(schema, opened);
        return stored.success && stored.output.startedAtMs === startedAtMs ? stored.output.grant : null;
      }),
    remove: () => queue(() => withDatabase((database) => database.delete('vault', name))),
  };
}
