// The session together with the key that its tokens are bound to. src/background/record/ says what each event changes.

import type { Problem } from '../../session/problem.ts';
import type { Failure } from '../record/pause.ts';
import { isSameTokens, type Grant, type SignedIn } from '../record/record.ts';
import type { FormerToken, NewTokens, Tried } from '../record/step.ts';
import { createDpopName, type Held } from './disk.ts';
import type { Records } from './records.ts';

/** A session with the key that its tokens are bound to (RFC 9449), which is stored beside the record. */
export interface VaultSession extends Omit<SignedIn, 'dpopKey'> {
  readonly dpopKey: CryptoKeyPair | null;
}

/** New tokens of a session, with the key that they are bound to. */
export type RenewedTokens = Omit<NewTokens, 'dpopKey'> & Pick<VaultSession, 'dpopKey'>;

/** Each operation rejects with `storage-failed` if the storage fails. No token is lost then either. */
export interface Vault {
  /** The stored session; null if there is none, none that can still be opened, or none that the settings of now allow. */
  read(): Promise<VaultSession | null>;
  /** Stores a new session in place of the old one. */
  begin(session: VaultSession): Promise<void>;
  /** Stores renewed tokens if this very session is still stored; otherwise `gone`, and they are revoked. */
  renew(session: VaultSession, renewed: RenewedTokens, former: FormerToken): Promise<'kept' | 'gone'>;
  /** Stores that the tokens are about to be renewed, if this very session is still stored; `gone` if it is not. */
  note(session: VaultSession, tried: Tried): Promise<'kept' | 'gone'>;
  /** Stores why the tokens could not be renewed, which begins a pause. Never rejects: at worst it is held in memory. */
  fail(session: VaultSession, failure: Failure): Promise<void>;
  /** Removes the session, and says why, if it is still this very one. Never rejects: at worst that is held in memory. */
  end(session: VaultSession, former: FormerToken, problem: Problem): Promise<void>;
}

/** `isAllowed` says whether the settings of now allow a session. */
export function createVault(
  records: Pick<Records, 'read' | 'dispatch' | 'tell'>,
  isAllowed: (grant: Grant) => boolean,
): Vault {
  const toVaultSession = createToVaultSession();

  return {
    async read() {
      const session = toVaultSession(await records.read());
      return session !== null && isAllowed(session) ? session : null;
    },

    async begin(session) {
      const { dpopKey } = session;
      const name = dpopKey && createDpopName();
      await records.dispatch({ type: 'granted', session: { ...session, dpopKey: name } }, dpopKey);
    },

    async renew(session, { dpopKey, ...renewed }, former) {
      const held = await records.read();
      const isSameKey = dpopKey !== null && dpopKey === held.dpopKey;
      const name = isSameKey ? (held.record.session?.dpopKey ?? null) : dpopKey && createDpopName();
      const after = await records.dispatch(
        { type: 'renewed', cause: session, renewed: { ...renewed, dpopKey: name }, former },
        dpopKey,
      );
      return toOutcome(after, { id: session.id, generation: session.generation + 1 });
    },

    async note(session, tried) {
      return toOutcome(await records.dispatch({ type: 'renewal-tried', cause: session, tried }), session);
    },

    async fail(session, failure) {
      await records.tell({ type: 'renewal-failed', cause: session, failure });
    },

    async end(session, former, problem) {
      await records.tell({ type: 'ended', cause: session, former, problem });
    },
  };
}

/** Whether this very session is held. */
function toOutcome({ record }: Held, session: Pick<SignedIn, 'id' | 'generation'>): 'kept' | 'gone' {
  return isSameTokens(record.session, session) ? 'kept' : 'gone';
}

/** The same record gives the same object. */
function createToVaultSession(): (held: Held) => VaultSession | null {
  const known = new WeakMap<SignedIn, VaultSession>();
  return ({ record: { session }, dpopKey }) => {
    if (session === null) return null;
    const made = known.get(session) ?? { ...session, dpopKey };
    known.set(session, made);
    return made;
  };
}
