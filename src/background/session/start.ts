// Brings board and vault into agreement, once in a worker's life. Everything else waits for it.

import type { BoardStore } from '../../bridge/session/board.ts';
import { singleFlight } from '../../concurrency/single-flight.ts';
import { isIssuerOf } from '../../oidc/issuer.ts';
import { reconcile } from '../../session/reconcile.ts';
import {
  settledSession,
  signedOut,
  type ProviderId,
  type SignedIn,
  type SignedOut,
} from '../../session/session.ts';
import type { ProviderAccess } from '../provider/provider-access.ts';
import type { VaultSession } from '../vault/vault-records.ts';
import type { Vault } from '../vault/vault.ts';
import type { Attempts } from './attempts.ts';
import type { Revocations } from './revocations.ts';
import type { SessionStore } from './store.ts';

export interface StartParts {
  readonly store: SessionStore;
  readonly boards: BoardStore;
  readonly vault: Vault;
  readonly providers: ReadonlyMap<ProviderId, ProviderAccess>;
  readonly attempts: Attempts;
  readonly revocations: Pick<Revocations, 'run'>;
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
  revocations,
  nowMs,
}: StartParts): () => Promise<void> {
  let isStarted = false;

  /** Reads the cached metadata of the person's provider, which decides what the board says about it. */
  const recall = async (session: SignedIn | SignedOut | null) => {
    if (session?.status === 'signed-in') await providers.get(session.profile.providerId)?.recall();
  };
  const readBoard = async () => {
    const board = await boards.read();
    // Now, because the vault takes longer, and nearly always it holds the session of this person.
    await recall(board && settledSession(board.session));
    return board;
  };

  return singleFlight(async () => {
    if (isStarted) return;
    const [board, inVault] = await Promise.all([readBoard(), vault.read()]);
    const stored = isStillConfigured(inVault, providers) ? inVault : null;
    const before = board?.session ?? null;
    const canResume = before?.status === 'signing-in' && (await attempts.find(before)) !== null;
    const session = reconcile(before, stored, canResume);
    await recall(settledSession(session));
    store.restore(session, before ?? signedOut);
    // The configuration has changed, or the person signed out and the worker died before it emptied the vault.
    const isLeftOver = stored === null || session.status === 'signed-out';
    if (inVault !== null && isLeftOver) await vault.end(nowMs());
    await store.publish(board);
    isStarted = true;
    if (inVault !== null && isLeftOver) revocations.run();
  });
}

/** Whether the session's provider still has its issuer, its client and its kind of tokens. */
function isStillConfigured(
  session: VaultSession | null,
  providers: ReadonlyMap<ProviderId, ProviderAccess>,
): boolean {
  const provider = providers.get(session?.profile.providerId ?? '')?.client.provider;
  if (session === null || provider === undefined) return false;
  const isSameKind = (session.tokens.type === 'id_token') === (provider.responseType === 'id_token');
  return isIssuerOf(provider, session.issuer) && provider.clientId === session.clientId && isSameKind;
}
