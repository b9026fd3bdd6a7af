// Tracks who is signed in, for the parts of the worker that act for that person and must stop when the session ends.

import { isSamePerson, settledSession, type Profile, type Session } from '../../session/session.ts';

/** Permission to act for one person until their session ends. */
interface UserLease {
  readonly person: Profile;
  /** Aborted with an `AbortError` when the person signs out or another person signs in. */
  readonly ended: AbortSignal;
}

export interface CurrentUser {
  /** Follows the session. Call it after every move. */
  follow(session: Session): void;
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
  /** The scope of the request that is under way. */
  let requested: string | null = null;

  /** The scope whose request has ended with this session, without a problem. */
  const takeGrant = (session: Session): string | null => {
    const asked = requested;
    const isAsking = session.status === 'signing-in' && session.request.type === 'request-scope';
    requested = isAsking ? session.request.scope : null;
    return session.status === 'signed-in' && session.problem === null ? asked : null;
  };

  const followPerson = (session: Session) => {
    const settled = settledSession(session);
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
    previous?.end.abort(new DOMException('The session of this person has ended.', 'AbortError'));
    for (const listener of listeners) listener(person);
  };

  return {
    follow(session) {
      const granted = takeGrant(session);
      followPerson(session);
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
