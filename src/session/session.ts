// The session: one union, and the one total function that moves it. It knows no token, no storage and no browser.

import type { SignInRequest } from './commands.ts';
import type { Problem } from './problem.ts';

export type ProviderId = string;

/** The person, from the provider's verified claims. A person is identified by issuer and subject. */
export interface Profile {
  readonly providerId: ProviderId;
  /** The issuer of the person's tenant, at a provider with many; missing at any other, whose issuer is configured. */
  readonly issuer?: string;
  readonly subject: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly emailVerified: boolean;
  readonly picture: string | null;
}

/** The last signed-in person, for "Continue as …". */
export interface AccountHint {
  readonly providerId: ProviderId;
  /** As in {@link Profile}. */
  readonly issuer?: string;
  readonly subject: string;
  readonly name: string | null;
  readonly email: string | null;
}

export interface SignedOut {
  readonly status: 'signed-out';
  readonly problem: Problem | null;
  readonly lastAccount: AccountHint | null;
  /** The person's session at the provider, if they asked to end it too. */
  readonly providerSession: ProviderSession | null;
}

export interface ProviderSession {
  readonly providerId: ProviderId;
  /** `open` if the provider did not confirm the end. */
  readonly status: 'ending' | 'ended' | 'open';
}

export interface SigningIn {
  readonly status: 'signing-in';
  readonly providerId: ProviderId;
  /** The command that started it. Trying again sends it once more. */
  readonly request: SignInRequest;
  /** Identifies the attempt, so that a late result of an older one is ignored. */
  readonly attempt: number;
  readonly startedAtMs: number;
  /** The code to enter on the provider's page; null until the provider has issued it. Missing if a window is used. */
  readonly device?: DeviceCode | null;
  /** The session to return to if the sign-in fails or is cancelled. */
  readonly before: SignedOut | SignedIn;
}

/** A code that the person enters on a page of the provider (RFC 8628). It is of no use without the worker's own secret. */
export interface DeviceCode {
  /** As the provider wrote it, with its hyphens and spaces. */
  readonly userCode: string;
  /** The page to open: https, or of this computer. It knows the code already if the provider offers that. */
  readonly verificationUri: string;
  /** When the code ends, in milliseconds since the epoch. */
  readonly expiresAtMs: number;
}

export interface SignedIn {
  readonly status: 'signed-in';
  readonly profile: Profile;
  /** When the sign-in that began this session started, in milliseconds since the epoch. */
  readonly sinceMs: number;
  readonly problem: SignedInProblem | null;
}

/** A problem of a person who is still signed in. */
export interface SignedInProblem extends Problem {
  /** The sign-in that failed with it; missing if it is a problem of the session itself. */
  readonly request?: SignInRequest;
}

export type Session = SignedOut | SigningIn | SignedIn;

export type SessionEvent =
  | {
      readonly type: 'sign-in-started';
      readonly providerId: ProviderId;
      readonly request: SignInRequest;
      readonly attempt: number;
      readonly startedAtMs: number;
      /** Null if it begins with a code. */
      readonly device?: null;
    }
  | { readonly type: 'device-code-changed'; readonly attempt: number; readonly device: DeviceCode | null }
  | { readonly type: 'sign-in-succeeded'; readonly attempt: number; readonly profile: Profile }
  | { readonly type: 'sign-in-failed'; readonly attempt: number; readonly problem: Problem }
  /** The person has cancelled it in the popup, and needs no notice of it. */
  | { readonly type: 'sign-in-cancelled'; readonly attempt: number }
  /** A sign-in has succeeded that no page has seen running. */
  | { readonly type: 'signed-in'; readonly profile: Profile; readonly sinceMs: number }
  | { readonly type: 'profile-completed'; readonly profile: Profile }
  | { readonly type: 'session-marked'; readonly problem: Problem | null }
  | { readonly type: 'notice-dismissed' }
  | { readonly type: 'session-ended'; readonly problem: Problem }
  | { readonly type: 'signed-out'; readonly providerSession: ProviderSession | null }
  | { readonly type: 'sign-out-incomplete'; readonly problem: Problem }
  | { readonly type: 'provider-session-reported'; readonly providerSession: ProviderSession };

