// Reads the content of the vault through another vault over the same storage.

import type { WithDatabase } from '../../../src/background/vault/database.ts';
import { browserKey, deviceKey } from '../../../src/background/vault/vault-key.ts';
import { toLooseToken, type VaultSession } from '../../../src/background/vault/vault-records.ts';
import { createVault } from '../../../src/background/vault/vault.ts';
import type { Config } from '../../../src/config/provider.ts';
import type { FakeStorageArea } from '../fake-browser.ts';

export interface Held {
  readonly session: VaultSession | null;
  /** The token of the session that has to be revoked at its end: its refresh token, if it has one. */
  readonly lasting: string | null;
  /** The refresh tokens that wait for their revocation. */
  readonly queued: readonly string[];
}

/** Reads the vault. Makes no key if there is none. */
export async function readHeld(
  withDatabase: WithDatabase,
  memory: FakeStorageArea,
  persistence: Config['persistence'],
): Promise<Held> {
  const key = persistence === 'device' ? deviceKey(withDatabase) : browserKey(memory);
  if ((await key.find()) === null) return { session: null, lasting: null, queued: [] };
  const vault = createVault(withDatabase, key);
  const session = await vault.read();
  const pending = await vault.pendingRevocations();
  const lasting = session && (toLooseToken(session)?.refreshToken ?? null);
  return { session, lasting, queued: [...pending.values()].map(({ refreshToken }) => refreshToken) };
}
