// Follows a policy that changes while the worker runs: what it does not allow any more ends, and says why.

import type { BoardStore } from '../../bridge/session/board.ts';
import type { ProviderId } from '../../session/session.ts';
import type { ProviderAccess } from '../provider/provider-access.ts';
import type { InForce } from '../policy/policy-in-force.ts';
import type { Records } from '../vault/records.ts';
import { findSessionEnd, toPolicyProblem } from './permission.ts';
import type { SignInFlow } from './sign-in-flow.ts';
import { words } from '../../session/detail.ts';
import type { SessionStore } from './store.ts';

export interface PolicyChangeParts {
  readonly start: () => Promise<void>;
  readonly inForce: () => InForce;
  readonly store: SessionStore;
  readonly boards: Pick<BoardStore, 'read'>;
  readonly records: Pick<Records, 'read' | 'tell'>;
  readonly providers: ReadonlyMap<ProviderId, ProviderAccess>;
  readonly signInFlow: SignInFlow;
}

/**
 * A function to be called after each change of the policy, when the providers that are offered have changed already.
 * Rejects if the storage fails; the next worker then ends the rest.
 */
export function createPolicyChange(parts: PolicyChangeParts): () => Promise<void> {
  const { store, records, providers } = parts;

  const endSession = async () => {
    for (;;) {
      const { session } = (await records.read()).record;
      const end = session && findSessionEnd(session, providers, parts.inForce());
      if (session === null || end === null) return;
      // On the board first, so that the reason is kept.
      await store.dispatch({ type: 'session-ended', problem: end });
      // A renewal or another sign-in may have come meanwhile: then what it has brought is looked at.
      const { record } = await records.tell({ type: 'ended', cause: session, former: 'works' });
      if (record.session === null) return;
    }
  };

  return async () => {
    await parts.start();
    const { managed } = parts.inForce();
    await parts.signInFlow.endIfChanged(
      managed && toPolicyProblem(managed, words`the provider is not offered`),
    );
    await endSession();
    await store.publish(await parts.boards.read());
  };
}