/** Signed out, without a notice. */
export const signedOut: SignedOut = {
  status: 'signed-out',
  problem: null,
  lastAccount: null,
  providerSession: null,
};

/**
 * The next session. Total: an event that does not apply to the present session, or that belongs to another attempt,
 * returns the very same object.
 */
export function transition(session: Session, event: SessionEvent): Session {
  switch (event.type) {
    case 'sign-in-started':
      if (session.status === 'signing-in') return session;
      return {
        status: 'signing-in',
        providerId: event.providerId,
        request: event.request,
        attempt: event.attempt,
        startedAtMs: event.startedAtMs,
        ...(event.device === null && { device: null }),
        before: withoutNotice(session),
      };
    case 'device-code-changed':
      if (session.status !== 'signing-in' || session.attempt !== event.attempt) return session;
      return { ...session, device: event.device };
    case 'sign-in-succeeded':
      if (session.status !== 'signing-in' || session.attempt !== event.attempt) return session;
      return toSignedIn(event.profile, session.startedAtMs);
    case 'sign-in-failed':
      if (session.status !== 'signing-in' || session.attempt !== event.attempt) return session;
      return afterFailure(session, event.problem);
    case 'sign-in-cancelled':
      return session.status === 'signing-in' && session.attempt === event.attempt ? session.before : session;
    case 'signed-in':
      return withSettled(session, (settled) =>
        settled.status === 'signed-out' ? toSignedIn(event.profile, event.sinceMs) : settled,
      );
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
    case 'sign-out-incomplete':
      return session.status === 'signed-out' ? { ...session, problem: event.problem } : session;
    case 'provider-session-reported':
      return session.status === 'signed-out' && session.providerSession?.status === 'ending'
        ? { ...session, providerSession: event.providerSession }
        : session;
  }
}

/** The session of `profile`, begun by a sign-in that started at `sinceMs`. */
export function toSignedIn(profile: Profile, sinceMs: number): SignedIn {
  return { status: 'signed-in', profile, sinceMs, problem: null };
}

/** The session after a sign-in that has failed with `problem`. */
export function afterFailure({ before, request }: SigningIn, problem: Problem): SignedOut | SignedIn {
  return before.status === 'signed-in'
    ? { ...before, problem: { ...problem, request } }
    : { ...before, problem };
}

/** The session without a running sign-in: the session itself, or the one that a failed sign-in returns to. */
export function settledSession(session: Session): SignedOut | SignedIn {
  return session.status === 'signing-in' ? session.before : session;
}

/** The provider of the session or of the running sign-in. */
export function providerIdOf(session: SignedIn | SigningIn): ProviderId {
  return session.status === 'signed-in' ? session.profile.providerId : session.providerId;
}

type Identity = Pick<Profile, 'providerId' | 'issuer' | 'subject'>;

/** Whether two profiles belong to one person: the same subject of the same issuer. The e-mail does not count. */
export function isSamePerson(one: Identity, other: Identity): boolean {
  return one.providerId === other.providerId && one.issuer === other.issuer && one.subject === other.subject;
}

/** The part of a profile that is kept when a session ends without the person's wish. */
export function toAccountHint({ providerId, issuer, subject, name, email }: Profile): AccountHint {
  return { providerId, ...(issuer !== undefined && { issuer }), subject, name, email };
}

/**
 * The notice that a page shows once: a problem, or the end of the session at the provider. `expired` is not a notice:
 * it is shown for as long as "Continue as …" is offered.
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

/** Applies `change` to the settled session, also under a running sign-in. Returns the very same session if unchanged. */
function withSettled(
  session: Session,
  change: (settled: SignedOut | SignedIn) => SignedOut | SignedIn,
): Session {
  const settled = settledSession(session);
  const next = change(settled);
  if (next === settled) return session;
  return session.status === 'signing-in' ? { ...session, before: next } : next;
}
