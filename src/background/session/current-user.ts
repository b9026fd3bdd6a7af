// Tracks who is signed in, for the parts of the worker that act for that person and must stop when the session ends.

import { isSamePerson, settledSession, type Profile, type Session } from '../../session/session.ts';

/** Permission to act for one person until their session ends. */
interface UserLease {
  readonly person: Profile;
  /** Aborted with an `AbortError` when the person signs out or another person signs in. */
  readonly ended: AbortSignal;
}

export interface CurrentUser {
  /** Takes in the session; to be called after every move. */
  follow(session: Session): void;
  /** The lease of the signed-in person; null if nobody is signed in, or before the session is known. */
  current(): UserLease | null;
  /** Calls `listener` with the signed-in person once the session is known, and again when the person changes. */
  watch(listener: (person: Profile | null) => void): void;
}

export function createCurrentUser(): CurrentUser {
  let lease: (UserLease & { readonly end: AbortController }) | null = null;
  let isKnown = false;
  const listeners = new Set<(person: Profile | null) => void>();

  return {
    follow(session) {
      const settled = settledSession(session);
      const person = settled.status === 'signed-in' ? settled.profile : null;
      const isSame =
        lease === null || person === null ? lease === person : isSamePerson(lease.person, person);
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
    },
    current: () => lease,
    watch(listener) {
      listeners.add(listener);
      if (isKnown) listener(lease?.person ?? null);
    },
  };
}
