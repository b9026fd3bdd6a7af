// Knows which sign-in this worker runs, and which one another worker left behind when it died.

import type { SigningIn } from '../../session/session.ts';
import type { ProviderAccess } from '../provider/provider-access.ts';
import type { SessionStore } from './store.ts';

export interface OwnAttempts {
  /** The number of a new attempt. It stays the same until the board shows an attempt with it. */
  next(): number;
  /** Takes note that this worker begins the attempt, with the settings of `access`. */
  begin(attempt: number, access: ProviderAccess): void;
  /** Takes note that this worker resumes the attempt. `access` is undefined if its provider is not offered any more. */
  resume(attempt: number, access: ProviderAccess | undefined): void;
  /** The sign-in on the board if another worker left it behind, and this one does not resume it; null otherwise. */
  leftOver(): SigningIn | null;
  /** Whether the sign-in, if one is running, began in another worker. */
  isOfOtherWorker(): boolean;
  /** Whether this worker runs the attempt. */
  has(attempt: number): boolean;
  /** Whether the newest attempt of this worker runs with the settings of `access`. */
  uses(access: ProviderAccess): boolean;
}

export function createOwnAttempts(store: Pick<SessionStore, 'current' | 'subscribe'>): OwnAttempts {
  /** The newest attempt on the board, of this worker or another one. */
  let newest = 0;
  /** The newest attempt that this worker runs. */
  let own = 0;
  /** The attempt of another worker that this one resumes. */
  let resumed = 0;
  /** The provider of the newest own attempt, with the settings that it began with. */
  let ownAccess: ProviderAccess | undefined;
  store.subscribe((session) => {
    if (session.status === 'signing-in') newest = session.attempt;
  });

  const begin = (attempt: number, access: ProviderAccess | undefined) => {
    own = attempt;
    ownAccess = access;
  };
  const leftOver = () => {
    const session = store.current();
    return session.status === 'signing-in' && session.attempt !== own ? session : null;
  };

  return {
    next: () => newest + 1,
    begin,
    resume(attempt, access) {
      begin(attempt, access);
      resumed = attempt;
    },
    leftOver,
    isOfOtherWorker: () => leftOver() !== null || newest === resumed,
    has: (attempt) => attempt === own,
    uses: (access) => access === ownAccess,
  };
}
