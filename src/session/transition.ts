// Moves the session: one total function for everything that happens.

import { problem, type Problem } from './problem.ts';
import {
  isSameUser,
  noticeOf,
  settledView,
  signedOut,
  toAccountHint,
  toSignedIn,
  type DeviceCode,
  type Profile,
  type ProviderSession,
  type View,
  type SignedIn,
  type SignedOut,
  type SigningIn,
} from './session.ts';

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
      readonly problem?: Problem | null;
      readonly end?: Problem | null;
    }
  | { readonly type: 'notice-dismissed' }
  | { readonly type: 'signed-out'; readonly providerSession: ProviderSession | null }
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
      return { ...signedOut, providerSession: event.providerSession };
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
    return toSignedIn(held.profile, held.startedAtMs);
  return withSettled(session, (settled) => {
    if (held === null) {
      if (settled.status === 'signed-out') return settled;
      if (isSignedOutOnPurpose) return signedOut;
      return {
        ...signedOut,
        problem: news ?? problem('expired'),
        lastAccount: toAccountHint(settled.profile),
      };
    }
    const { profile, startedAtMs } = held;
    // The same user may have signed in once more.
    const isShown =
      settled.status === 'signed-in' &&
      settled.sinceMs === startedAtMs &&
      isSameUser(settled.profile, profile);
    const shown = isShown ? settled : toSignedIn(profile, startedAtMs);
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
