// Brings board and record into agreement, once in a worker's life. Everything else waits for it.

import { singleFlight } from '../../concurrency.ts';
import {
  settledView,
  signedOut,
  type SignedIn,
  type SignedOut,
  type ProviderId,
} from '../../session/view.ts';
import { transition, withoutPolicyProblem, type FollowRecord, type ViewStore } from './store.ts';
import type { Revocations } from './revocations.ts';
import type { SignInFlow } from './sign-in.ts';
import type { BoardStore } from '../../bridge/session/board.ts';
import type { Records } from '../record/records.ts';
import type { SignOutMark } from './sign-out.ts';
import type { ProviderAccess } from '../provider/provider.ts';
import type { InForce } from '../part.ts';
import type { Policy } from '../part.ts';

/** With more providers than this, none is recalled before the user chooses one. */
const maxRecalled = 5;

/**
 * A function that restores the session that the last worker left. Later calls have nothing to do; after a failure
 * the next call tries again. Rejects if the storage fails.
 */
export function createStart(parts: {
  /** Resolves when no other worker is at work. */
  readonly alone: Promise<void>;
  readonly policy: Pick<Policy, 'ready'>;
  readonly store: Pick<ViewStore, 'restore' | 'publish'>;
  readonly storage: { readonly boards: Pick<BoardStore, 'read'> };
  readonly records: Records;
  readonly signOutMark: SignOutMark;
  readonly providers: ReadonlyMap<ProviderId, ProviderAccess>;
  readonly followRecord: FollowRecord;
  readonly signInFlow: SignInFlow;
  readonly revocations: Pick<Revocations, 'run'>;
  /** Ends what this worker doesn't go on with or the settings don't allow, and writes the board. Rejects if the storage fails. */
  readonly followPolicy: () => Promise<void>;
}): () => Promise<void> {
  const { policy, store, records, followRecord, signInFlow, signOutMark, providers } = parts;
  let isRestored = false;
  let isStarted = false;

  /**
   * Reads the cached metadata of the user's provider, or of each one that they may sign in with. It decides what the board
   * says about the provider, and the sign-in needs it.
   */
  const recall = async (session: SignedIn | SignedOut | null) => {
    if (session === null) return;
    if (session.status === 'signed-in') await providers.get(session.profile.providerId)?.recall();
    else if (providers.size <= maxRecalled)
      await Promise.all([...providers.values()].map((access) => access.recall()));
  };
  const readBoard = async (known: Promise<InForce>) => {
    const board = await parts.storage.boards.read();
    await known;
    // Read it now, because the record takes longer, and nearly always holds this user's session.
    await recall(board && settledView(board.session));
    return board;
  };

  /** The record, after catching up on a sign-out that couldn't be stored in it. */
  const readRecord = async () => {
    const [held, mark] = await Promise.all([records.read(), signOutMark.read()]);
    if (mark === null) return held;
    const { session } = held;
    const isMeant = session === null || mark === true || mark === session.id;
    const after = isMeant ? await records.dispatchOrHold({ type: 'signed-out', by: 'user' }) : held;
    signOutMark.remove();
    return after;
  };

  /** Takes over what the last worker left. */
  const restore = async () => {
    await parts.alone;
    const known = policy.ready();
    const [board, record] = await Promise.all([readBoard(known), readRecord(), known]);
    const before = board === null ? signedOut : withoutPolicyProblem(board);
    const change = followRecord.toEvent(record);
    const shown = transition(before, change);
    await recall(settledView(shown));
    // Nothing is awaited until the sign-in goes on: a policy that came in between could send its code to another client.
    store.restore(transition(shown, { type: 'provider-session-reported', status: 'open' }), before);
    isRestored = true;
    const { codeSignIn, session } = record;
    if (codeSignIn !== null && !signInFlow.goOn(codeSignIn, session))
      await records.dispatchOrHold({ type: 'code-ended' });
    await Promise.all([signInFlow.endOther(), followRecord.endNow(record, change.end)]);
    await store.publish();
  };

  const start = singleFlight(async () => {
    // After a start that failed, other settings may be in force.
    await (isRestored ? parts.followPolicy() : restore());
    isStarted = true;
    parts.revocations.run();
  });
  return async () => {
    if (!isStarted) await start();
  };
}
