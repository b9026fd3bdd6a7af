// The session in memory, and the only way to change it. Subscribers follow it, and the board shows it to the pages.

import type { Board, BoardStore } from '../../bridge/session/board.ts';
import { createQueue } from '../../concurrency.ts';
import { ProblemError, type Problem, problem } from '../../session/problem.ts';
import {
  noticeOf,
  settledView,
  signedOut,
  type View,
  isSameUser,
  toSignedIn,
  toSignedOut,
  withAccount,
  withoutAccount,
  type AccountHint,
  type DeviceCode,
  type Profile,
  type ProviderId,
  type ProviderSession,
  type SignedIn,
  type SignedInProblem,
  type SignedOut,
  type SigningIn,
} from '../../session/view.ts';
import { failingSinceMs, isShort } from '../record/pause.ts';
import type { ProviderAccess } from '../provider/provider.ts';
import type { Settings } from '../part.ts';
import { findSessionEnd } from './usable.ts';
import type { WorkerRecord, RecordEvent } from '../record/record.ts';
import type { Records } from '../record/records.ts';
import type { Work } from '../work.ts';

/** Called at once after each move, with the view without a running sign-in as the last argument. Must not throw. */
export type ViewListener = (view: View, before: View, settled: SignedOut | SignedIn) => void;

export interface ViewStore {
  /** The view now. */
  readonly view: View;
  /** Moves the session, and calls the subscribers. Whether the event applies; one that does not moves nothing. */
  apply(event: ViewEvent): boolean;
  /**
   * Moves the session at once, calls the subscribers, and resolves when the board shows the result. An event that
   * does not apply moves nothing. Rejects with `storage-failed` if the board cannot be written; the session has
   * moved, and {@link flushBoard} writes it later.
   */
  dispatch(event: ViewEvent): Promise<void>;
  /**
   * The same, without waiting for the board, which {@link flushBoard} does. Before {@link restore} there is nothing to move.
   */
  applyFromRecord(event: ViewEvent): void;
  /**
   * Takes over the session that the last worker left, and calls the subscribers, unless the session has moved already: after a
   * start that failed, a user may sign out. The board is not written.
   */
  restore(session: View, before: View): void;
  /** Writes the board, after all writes before. A write that fails is tried twice. Rejects with `storage-failed`. */
  publish(): Promise<void>;
  /** Waits until the board is written, even if that has failed before. Never rejects: the next call tries again. */
  flushBoard(): Promise<void>;
  /** The same, and writes the board once more if it was removed from the storage. */
  rewriteIfCleared(): Promise<void>;
  /** Notes that a page shows the present notice. Returns whether one has shown it before. */
  markNotice(): boolean;
  /** Calls `listener` after each move, before the board is written. Listeners are called in the order they came. */
  subscribe(listener: ViewListener): void;
}

/** A store that writes the board of `toBoard` to `boards`. It begins signed out, until {@link ViewStore.restore}. */
export function createViewStore(boards: BoardStore, toBoard: (session: View) => Board): ViewStore {
  let isRestored = false;
  let shownNotice: ReturnType<typeof noticeOf> = null;
  const listeners = new Set<ViewListener>();
  /** Boards are written in the order of their sessions, so that the newest is the last. */
  const queue = createQueue();
  /** Whether the last write has failed, or has yet to end. */
  let isBehind = false;

  const set = (next: View, before: View) => {
    isRestored = true;
    store.view = next;
    const settled = settledView(next);
    for (const listener of listeners) listener(next, before, settled);
  };

  const apply = (event: ViewEvent) => {
    const before = store.view;
    const next = transition(before, event);
    if (next === before) return false;
    set(next, before);
    return true;
  };

  const publish = async () => {
    const board = toBoard(store.view);
    try {
      await queue(async () => {
        isBehind = true;
        await boards.write(board).catch(() => boards.write(board));
        isBehind = false;
      });
    } catch (cause) {
      throw new ProblemError('storage-failed', null, { cause });
    }
  };

  const flushBoard = async () => {
    await queue(() => Promise.resolve());
    if (isBehind) await publish().catch(() => undefined);
  };

  const store = {
    view: signedOut as View,
    apply,
    async dispatch(event: ViewEvent) {
      if (apply(event)) await publish();
    },
    applyFromRecord(event: ViewEvent) {
      if (isRestored && apply(event)) publish().catch(() => undefined);
    },
    restore(next: View, before: View) {
      if (isRestored) return;
      set(next, before);
    },
    publish,
    flushBoard,
    async rewriteIfCleared() {
      const isCleared = async () => (await boards.read()) === null;
      if (await queue(isCleared).catch(() => true)) isBehind = true;
      await flushBoard();
    },
    markNotice() {
      const notice = noticeOf(settledView(store.view));
      const isRepeated = notice !== null && notice === shownNotice;
      shownNotice = notice;
      return isRepeated;
    },
    subscribe: (listener: ViewListener) => void listeners.add(listener),
  };
  return store;
}

