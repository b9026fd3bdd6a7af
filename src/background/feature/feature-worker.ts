// Starts the feature's background code, keeps its failures from the rest, and tracks the user that it acts for.

import type { FeatureWorkerProps } from '../../feature/feature-props.ts';
import { isSameUser, type Profile, type View, type SignedOut, type SignedIn } from '../../session/view.ts';
import type { Serve } from '../../bridge/line/serve-lines.ts';
import type { Work } from '../work.ts';
import { openFetch } from '../../bridge/fetch/open-fetch.ts';
import { createOwnLine } from '../../bridge/line/line.ts';
import { FetchRefused } from '../../bridge/fetch/errors.ts';

export type StartFeature = (props: FeatureWorkerProps) => void;

export interface FeatureWorkerParts {
  readonly start: () => Promise<void>;
  readonly currentUser: CurrentUser;
  readonly serveFetch: Serve;
  readonly work: Pick<Work, 'track'>;
}

/** Calls `startFeature` with its props. An error that it throws, then or in its listener, is printed on the console. */
export function startFeatureWorker(
  startFeature: StartFeature,
  { start, currentUser, serveFetch, work }: FeatureWorkerParts,
): void {
  const guard = (run: () => void) => {
    try {
      run();
    } catch (error) {
      // oxlint-disable-next-line no-console -- for the feature's developer; there is no caller to throw to
      console.error('The feature threw an error in startFeature:', error);
    }
  };
  // Nothing is read ahead: a response that the feature leaves unread must not keep the worker running.
  const ownFetch = openFetch(createOwnLine(serveFetch), 0);
  const props: FeatureWorkerProps = {
    // Tracked from the call on: the request is only served once its body has been read.
    fetch: (...args) => work.track(ownFetch(...args)),
    onSession(listener) {
      currentUser.watch((user) => guard(() => listener(user)));
      // If it fails, the next caller tries again, and the listener is called then.
      start().catch(() => undefined);
    },
    onGrant: (listener) => currentUser.watchGrants((scope) => guard(() => listener(scope))),
  };
  guard(() => startFeature(props));
}

// Tracks who is signed in, for the parts of the worker that act for that user and must stop when the session ends.

/** Permission to act for one user until their session ends. */
interface UserLease {
  readonly user: Profile;
  /** Aborted with {@link FetchRefused} `signed-out` when the user signs out or another user signs in. */
  readonly ended: AbortSignal;
}

export type CurrentUser = ReturnType<typeof createCurrentUser>;

export function createCurrentUser() {
  let end = new AbortController();
  let isKnown = false;
  const listeners = new Set<(user: Profile | null) => void>();
  const grantListeners = new Set<(scope: string) => void>();

  const currentUser = {
    /** The lease of the signed-in user; null if no one is signed in, or before the session is known. */
    lease: null as UserLease | null,
    /** Follows the view. */
    follow(view: View, before: View, settled: SignedOut | SignedIn): void {
      const user = settled.status === 'signed-in' ? settled.profile : null;
      const { lease } = currentUser;
      const isSame = lease === null || user === null ? lease === user : isSameUser(lease.user, user);
      if (!isKnown || !isSame) {
        isKnown = true;
        const former = end;
        end = new AbortController();
        currentUser.lease = user && { user, ended: end.signal };
        if (lease !== null)
          former.abort(new FetchRefused('signed-out', 'The session ended before this request was answered.'));
        for (const listener of listeners) listener(user);
      } else if (lease !== null && user !== null) {
        // The same user, whose profile may have more now.
        currentUser.lease = { ...lease, user };
      }
      const granted = findGrant(view, before);
      if (granted !== null) for (const listener of grantListeners) listener(granted);
    },
    /** Calls `listener` with the signed-in user once the session is known, and again when the user changes. */
    watch(listener: (user: Profile | null) => void): void {
      listeners.add(listener);
      if (isKnown) listener(currentUser.lease?.user ?? null);
    },
    /** Calls `listener` with each additional scope that this user grants from now on. */
    watchGrants: (listener: (scope: string) => void) => void grantListeners.add(listener),
  };
  return currentUser;
}

/** The scope that the user has just granted: the request for it has begun this session. */
function findGrant(session: View, before: View): string | null {
  if (session.status !== 'signed-in' || before.status !== 'signing-in') return null;
  // A request that was canceled leaves the session from before.
  const { order, startedAtMs } = before;
  return order.type === 'request-scope' && session.sinceMs === startedAtMs ? order.scope : null;
}
