// The session as everyone sees it: one union, and the one total function that moves it.
// It knows no token, no storage and no browser.

import type { Problem } from './problem.ts';

export type ProviderId = string;

/** The person, as the provider's verified claims name them. The key of a person is issuer and subject. */
export interface Profile {
  readonly providerId: ProviderId;
  readonly subject: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly emailVerified: boolean;
  readonly picture: string | null;
}

/** Who was signed in last, for "Continue as …". */
export interface AccountHint {
  readonly providerId: ProviderId;
  readonly subject: string;
  readonly name: string | null;
  readonly email: string | null;
}

export interface SignedOut {
  readonly status: 'signed-out';
  readonly problem: Problem | null;
  readonly lastAccount: AccountHint | null;
  /** What becomes of the person's session at the provider, where they asked to end it too. */
  readonly providerSession: ProviderSession | null;
}

export interface ProviderSession {
  readonly providerId: ProviderId;
  /** `open` where the provider has not said that it ended. */
  readonly status: 'ending' | 'ended' | 'open';
}

export interface SigningIn {
  readonly status: 'signing-in';
  readonly providerId: ProviderId;
  /** Tells one attempt from the next, so that the late result of an old one is harmless. */
  readonly attempt: number;
  readonly startedAtMs: number;
  /** Where a cancelled or failed sign-in returns to. */
  readonly before: SignedOut | SignedIn;
}

export interface SignedIn {
  readonly status: 'signed-in';
  readonly profile: Profile;
  /** When the sign-in was started that this session began with, in milliseconds of the epoch. */
  readonly sinceMs: number;
  readonly problem: Problem | null;
}

export type Session = SignedOut | SigningIn | SignedIn;

export type SessionEvent =
  | {
      readonly type: 'sign-in-started';
      readonly providerId: ProviderId;
      readonly attempt: number;
      readonly startedAtMs: number;
    }
  | { readonly type: 'sign-in-succeeded'; readonly attempt: number; readonly profile: Profile }
  | { readonly type: 'sign-in-failed'; readonly attempt: number; readonly problem: Problem }
  | { readonly type: 'profile-completed'; readonly profile: Profile }
  | { readonly type: 'session-marked'; readonly problem: Problem | null }
  | { readonly type: 'notice-dismissed' }
  | { readonly type: 'session-ended'; readonly problem: Problem }
  | { readonly type: 'signed-out'; readonly providerSession: ProviderSession | null }
  | { readonly type: 'provider-session-told'; readonly providerSession: ProviderSession };

/** Nobody is signed in, and there is nothing to tell. */
export const signedOut: SignedOut = {
  status: 'signed-out',
  problem: null,
  lastAccount: null,
  providerSession: null,
};

/**
 * The next session. Total: an event that means nothing where the session stands, or that belongs to another
 * attempt, returns the very same object.
 */
export function transition(session: Session, event: SessionEvent): Session {
  switch (event.type) {
    case 'sign-in-started':
      if (session.status === 'signing-in') return session;
      return {
        status: 'signing-in',
        providerId: event.providerId,
        attempt: event.attempt,
        startedAtMs: event.startedAtMs,
        before: withoutNotice(session),
      };
    case 'sign-in-succeeded':
      if (session.status !== 'signing-in' || session.attempt !== event.attempt) return session;
      return toSignedIn(event.profile, session.startedAtMs);
    case 'sign-in-failed':
      if (session.status !== 'signing-in' || session.attempt !== event.attempt) return session;
      return { ...session.before, problem: event.problem };
    case 'profile-completed':
      return withSettled(session, (settled) =>
        settled.status === 'signed-in' && isSamePerson(settled.profile, event.profile)
          ? { ...settled, profile: event.profile }
          : settled,
      );
    case 'session-marked':
      return withSettled(session, (settled) =>
        settled.status === 'signed-in' && settled.problem !== event.problem
          ? { ...settled, problem: event.problem }
          : settled,
      );
    case 'notice-dismissed':
      return withSettled(session, (settled) =>
        noticeOf(settled) === null ? settled : withoutNotice(settled),
      );
    case 'session-ended':
      return withSettled(session, (settled) =>
        settled.status === 'signed-in'
          ? { ...signedOut, problem: event.problem, lastAccount: toAccountHint(settled.profile) }
          : settled,
      );
    case 'signed-out':
      return { ...signedOut, providerSession: event.providerSession };
    case 'provider-session-told':
      return session.status === 'signed-out' && session.providerSession?.status === 'ending'
        ? { ...session, providerSession: event.providerSession }
        : session;
  }
}

/** The signed-in session of `profile` that a sign-in at `sinceMs` has begun. */
export function toSignedIn(profile: Profile, sinceMs: number): SignedIn {
  return { status: 'signed-in', profile, sinceMs, problem: null };
}

/** Where the person stands while no sign-in is under way: the session itself, or the one a sign-in returns to. */
export function settledSession(session: Session): SignedOut | SignedIn {
  return session.status === 'signing-in' ? session.before : session;
}

/** The provider that a session is with, or that a sign-in is under way with. */
export function providerIdOf(session: SignedIn | SigningIn): ProviderId {
  return session.status === 'signed-in' ? session.profile.providerId : session.providerId;
}

/** Whether two profiles are of one person: the same subject at the same provider, whatever the e-mail says. */
export function isSamePerson(one: Profile, other: Profile): boolean {
  return one.providerId === other.providerId && one.subject === other.subject;
}

/** What is remembered of a person whose session ended without their asking. */
export function toAccountHint({ providerId, subject, name, email }: Profile): AccountHint {
  return { providerId, subject, name, email };
}

/**
 * What a page has to tell once: a problem, or what became of the session at the provider. That a session has ended
 * is told for as long as "Continue as …" is offered.
 */
export function noticeOf(settled: SignedOut | SignedIn): Problem | ProviderSession | null {
  if (settled.problem !== null) return settled.problem.code === 'expired' ? null : settled.problem;
  if (settled.status === 'signed-in' || settled.providerSession?.status === 'ending') return null;
  return settled.providerSession;
}

function withoutNotice(settled: SignedOut | SignedIn): SignedOut | SignedIn {
  return settled.status === 'signed-in'
    ? { ...settled, problem: null }
    : { ...settled, problem: null, providerSession: null };
}

/** Applies `change` where the person stands, under a sign-in in progress as well, and keeps an unchanged session identical. */
function withSettled(
  session: Session,
  change: (settled: SignedOut | SignedIn) => SignedOut | SignedIn,
): Session {
  const settled = settledSession(session);
  const next = change(settled);
  if (next === settled) return session;
  return session.status === 'signing-in' ? { ...session, before: next } : next;
}
