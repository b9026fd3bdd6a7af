// Reads what the worker holds over its storage, as the next worker would.

import type { WithDatabase } from '../../../src/background/vault/database.ts';
import { browserKey, deviceKey } from '../../../src/background/vault/vault-key.ts';
import { toLastingToken, type SignedIn } from '../../../src/background/record/record.ts';
import { createRecords } from '../../../src/background/vault/records.ts';
import type { Config } from '../../../src/config/provider.ts';
import type { FakeStorageArea } from '../fake-browser.ts';

export interface Held {
  readonly session: SignedIn | null;
  /** The token of the session that has to be revoked at its end: its refresh token, if it has one. */
  readonly lasting: string | null;
  /** The tokens that wait for their revocation. */
  readonly queued: readonly string[];
}

/** Reads the record. Makes no key if there is none. */
export async function readHeld(
  withDatabase: WithDatabase,
  memory: FakeStorageArea,
  persistence: Config['persistence'],
): Promise<Held> {
  const keys = { device: deviceKey(withDatabase), browser: browserKey(memory) };
  if ((await keys[persistence].find()) === null) return { session: null, lasting: null, queued: [] };
  const decidePlace = () => Promise.resolve(persistence);
  const records = createRecords({ withDatabase, keys, decidePlace, nowMs: () => 0 });
  const { session, debts } = (await records.read()).record;
  const lasting = session && (toLastingToken(session)?.token ?? null);
  return { session, lasting, queued: debts.map(({ token }) => token) };
}
