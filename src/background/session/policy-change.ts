// Follows a policy that changes while the worker runs: what it does not allow any more ends, and says why.

import type { BoardStore } from '../../bridge/session/board.ts';
import type { InForce } from '../policy/policy-in-force.ts';
import type { FollowRecord } from './follow-record.ts';
import { toPolicyProblem } from './permission.ts';
import type { SignInFlow } from './sign-in-flow.ts';
import { words } from '../../session/detail.ts';
import type { SessionStore } from './store.ts';

export interface PolicyChangeParts {
  readonly start: () => Promise<void>;
  readonly inForce: () => InForce;
  readonly store: SessionStore;
  readonly boards: Pick<BoardStore, 'read'>;
  readonly signInFlow: SignInFlow;
  readonly followRecord: FollowRecord;
}

/**
 * A function to be called after each change of the policy, when the providers that are offered have changed already.
 * Rejects if the storage fails; the next worker then ends the rest.
 */
export function createPolicyChange(parts: PolicyChangeParts): () => Promise<void> {
  return async () => {
    await parts.start();
    const { managed } = parts.inForce();
    await parts.signInFlow.endIfChanged(
      managed && toPolicyProblem(managed, words`the provider is not offered`),
    );
    await parts.followRecord.endIfNotAllowed();
    await parts.store.publish(await parts.boards.read());
  };
}
