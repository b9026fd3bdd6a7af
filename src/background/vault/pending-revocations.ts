// The queue of refresh tokens to revoke: one sealed record for each, beside the session's.

import type { Database, SealedRecord } from './database.ts';
import { open, seal } from './seal.ts';
import {
  createRevocationKey,
  isRevocationKey,
  parsePendingRevocation,
  sharesGrant,
  toLooseToken,
  type LooseToken,
  type PendingRevocation,
  type RevocationKey,
  type VaultSession,
} from './vault-records.ts';

/** A pending revocation, ready to be stored. */
export interface SealedRevocation {
  readonly key: RevocationKey;
  readonly sealed: SealedRecord;
}

type Revocations = ReadonlyMap<RevocationKey, PendingRevocation>;

/**
 * A session that is renewed silently for years replaces many tokens of its own. Of those that wait for its end only
 * the newest are kept; by then the others have long expired.
 */
const maxHeldBack = 20;
/** A token that could not be revoked for so long is given up. */
const maxAgeMs = 24 * 60 * 60 * 1000;

/**
 * The sealed revocation of a token; null if there is nothing to revoke, or if `stored` still uses the very token. It
 * waits while `stored` shares its grant.
 */
export async function sealRevocation(
  vaultKey: CryptoKey,
  token: LooseToken | null,
  stored: VaultSession | null,
  nowMs: number,
): Promise<SealedRevocation | null> {
  const used = stored === null ? null : toLooseToken(stored);
  if (token === null || token.refreshToken === used?.refreshToken) return null;
  const endedAtMs = sharesGrant(token, stored) ? null : nowMs;
  const key = createRevocationKey();
  return {
    key,
    sealed: await sealPending(vaultKey, key, {
      ...token,
      version: 2,
      queuedAtMs: nowMs,
      endedAtMs,
      tries: 0,
    }),
  };
}

/** Seals a pending revocation under its key. */
export function sealPending(
  vaultKey: CryptoKey,
  key: RevocationKey,
  revocation: PendingRevocation,
): Promise<SealedRecord> {
  return seal(vaultKey, key, revocation);
}

/** All pending revocations that this key opens. */
export async function openRevocations(database: Database, vaultKey: CryptoKey): Promise<Revocations> {
  const pending = new Map<RevocationKey, PendingRevocation>();
  for (const key of await database.getAllKeys('vault')) {
    if (!isRevocationKey(key)) continue;
    const revocation = parsePendingRevocation(await open(vaultKey, key, await database.get('vault', key)));
    if (revocation !== null) pending.set(key, revocation);
  }
  return pending;
}

/** All pending revocations. A record that cannot be opened is deleted. */
export async function listRevocations(database: Database, vaultKey: CryptoKey): Promise<Revocations> {
  const pending = await openRevocations(database, vaultKey);
  for (const key of await database.getAllKeys('vault')) {
    if (isRevocationKey(key) && !pending.has(key)) await database.delete('vault', key);
  }
  return pending;
}

/**
 * The revocations to try now, newest first, because those matter most. The others wait for the end of `stored`, whose
 * grant they share: also a token of an ended session whose person has signed in again. Stores since when each is due.
 * Deletes those that have been due for a day, and waiting ones beyond {@link maxHeldBack}.
 */
export async function listDueRevocations(
  database: Database,
  vaultKey: CryptoKey,
  stored: VaultSession | null,
  nowMs: number,
): Promise<Revocations> {
  const due = new Map<RevocationKey, PendingRevocation>();
  const all = [...(await listRevocations(database, vaultKey))];
  let heldBack = 0;
  for (const [key, revocation] of all.toSorted(([, one], [, other]) => other.queuedAtMs - one.queuedAtMs)) {
    const isHeldBack = sharesGrant(revocation, stored);
    if (isHeldBack) heldBack += 1;
    const isOld = revocation.endedAtMs !== null && nowMs - revocation.endedAtMs >= maxAgeMs;
    if (isOld || (isHeldBack && heldBack > maxHeldBack)) {
      await database.delete('vault', key);
      continue;
    }
    const endedAtMs = isHeldBack ? null : (revocation.endedAtMs ?? nowMs);
    const current = { ...revocation, endedAtMs };
    if (endedAtMs !== revocation.endedAtMs) {
      await database.put('vault', await sealPending(vaultKey, key, current), key);
    }
    if (!isHeldBack) due.set(key, current);
  }
  return due;
}
