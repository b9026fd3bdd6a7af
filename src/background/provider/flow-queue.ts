// Launches one flow after the other. A browser has no way to stop a flow, and it does not open a window beside that of an
// earlier one, so a flow waits for those that were cancelled before it.

import { withTimeout } from '../../concurrency/timeout.ts';
import { ProblemError } from '../../session/problem.ts';
import { toWindowProblem } from './window-problem.ts';

/** How long a flow waits for the end of those that were cancelled before. A page that hangs may never end. */
const maxWaitMs = 10_000;

export interface FlowQueue {
  /**
   * Resolves when the flows that were cancelled have ended, or after ten seconds. Later calls don't wait for one that has not
   * ended by then. Never rejects.
   */
  whenFree(): Promise<void>;
  /**
   * Launches a flow when the browser admits it, and resolves with the URL that ends it. Throws {@link ProblemError}:
   * `cancelled` if the flow is no longer wanted by then, and `timed-out` if an earlier flow is still in the way. Chromium has one
   * flow at a time.
   */
  launch(launch: () => Promise<string>, isWanted: () => boolean): Promise<string>;
}

export function createFlowQueue(): FlowQueue {
  /** The launched flows that the browser has not ended. */
  const unsettled = new Set<Promise<unknown>>();

  const whenFree = () =>
    withTimeout(
      Promise.all(unsettled).then(() => undefined),
      maxWaitMs,
      () => unsettled.clear(),
    );

  return {
    whenFree,
    async launch(launch, isWanted) {
      // Firefox has one window for all flows: a late flow takes it over, and both end as if the person had closed it.
      await whenFree();
      if (!isWanted()) throw new ProblemError('cancelled');
      const settled = Promise.allSettled([launch()]);
      unsettled.add(settled);
      const [result] = await settled;
      unsettled.delete(settled);
      if (result.status === 'rejected') throw toWindowProblem(result.reason);
      return result.value;
    },
  };
}
