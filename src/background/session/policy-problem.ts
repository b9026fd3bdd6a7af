// How pages learn that a policy isn't used: as a problem of the signed-out session, for as long as the mistake lasts. It is
// only on the board, so that nothing dismisses it.

import { safe, detail } from '../../session/detail';
import { problem } from '../../session/problem';
import type { View } from '../../session/view';
import type { Board } from '../../bridge/session/board';

/**
 * The session as the board shows it while a policy has this mistake. Another problem is shown first, unless it is shown for as
 * long as the account is offered.
 */
export function withPolicyProblem(session: View, mistake: string | null): View {
  if (mistake === null || session.status !== 'signed-out') return session;
  if (session.problem !== null && session.problem.code !== 'expired') return session;
  return { ...session, problem: toProblem(mistake) };
}

/** The session of a board, without what {@link withPolicyProblem} has added. */
export function withoutPolicyProblem({ session, policyProblem }: Board): View {
  if (policyProblem === undefined || session.status !== 'signed-out') return session;
  return session.problem?.detail === toProblem(policyProblem).detail
    ? { ...session, problem: null }
    : session;
}

function toProblem(mistake: string) {
  return problem('provider-misconfigured', detail`policy: ${safe(mistake)}`);
}
