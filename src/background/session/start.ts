// Brings board and vault into agreement, once in a worker's life. Everything else waits for it.

import type { BoardStore } from '../../bridge/session/board.ts';
import { singleFlight } from '../../concurrency/single-flight.ts';
import { reconcile } from '../../session/reconcile.ts';
import { signedOut, type ProviderId } from '../../session/session.ts';
import type { ProviderAccess } from '../provider/provider-access.ts';
import type { VaultSession } from '../vault/vault-records.ts';
import type { Vault } from '../vault/vault.ts';
import type { Attempts } from './attempts.ts';
import type { SessionStore } from './store.ts';

export interface StartParts {
  readonly store: SessionStore;
  readonly boards: BoardStore;
  readonly vault: Vault;
  readonly providers: ReadonlyMap<ProviderId, ProviderAccess>;
  readonly attempts: Attempts;
  readonly nowMs: () => number;
}

/**
 * A function that restores the session that the last worker left. Later calls have nothing to do; after a failure
 * the next call tries again. Rejects if the storage fails.
 */
export function createStart({
  store,
  boards,
  vault,
  providers,
  attempts,
  nowMs,
}: StartParts): () => Promise<void> {
  let isStarted = false;

  return singleFlight(async () => {
    if (isStarted) return;
    const [board, stored] = await Promise.all([boards.read(), readStored(vault, providers)]);
    await providers.get(stored?.profile.providerId ?? '')?.recall();
    const before = board?.session ?? null;
    const canResume = before?.status === 'signing-in' && (await attempts.find(before.startedAtMs)) !== null;
    const session = reconcile(before, stored, canResume);
    store.restore(session, before ?? signedOut);
    // The person signed out, and the worker died before it emptied the vault.
    if (session.status === 'signed-out' && stored !== null) await vault.end(nowMs());
    await store.publish();
    isStarted = true;
  });
}

/** The session in the vault, if issuer and client of its provider have not changed since; null otherwise. */
async function readStored(
  vault: Vault,
  providers: ReadonlyMap<ProviderId, ProviderAccess>,
): Promise<VaultSession | null> {
  const stored = await vault.read();
  const provider = providers.get(stored?.profile.providerId ?? '')?.client.provider;
  return provider?.issuer === stored?.issuer && provider?.clientId === stored?.clientId ? stored : null;
}