// Shows on the board the user that the record holds, and ends a session that the settings do not allow.

export interface FollowRecord {
  /** The board's news from a record. A session that the settings don't allow counts as absent. */
  toEvent(record: WorkerRecord): ViewEvent;
  /** Shows the user that the record holds, or ends the session if the settings don't allow it. Rejects if the storage fails. */
  endIfNotAllowed(): Promise<void>;
}

/** Follows the record from now on. */
export function createFollowRecord(
  store: Pick<ViewStore, 'applyFromRecord'>,
  records: Records,
  providers: ReadonlyMap<ProviderId, ProviderAccess>,
  policy: Settings,
  work: Pick<Work, 'runInBackground'>,
): FollowRecord {
  const toEvent = (record: WorkerRecord, event?: RecordEvent) => ({
    type: 'record-changed' as const,
    record,
    end: record.session && findSessionEnd(record.session, providers, policy.inForce),
    ...findNews(record, event),
  });

  const endNow = async ({ session }: WorkerRecord, end: Problem | null) => {
    if (session !== null && end !== null)
      await records.dispatchOrHold({ type: 'ended', cause: session, former: 'works', problem: end });
  };

  records.subscribe((record, _before, event) => {
    const change = toEvent(record, event);
    store.applyFromRecord(change);
    if (change.end !== null) work.runInBackground(endNow(record, change.end));
  });

  return {
    toEvent,
    async endIfNotAllowed() {
      const record = await records.read();
      const change = toEvent(record);
      // The settings before may have shown the end of a session that these allow.
      store.applyFromRecord(change);
      await endNow(record, change.end);
    },
  };
}

/** The problem that an event has brought the session of `record`, or null if it has taken one away. */
function findNews(
  { session }: WorkerRecord,
  event: RecordEvent | undefined,
): Pick<Extract<ViewEvent, { type: 'record-changed' }>, 'problem'> {
  switch (event?.type) {
    case 'ended':
      return session === null ? { problem: event.problem } : {};
    case 'renewal-failed': {
      // After the first failure of a kind that may pass, the next try comes within a second.
      if (event.cause.id !== session?.id || isShort(session.pause)) return {};
      const sinceMs = session.pause && failingSinceMs(session.pause);
      return { problem: { ...event.failure.problem, ...(sinceMs !== null && { failingSinceMs: sinceMs }) } };
    }
    case 'renewed':
      return event.cause.id === session?.id ? { problem: null } : {};
    default:
      return {};
  }
}

// Moves the session: one total function for everything that happens.

/** The part of the worker's record that decides who is signed in. */
interface KnownRecord {
  readonly session: { readonly id: string; readonly profile: Profile; readonly startedAtMs: number } | null;
  /** Whether a user who is not signed in has signed out. */
  readonly isSignedOutOnPurpose: boolean;
}

export type ViewEvent =
  | {
      readonly type: 'sign-in-started';
      readonly signIn: Omit<SigningIn, 'status' | 'before'>;
      /** The running attempt whose place it takes; missing if none may be running. */
      readonly replaces?: string | undefined;
    }
  | { readonly type: 'device-code-changed'; readonly attempt: string; readonly device: DeviceCode | null }
  /** `problem` is null if the user has cancelled it in the popup, and needs no notice of it. */
  | { readonly type: 'sign-in-ended'; readonly attempt: string; readonly problem: Problem | null }
  /**
   * The worker's record says who is signed in. `problem` is the session's new problem, or null if its problem is gone. `end` says
   * why the settings do not allow the session.
   */
  | {
      readonly type: 'record-changed';
      readonly record: KnownRecord;
      readonly problem?: SignedInProblem | null;
      readonly end?: Problem | null;
    }
  | { readonly type: 'notice-dismissed' }
  | { readonly type: 'signed-out'; readonly providerSession: ProviderSession | null }
  | { readonly type: 'account-forgotten'; readonly account: AccountHint }
  | { readonly type: 'account-remembered'; readonly account: AccountHint; readonly at: number }
  | { readonly type: 'sign-out-incomplete'; readonly problem: Problem }
  /** The wait for the end of the session at the provider is over. */
  | {
      readonly type: 'provider-session-reported';
      readonly status: Exclude<ProviderSession['status'], 'ending'>;
    };

