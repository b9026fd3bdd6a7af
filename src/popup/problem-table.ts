// The action for each problem, and what the problem means for a user who is signed in. The screens obey this table, so that the
// first choice is never what the message advises against.

import type { ProblemCode } from '../session/problem.ts';

/**
 * The first choice of a screen. `retry`: sign in, or renew the session, again. `allow`: the permission that the browser withholds.
 * `report`: for who has to fix it. `show-window`: the window in which the user has to finish. `none`: nothing here helps.
 */
export type Action = 'retry' | 'another-account' | 'allow' | 'report' | 'show-window' | 'none';

/** When to contact someone about a problem: if the advice doesn't solve it, at once, or for access. */
export type ContactReason = 'persists' | 'now' | 'access';

/**
 * The words about a session that couldn't be refreshed: with the `cause`, or with the `advice` alone, because the problem's own
 * sentence is about a sign-in. A problem without either is told in its own words.
 */
type Renewal = 'cause' | 'advice';

interface Row {
  readonly action: Action;
  /** Missing if the advice is enough. */
  readonly contact?: ContactReason;
  readonly renewal?: Renewal;
  /** Whether a new sign-in may help if the session couldn't be refreshed for a day. */
  readonly mayNeedSignIn?: true;
  /** Whether to sign in the same way would only fail again, so that no button does. */
  readonly barsSignIn?: true;
}

/** The heading and the sentence of each are the messages `problem_…_what_happened` and `problem_…_what_to_do`. */
export const problemTable: Readonly<Record<ProblemCode, Row>> = {
  cancelled: { action: 'retry' },
  denied: { action: 'retry', contact: 'persists' },
  interrupted: { action: 'retry' },
  expired: { action: 'retry' },
  offline: { action: 'retry', renewal: 'cause' },
  'timed-out': { action: 'retry', renewal: 'cause', mayNeedSignIn: true },
  'provider-unreachable': { action: 'retry', contact: 'persists', renewal: 'cause', mayNeedSignIn: true },
  'provider-misconfigured': { action: 'report', contact: 'now', renewal: 'cause', mayNeedSignIn: true },
  'sign-in-page-failed': { action: 'retry', contact: 'persists', renewal: 'advice', mayNeedSignIn: true },
  'clock-wrong': { action: 'retry', contact: 'persists', renewal: 'cause' },
  'not-supported': { action: 'none', contact: 'persists', renewal: 'advice', barsSignIn: true },
  'host-permission-missing': { action: 'allow', contact: 'persists', renewal: 'cause' },
  'response-rejected': { action: 'retry', contact: 'persists', renewal: 'advice', mayNeedSignIn: true },
  'not-permitted': { action: 'another-account', contact: 'access', barsSignIn: true },
  'storage-failed': { action: 'retry', contact: 'persists', renewal: 'cause' },
  'worker-unreachable': { action: 'none', contact: 'persists', renewal: 'cause' },
  unexpected: { action: 'retry', contact: 'persists', renewal: 'advice', mayNeedSignIn: true },
};
