// Follows a policy that changes while the worker runs: what it does not allow any more ends, and says why.

import type { BoardStore } from '../../bridge/session/board.ts';
import type { ProviderId } from '../../session/session.ts';
import type { ProviderAccess } from '../provider/provider-access.ts';
import type { InForce } from '../policy/policy.ts';
import type { Vault } from '../vault/vault.ts';
import { findSessionEnd, toPolicyProblem } from './permission.ts';
import type { SignInFlow } from './sign-in-flow.ts';
import type { SessionStore } from './store.ts';

export interface PolicyChangeParts {
  readonly start: () => Promise<void>;
  readonly inForce: () => InForce;
  readonly store: SessionStore;
  readonly boards: Pick<BoardStore, 'read'>;
  readonly vault: Vault;
  readonly providers: ReadonlyMap<ProviderId, ProviderAccess>;
  readonly signInFlow: SignInFlow;
}

/**
 * A function to be called after each change of the policy, when the providers that are offered have changed already.
 * Rejects if the storage fails; the next worker then ends the rest.
 */
export function createPolicyChange(parts: PolicyChangeParts): () => Promise<void> {
  const { store, vault, providers } = parts;

  const endSession = async () => {
    for (;;) {
      const stored = await vault.read();
      const end = stored && findSessionEnd(stored, providers, parts.inForce());
      if (stored === null || end === null) return;
      // In memory and on the board first, so that a renewal in flight finds itself overtaken, and the reason is kept.
      await store.dispatch({ type: 'session-ended', problem: end });
      // A renewal or another sign-in may have come meanwhile: then what it has brought is looked at.
      if ((await vault.expire(stored, 'works')) === 'ended') return;
    }
  };

  return async () => {
    await parts.start();
    const { managed } = parts.inForce();
    await parts.signInFlow.endIfChanged(managed && toPolicyProblem(managed, 'the provider is not offered'));
    await endSession();
    await store.publish(await parts.boards.read());
  };
}
