// The queue of refresh tokens to revoke: one sealed record for each, beside the session's.

import type { Database, SealedRecord } from './database.ts';
import { open, seal } from './seal.ts';
import {
  createRevocationKey,
  isRevocationKey,
  parsePendingRevocation,
  type PendingRevocation,
  type RevocationKey,
  type VaultSession,
} from './vault-records.ts';

/** A pending revocation, ready to be stored. */
export interface SealedRevocation {
  readonly key: RevocationKey;
  readonly sealed: SealedRecord;
}

/** The sealed revocation of a session's refresh token; null if there is nothing to revoke. */
export async function sealRevocation(
  vaultKey: CryptoKey,
  session: VaultSession | null,
  endedAtMs: number,
): Promise<SealedRevocation | null> {
  if (session === null || session.tokens.refreshToken === null) return null;
  const revocation: PendingRevocation = {
    version: 1,
    providerId: session.profile.providerId,
    issuer: session.issuer,
    refreshToken: session.tokens.refreshToken,
    endedAtMs,
    tries: 0,
  };
  const key = createRevocationKey();
  return { key, sealed: await seal(vaultKey, key, revocation) };
}

/** All pending revocations. A record that cannot be opened is deleted. */
export async function listRevocations(
  database: Database,
  vaultKey: CryptoKey,
): Promise<ReadonlyMap<RevocationKey, PendingRevocation>> {
  const pending = new Map<RevocationKey, PendingRevocation>();
  for (const key of await database.getAllKeys('vault')) {
    if (!isRevocationKey(key)) continue;
    const revocation = parsePendingRevocation(await open(vaultKey, key, await database.get('vault', key)));
    if (revocation === null) await database.delete('vault', key);
    else pending.set(key, revocation);
  }
  return pending;
}
