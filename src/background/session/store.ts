// The view in memory, and the only way to change it. It follows the record, subscribers follow it, and the board shows it to the
// pages.

import type { Board, BoardStore } from '../../bridge/session/board.ts';
import { createQueue } from '../../concurrency.ts';
import { detail, safe } from '../../session/detail.ts';
import { ProblemError, type Problem, problem } from '../../session/problem.ts';
import {
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
import type { InForce, Settings } from '../part.ts';
import { findSessionEnd } from './usable.ts';
import type { WorkerRecord, RecordEvent } from '../record/record.ts';
import type { Records } from '../record/records.ts';
import type { Work } from '../work.ts';

/** Called at after each move, with the view without a running sign-in as the last argument. Must not throw. */
export type ViewListener = (view: View, before: View, settled: SignedOut | SignedIn) => void;

export type ViewStore = ReturnType<typeof createViewStore>;

/** A store that writes the board to `boards`. It begins signed out, until `restore`. */
export function createViewStore(
  boards: BoardStore,
  providers: ReadonlyMap<ProviderId, ProviderAccess>,
  policy: Settings,
) {
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

  const apply = (event: ViewEvent): boolean => {
    const before = store.view;
    const next = transition(before, event);
    if (next === before) return false;
    set(next, before);
    return true;
  };

  const publish = async () => {
    const board = toBoard(store.view, providers, policy.inForce);
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
    /** The view now. */
    view: signedOut as View,
    /** Moves the view, and calls the subscribers. Whether the event applies; one that doesn't moves nothing. */
    apply,
    /**
     * Moves the view at once, calls the subscribers, and resolves when the board shows the result. An event that doesn't apply moves
     * nothing. Rejects with `storage-failed` if the board can't be written; the view has moved, and `flushBoard` writes it later.
     */
    async dispatch(event: ViewEvent): Promise<void> {
      if (apply(event)) await publish();
    },
    /** The same, without waiting for the board, which `flushBoard` does. Before `restore` there is nothing to move. */
    applyFromRecord(event: ViewEvent): void {
      if (isRestored && apply(event)) publish().catch(() => undefined);
    },
    /**
     * Takes over the view that the last worker left, and calls the subscribers, unless it has moved already: after a start that
     * failed, a user may sign out. The board isn't written.
     */
    restore(next: View, before: View): void {
      if (isRestored) return;
      set(next, before);
    },
    /** Writes the board, after all writes before. A write that fails is tried twice. Rejects with `storage-failed`. */
    publish,
    /** Waits until the board is written, even if that has failed before. Never rejects: the next call tries again. */
    flushBoard,
    /** The same, and writes the board once more if it was removed from the storage. */
    async rewriteIfCleared(): Promise<void> {
      const isCleared = async () => (await boards.read()) === null;
      if (await queue(isCleared).catch(() => true)) isBehind = true;
      await flushBoard();
    },
    /** Notes that a page shows the present notice. Returns whether one has shown it before. */
    markNotice(): boolean {
      const notice = noticeOf(settledView(store.view));
      const isRepeated = notice !== null && notice === shownNotice;
      shownNotice = notice;
      return isRepeated;
    },
    /** Calls `listener` once after each move, before the board is written. Listeners are called in the order they came. */
    subscribe: (listener: ViewListener) => void listeners.add(listener),
  };
  return store as Omit<typeof store, 'view'> & { readonly view: View };
}

/** The board that shows the view under these settings. */
function toBoard(
  session: View,
  providers: ReadonlyMap<ProviderId, ProviderAccess>,
  { managed, problem: mistake, rememberAccounts }: InForce,
): Board {
  const shown = rememberAccounts ? session : withoutAccounts(session);
  const by = managed === 'awaited' ? null : (managed?.by ?? null);
  return {
    version: 1,
    session: withPolicyProblem(shown, mistake),
    providers: [...providers.values()].map(({ client: { provider }, known }) => ({
      id: provider.id,
      name: provider.name,
      endsSession: known()?.end_session_endpoint !== undefined,
    })),
    managed: managed !== null,
    ...(by !== null && { managedBy: by }),
    ...(mistake !== null && { policyProblem: mistake }),
  };
}

/** The session, in which no account is remembered. */
function withoutAccounts(session: View): View {
  return session.status === 'signing-in'
    ? { ...session, before: { ...session.before, accounts: [] } }
    : { ...session, accounts: [] };
}

/**
 * The notice that a page shows once: a problem, or the end of the session at the provider. `expired` isn't a notice:
 * it is shown for as long as "Continue as …" is offered.
 */
function noticeOf(settled: SignedOut | SignedIn): Problem | ProviderSession | null {
  if (settled.problem !== null) return settled.problem.code === 'expired' ? null : settled.problem;
  if (settled.status === 'signed-in' || settled.providerSession?.status === 'ending') return null;
  return settled.providerSession;
}

// While a policy has a mistake, the board of a signed-out session shows it as a problem. It's only on the board, so nothing
// dismisses it.

/**
 * The session as the board shows it while a policy has this mistake. Another problem is shown first, unless it is shown for as
 * long as the account is offered.
 */
function withPolicyProblem(session: View, mistake: string | null): View {
  if (mistake === null || session.status !== 'signed-out') return session;
  if (session.problem !== null && session.problem.code !== 'expired') return session;
  return { ...session, problem: toPolicyProblem(mistake) };
}

/** The session of a board, without what {@link withPolicyProblem} has added. */
export function withoutPolicyProblem({ session, policyProblem }: Board): View {
  if (policyProblem === undefined || session.status !== 'signed-out') return session;
  return session.problem?.detail === toPolicyProblem(policyProblem).detail
    ? { ...session, problem: null }
    : session;
}

function toPolicyProblem(mistake: string) {
  return problem('provider-misconfigured', detail`policy: ${safe(mistake)}`);
}

// Shows on the board the user that the record holds, and ends a session that the settings don't allow.

export type FollowRecord = ReturnType<typeof createFollowRecord>;

/** Follows the record from now on. */
export function createFollowRecord(
  store: Pick<ViewStore, 'applyFromRecord'>,
  records: Records,
  providers: ReadonlyMap<ProviderId, ProviderAccess>,
  policy: Settings,
  work: Pick<Work, 'runInBackground'>,
) {
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
    /** The board's news from a record. A session that the settings don't allow counts as absent. */
    toEvent,
    /** Ends the session of a record, unless `end` is null. Never rejects. */
    endNow,
    /** Shows the user that the record holds, or ends the session if the settings don't allow it. Rejects if the storage fails. */
    async endIfNotAllowed(): Promise<void> {
      const record = await records.read();
      const change = toEvent(record);
      // The former settings may have shown the end of a session that the new ones allow.
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
      // After the first failure that may pass, the next try comes within a second.
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

// The reducer for the view: one total function for everything that happens.

/** The part of the worker's record that decides who is signed in. */
interface KnownRecord {
  readonly session: { readonly id: string; readonly profile: Profile; readonly startedAtMs: number } | null;
  /** Whether a user who isn't signed in has signed out. */
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
  /** `problem` is null if the user has canceled it in the popup, and needs no notice of it. */
  | { readonly type: 'sign-in-ended'; readonly attempt: string; readonly problem: Problem | null }
  /**
   * The worker's record says who is signed in. `problem` is the session's new problem, or null if its problem is gone. `end` says
   * why the settings don't allow the session.
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
 * The next session. Total: an event that doesn't apply to the present session, or that belongs to another attempt,
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