/**
 * The next session. Total: an event that does not apply to the present session, or that belongs to another attempt,
 * returns the very same object.
 */
export function transition(session: View, event: ViewEvent): View {
  switch (event.type) {
    case 'sign-in-started':
      if (session.status === 'signing-in' && session.attempt !== event.replaces) return session;
      return { ...event.signIn, status: 'signing-in', before: withoutNotice(settledView(session)) };
    case 'device-code-changed':
      if (session.status !== 'signing-in' || session.attempt !== event.attempt) return session;
      return { ...session, device: event.device };
    case 'sign-in-ended':
      if (session.status !== 'signing-in' || session.attempt !== event.attempt) return session;
      return afterSignIn(session, event.problem);
    case 'record-changed':
      return withRecord(session, event);
    case 'notice-dismissed':
      return withSettled(session, (settled) =>
        noticeOf(settled) === null ? settled : withoutNotice(settled),
      );
    case 'signed-out':
      return { ...toSignedOut(settledView(session)), providerSession: event.providerSession };
    case 'account-forgotten':
      return withSettled(session, (settled) => {
        const accounts = withoutAccount(settled.accounts, event.account);
        return accounts.length < settled.accounts.length ? { ...settled, accounts } : settled;
      });
    case 'account-remembered':
      return withSettled(session, (settled) => withAccount(settled, event.account, event.at));
    case 'sign-out-incomplete':
      return session.status === 'signed-out' ? { ...session, problem: event.problem } : session;
    case 'provider-session-reported':
      return session.status === 'signed-out' && session.providerSession?.status === 'ending'
        ? { ...session, providerSession: { ...session.providerSession, status: event.status } }
        : session;
  }
}

/** The session with the user of the record. A running sign-in that has brought the user is over; any other goes on. */
function withRecord(
  session: View,
  { record, problem: news, end = null }: Extract<ViewEvent, { type: 'record-changed' }>,
): View {
  if (end !== null) {
    const shown = withRecord(session, { type: 'record-changed', record });
    return withRecord(shown, { type: 'record-changed', record: { ...record, session: null }, problem: end });
  }
  const { session: held, isSignedOutOnPurpose } = record;
  if (session.status === 'signing-in' && session.attempt === held?.id)
    return toSignedIn(held.profile, held.startedAtMs, session.before);
  return withSettled(session, (settled) => {
    if (held === null) {
      if (settled.status === 'signed-out') return settled;
      const problemOfEnd = isSignedOutOnPurpose ? null : (news ?? problem('expired'));
      return { ...toSignedOut(settled), problem: problemOfEnd };
    }
    const { profile, startedAtMs } = held;
    // The same user may have signed in once more.
    const isShown =
      settled.status === 'signed-in' &&
      settled.sinceMs === startedAtMs &&
      isSameUser(settled.profile, profile);
    const shown = isShown ? settled : toSignedIn(profile, startedAtMs, settled);
    const next = { ...shown, profile, problem: news === undefined ? shown.problem : news };
    return JSON.stringify(next) === JSON.stringify(settled) ? settled : next;
  });
}

/** The session after a sign-in that has ended with `failure`. */
function afterSignIn({ before, order }: SigningIn, failure: Problem | null): SignedOut | SignedIn {
  if (failure === null) return before;
  return before.status === 'signed-in'
    ? { ...before, problem: { ...failure, order } }
    : { ...before, problem: failure };
}

function withoutNotice(settled: SignedOut | SignedIn): SignedOut | SignedIn {
  return settled.status === 'signed-in'
    ? { ...settled, problem: null }
    : { ...settled, problem: null, providerSession: null };
}

/** Applies `change` to the settled session, also under a running sign-in. Returns the very same session if unchanged. */
function withSettled(session: View, change: (settled: SignedOut | SignedIn) => SignedOut | SignedIn): View {
  const settled = settledView(session);
  const next = change(settled);
  if (next === settled) return session;
  return session.status === 'signing-in' ? { ...session, before: next } : next;
}
