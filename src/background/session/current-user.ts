// Who is signed in, for those in the worker who act on a person's behalf and must stop when that person goes.

import { FetchRefused } from '../../bridge/fetch/errors.ts';
import { isSamePerson, settledSession, type Profile, type Session } from '../../session/session.ts';

/** One person's presence, from their coming to their going. */
interface UserLease {
  readonly person: Profile;
  /** Aborted when the person signs out, or somebody else takes their place. Its reason is a {@link FetchRefused}. */
  readonly ended: AbortSignal;
}

export interface CurrentUser {
  /** Takes note of the session, as often as it moves. */
  follow(session: Session): void;
  /** The stay of whoever is signed in; null for nobody, and while nothing is known. */
  current(): UserLease | null;
  /** Calls `listener` with whoever is signed in, as soon as that is known, and again when it is another person or nobody. */
  watch(listener: (person: Profile | null) => void): void;
}

export function createCurrentUser(): CurrentUser {
  let stay: (UserLease & { readonly end: AbortController }) | null = null;
  let isKnown = false;
  const listeners = new Set<(person: Profile | null) => void>();

  return {
    follow(session) {
      const settled = settledSession(session);
      const person = settled.status === 'signed-in' ? settled.profile : null;
      const isSame = stay === null || person === null ? stay === person : isSamePerson(stay.person, person);
      if (isKnown && isSame) {
        // With a profile that is completed meanwhile.
        if (stay !== null && person !== null) stay = { ...stay, person };
        return;
      }
      isKnown = true;
      const left = stay;
      const end = new AbortController();
      stay = person === null ? null : { person, ended: end.signal, end };
      left?.end.abort(new FetchRefused('signed-out', 'The session ended before this request was answered.'));
      for (const listener of listeners) listener(person);
    },
    current: () => stay,
    watch(listener) {
      listeners.add(listener);
      if (isKnown) listener(stay?.person ?? null);
    },
  };
}
