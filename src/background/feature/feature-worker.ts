// Starts the feature's own part of the worker, and keeps its failures from the rest.

import type { FeatureWorkerProps } from '../../feature/feature-props.ts';
import type { CurrentUser } from '../session/current-user.ts';

export type StartFeature = (props: FeatureWorkerProps) => void;

export interface FeatureWorkerParts {
  readonly start: () => Promise<void>;
  readonly currentUser: CurrentUser;
  readonly fetch: typeof fetch;
}

/** Calls `startFeature` with its props. An error that it throws, then or in its listener, is printed on the console. */
export function startFeatureWorker(
  startFeature: StartFeature,
  { start, currentUser, fetch }: FeatureWorkerParts,
): void {
  const guard = (run: () => void) => {
    try {
      run();
    } catch (error) {
      // oxlint-disable-next-line no-console -- for the feature's developer; there is no caller to throw to
      console.error('The feature threw an error in startFeature:', error);
    }
  };
  const props: FeatureWorkerProps = {
    fetch,
    onSession(listener) {
      currentUser.watch((user) => guard(() => listener(user)));
      // If it fails, the next caller tries again, and the listener is called then.
      start().catch(() => undefined);
    },
    onGrant: (listener) => currentUser.watchGrants((scope) => guard(() => listener(scope))),
  };
  guard(() => startFeature(props));
}
