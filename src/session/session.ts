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
  readonly providerId: ProviderId;
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
  | { readonly type: 'news-seen' }
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
        before: withoutNews(session),
      };
    case 'sign-in-succeeded':
      if (session.status !== 'signing-in' || session.attempt !== event.attempt) return session;
      return toSignedIn(event.profile, session.startedAtMs);
    case 'sign-in-failed':
      if (session.status !== 'signing-in' || session.attempt !== event.attempt) return session;
      return { ...session.before, problem: event.problem };
    case 'profile-completed':
      return withStanding(session, (standing) =>
        standing.status === 'signed-in' && isSamePerson(standing.profile, event.profile)
          ? { ...standing, profile: event.profile }
          : standing,
      );
    case 'session-marked':
      return withStanding(session, (standing) =>
        standing.status === 'signed-in' && standing.problem !== event.problem
          ? { ...standing, problem: event.problem }
          : standing,
      );
    case 'news-seen':
      return withStanding(session, (standing) =>
        newsOf(standing) === null ? standing : withoutNews(standing),
      );
    case 'session-ended':
      return withStanding(session, (standing) =>
        standing.status === 'signed-in'
          ? { ...signedOut, problem: event.problem, lastAccount: toAccountHint(standing.profile) }
          : standing,
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
  return { status: 'signed-in', providerId: profile.providerId, profile, sinceMs, problem: null };
}

/** Where the person stands while no sign-in is under way: the session itself, or the one a sign-in returns to. */
export function standingOf(session: Session): SignedOut | SignedIn {
  return session.status === 'signing-in' ? session.before : session;
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
export function newsOf(standing: SignedOut | SignedIn): Problem | ProviderSession | null {
  if (standing.problem !== null) return standing.problem.code === 'expired' ? null : standing.problem;
  if (standing.status === 'signed-in' || standing.providerSession?.status === 'ending') return null;
  return standing.providerSession;
}

function withoutNews(standing: SignedOut | SignedIn): SignedOut | SignedIn {
  return standing.status === 'signed-in'
    ? { ...standing, problem: null }
    : { ...standing, problem: null, providerSession: null };
}

/** Applies `change` where the person stands, under a sign-in in progress as well, and keeps an unchanged session identical. */
function withStanding(
  session: Session,
  change: (standing: SignedOut | SignedIn) => SignedOut | SignedIn,
): Session {
  const standing = standingOf(session);
  const next = change(standing);
  if (next === standing) return session;
  return session.status === 'signing-in' ? { ...session, before: next } : next;
}
