// Brings board and vault into agreement, once in a worker's life. Everything else waits for it.

import type { BoardStore } from '../../bridge/session/board.ts';
import { singleFlight } from '../../concurrency/single-flight.ts';
import { reconcile } from '../../session/reconcile.ts';
import {
  settledSession,
  signedOut,
  transition,
  type ProviderId,
  type Session,
  type SignedIn,
  type SignedOut,
} from '../../session/session.ts';
import type { ProviderAccess } from '../provider/provider-access.ts';
import type { InForce } from '../policy/policy.ts';
import type { Records } from '../vault/records.ts';
import type { Vault } from '../vault/vault.ts';
import type { Attempts } from './attempts.ts';
import { findSessionEnd } from './permission.ts';
import { withoutPolicyProblem } from './policy-problem.ts';
import type { SessionStore } from './store.ts';

export interface StartParts {
  /** Begins to read what a start needs. Most of it is needed under any policy, so nothing waits for the policy first. */
  readonly readAhead: () => void;
  /** Resolves with the settings that hold: those of the build, or a policy over them. */
  readonly policy: () => Promise<InForce>;
  readonly store: SessionStore;
  readonly boards: Pick<BoardStore, 'read'>;
  readonly vault: Pick<Vault, 'read'>;
  readonly records: Pick<Records, 'dispatch'>;
  readonly providers: ReadonlyMap<ProviderId, ProviderAccess>;
  readonly attempts: Attempts;
}

/** With more providers than this, none is recalled before the person chooses one. */
const maxRecalled = 5;

/**
 * A function that restores the session that the last worker left. Later calls have nothing to do; after a failure
 * the next call tries again. Rejects if the storage fails.
 */
export function createStart({
  readAhead,
  policy,
  store,
  boards,
  vault,
  records,
  providers,
  attempts,
}: StartParts): () => Promise<void> {
  let isStarted = false;

  /**
   * Reads the cached metadata of the person's provider, or of each one that they may sign in with. It decides what the board
   * says about the provider, and the sign-in needs it.
   */
  const recall = async (session: SignedIn | SignedOut | null) => {
    if (session === null) return;
    if (session.status === 'signed-in') await providers.get(session.profile.providerId)?.recall();
    else if (providers.size <= maxRecalled)
      await Promise.all([...providers.values()].map((access) => access.recall()));
  };
  const readBoard = async (known: Promise<InForce>) => {
    const board = await boards.read();
    await known;
    // Now, because the vault takes longer, and nearly always it holds the session of this person.
    await recall(board && settledSession(board.session));
    return board;
  };

  return singleFlight(async () => {
    if (isStarted) return;
    readAhead();
    const known = policy();
    const [board, inVault, inForce] = await Promise.all([readBoard(known), vault.read(), known]);
    const end = inVault && findSessionEnd(inVault, providers, inForce);
    const stored = end === null ? inVault : null;
    const before = board && withoutPolicyProblem(board);
    const canResume = before?.status === 'signing-in' && (await attempts.find(before)) !== null;
    const session =
      end === null || end.code === 'expired'
        ? reconcile(before, stored, canResume)
        : transition(reconcile(before, inVault, canResume), { type: 'session-ended', problem: end });
    await recall(settledSession(session));
    store.restore(session, before ?? signedOut);
    // The configuration has changed, or the person signed out and the worker died before it emptied the vault.
    const isLeftOver = stored === null || session.status === 'signed-out';
    const by = end === null && isOnPurpose(session) ? 'person' : 'configuration';
    if (inVault !== null && isLeftOver) await records.dispatch({ type: 'signed-out', by });
    await store.publish(board);
    isStarted = true;
  });
}

/** Whether the person has signed out. A session that has ended otherwise leaves its account behind. */
function isOnPurpose(session: Session): boolean {
  return session.status === 'signed-out' && session.lastAccount === null;
}
