// Tracks who is signed in, for the parts of the worker that act for that person and must stop when the session ends.

import { FetchRefused } from '../../bridge/fetch/errors.ts';
import { isSamePerson, settledView, type Profile, type View } from '../../session/session.ts';

/** Permission to act for one person until their session ends. */
interface UserLease {
  readonly person: Profile;
  /** Aborted with {@link FetchRefused} `signed-out` when the person signs out or another person signs in. */
  readonly ended: AbortSignal;
}

export interface CurrentUser {
  /** Follows the session. Call it after every move, with the session before. */
  follow(session: View, before: View): void;
  /** The lease of the signed-in person; null if no one is signed in, or before the session is known. */
  current(): UserLease | null;
  /** Calls `listener` with the signed-in person once the session is known, and again when the person changes. */
  watch(listener: (person: Profile | null) => void): void;
  /** Calls `listener` with each additional scope that this person grants from now on. */
  watchGrants(listener: (scope: string) => void): void;
}

export function createCurrentUser(): CurrentUser {
  let lease: (UserLease & { readonly end: AbortController }) | null = null;
  let isKnown = false;
  const listeners = new Set<(person: Profile | null) => void>();
  const grantListeners = new Set<(scope: string) => void>();

  const followPerson = (session: View) => {
    const settled = settledView(session);
    const person = settled.status === 'signed-in' ? settled.profile : null;
    const isSame = lease === null || person === null ? lease === person : isSamePerson(lease.person, person);
    if (isKnown && isSame) {
      // The profile may have been completed.
      if (lease !== null && person !== null) lease = { ...lease, person };
      return;
    }
    isKnown = true;
    const previous = lease;
    const end = new AbortController();
    lease = person === null ? null : { person, ended: end.signal, end };
    previous?.end.abort(
      new FetchRefused('signed-out', 'The session ended before this request was answered.'),
    );
    for (const listener of listeners) listener(person);
  };

  return {
    follow(session, before) {
      followPerson(session);
      const granted = findGrant(session, before);
      if (granted !== null) for (const listener of grantListeners) listener(granted);
    },
    current: () => lease,
    watch(listener) {
      listeners.add(listener);
      if (isKnown) listener(lease?.person ?? null);
    },
    watchGrants: (listener) => void grantListeners.add(listener),
  };
}

/** The scope that the person has just granted: the request for it has begun this session. */
function findGrant(session: View, before: View): string | null {
  if (session.status !== 'signed-in' || before.status !== 'signing-in') return null;
  // A request that was cancelled leaves the session from before.
  const { order, startedAtMs } = before;
  return order.type === 'request-scope' && session.sinceMs === startedAtMs ? order.scope : null;
}
