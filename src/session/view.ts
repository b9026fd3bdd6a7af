// The session: one union. It knows no token, no storage and no browser.

import * as v from './shape.ts';
import type { Problem } from './problem.ts';
import type { SignInOrder } from './sign-in-order.ts';

export type ProviderId = string;

type ClaimItem = string | number | boolean;

/** A claim that the configuration lists in `profileClaims`. */
export type ClaimValue = ClaimItem | readonly ClaimItem[];

/** Claims by their names. One that the provider hasn't sent, or in a form that isn't taken, is missing. */
export type Claims = Readonly<Record<string, ClaimValue>>;

/** The user, from the provider's verified claims. A user is identified by issuer and subject. */
export interface Profile {
  readonly providerId: ProviderId;
  /** The issuer of the user's tenant, at a provider with many tenants; missing otherwise, because it's the configured one. */
  readonly issuer?: string;
  readonly subject: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly emailVerified: boolean;
  readonly picture: string | null;
  /** The `login_hint` for the next sign-in, if it's not the email address; null for none. */
  readonly loginHint?: string | null;
  /** The claims of `profileClaims`, as the provider last sent them; missing if the configuration lists none. */
  readonly claims?: Claims;
}

const text = v.string();

const isClaims = (value: unknown) => v.isObject(value) && Object.values(value).flat().every(isClaimItem);

/** Whether a value may be a claim of a profile, or an item of one. */
export function isClaimItem(value: unknown): value is ClaimItem {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** A remembered user, for "Continue as …". */
export type AccountHint = Omit<Profile, 'emailVerified' | 'claims'>;

const accountMembers = {
  providerId: text,
  issuer: v.exactOptional(text),
  subject: text,
  name: v.nullable(text),
  email: v.nullable(text),
  picture: v.nullable(text),
  loginHint: v.exactOptional(v.nullable(text)),
};

/** Reads a remembered account: that of the board, and of a command. */
export const accountSchema: v.Schema<AccountHint> = v.object(accountMembers);

/** Reads a stored profile: that of the board, and of the record. */
export const profileSchema: v.Schema<Profile> = v.object({
  ...accountMembers,
  emailVerified: v.boolean(),
  claims: v.exactOptional(v.custom<Claims>(isClaims)),
});

/** So many accounts are remembered. */
const maxAccounts = 3;

export interface SignedOut {
  readonly status: 'signed-out';
  readonly problem: Problem | null;
  /** The remembered accounts, the last one first. */
  readonly accounts: readonly AccountHint[];
  /** The provider of the last session, which names no user; null before the first one. */
  readonly lastProviderId: ProviderId | null;
  /** The user's session at the provider, if they asked to end it too. */
  readonly providerSession: ProviderSession | null;
}

export interface ProviderSession {
  readonly providerId: ProviderId;
  /** `open` if the provider didn't confirm the end. */
  readonly status: 'ending' | 'ended' | 'open';
}

export interface SigningIn {
  readonly status: 'signing-in';
  readonly providerId: ProviderId;
  /** The command that started it. Trying again after a failure sends it once more. */
  readonly order: SignInOrder;
  /** The name of the API that asks the user to confirm who they are, or to allow more; missing if none does. */
  readonly apiName?: string;
  /** Identifies the attempt, so that a late result of an older one is ignored. The session that it brings has this id. */
  readonly attempt: string;
  readonly startedAtMs: number;
  /** The code to enter on the provider's page; null until the provider has issued it. Missing if a window is used. */
  readonly device?: DeviceCode | null;
  /** The session to return to if the sign-in fails or is canceled. */
  readonly before: SignedOut | SignedIn;
}

/** A code that the user enters on a page of the provider (RFC 8628). It's useless without the worker's own secret. */
export interface DeviceCode {
  /** As the provider wrote it, with its hyphens and spaces. */
  readonly userCode: string;
  /** The page to open: https, or on this computer. Its address contains the code if the provider offers that. */
  readonly verificationUri: string;
  /** When the code expires, in milliseconds since the epoch. */
  readonly expiresAtMs: number;
}

export interface SignedIn {
  readonly status: 'signed-in';
  readonly profile: Profile;
  /** When the sign-in that began this session started, in milliseconds since the epoch. */
  readonly sinceMs: number;
  readonly problem: SignedInProblem | null;
  /** The other accounts that are remembered. */
  readonly accounts: readonly AccountHint[];
}

/** A problem of a user who is still signed in. */
export interface SignedInProblem extends Problem {
  /** The sign-in that failed with it; missing if it is a problem of the session itself. */
  readonly order?: SignInOrder;
  /**
   * Since when each renewal of the session has failed, in milliseconds since the epoch; missing if that's less than a day.
   */
  readonly failingSinceMs?: number;
}

export type View = SignedOut | SigningIn | SignedIn;

/** Signed out, without a notice. */
export const signedOut: SignedOut = {
  status: 'signed-out',
  problem: null,
  accounts: [],
  lastProviderId: null,
  providerSession: null,
};

/** The session of `profile`, begun by a sign-in that started at `sinceMs`. It remembers the accounts of `before`. */
export function toSignedIn(
  profile: Profile,
  sinceMs: number,
  before: SignedOut | SignedIn = signedOut,
): SignedIn {
  const accounts =
    before.status === 'signed-in' ? [toAccountHint(before.profile), ...before.accounts] : before.accounts;
  const others = accounts.filter((other) => !isSameUser(other, profile)).slice(0, maxAccounts);
  return { status: 'signed-in', profile, sinceMs, problem: null, accounts: others };
}

/** No session after `before`, whose accounts are remembered. */
export function toSignedOut(before: SignedOut | SignedIn): SignedOut {
  if (before.status === 'signed-out') return { ...before, problem: null, providerSession: null };
  const accounts = [toAccountHint(before.profile), ...before.accounts].slice(0, maxAccounts);
  return { ...signedOut, accounts, lastProviderId: before.profile.providerId };
}

/** The session without a running sign-in: the session itself, or the one that a failed sign-in returns to. */
export function settledView(session: View): SignedOut | SignedIn {
  return session.status === 'signing-in' ? session.before : session;
}

/** The user who is signed in, or was last. */
export function accountOf(settled: SignedOut | SignedIn): AccountHint | null {
  return settled.status === 'signed-in' ? settled.profile : (settled.accounts[0] ?? null);
}

/** The session, in which this account is remembered at the place `at`, unless it's the one that is signed in. */
export function withAccount(
  settled: SignedOut | SignedIn,
  account: AccountHint,
  at: number,
): SignedOut | SignedIn {
  if (settled.status === 'signed-in' && isSameUser(settled.profile, account)) return settled;
  const others = withoutAccount(settled.accounts, account);
  return { ...settled, accounts: others.toSpliced(at, 0, account).slice(0, maxAccounts) };
}

/** The accounts without this one. */
export function withoutAccount(accounts: readonly AccountHint[], account: Identity): readonly AccountHint[] {
  return accounts.filter((other) => !isSameUser(other, account));
}

/** The provider of the session or of the running sign-in. */
export function providerIdOf(session: SignedIn | SigningIn): ProviderId {
  return session.status === 'signed-in' ? session.profile.providerId : session.providerId;
}

type Identity = Pick<Profile, 'providerId' | 'issuer' | 'subject'>;

/** Whether two profiles belong to one user: the same subject of the same issuer. The email doesn't count. */
export function isSameUser(one: Identity, other: Identity): boolean {
  return one.providerId === other.providerId && one.issuer === other.issuer && one.subject === other.subject;
}

/** The part of a profile that is kept when a session ends. */
export function toAccountHint({ emailVerified: _verified, claims: _claims, ...hint }: Profile): AccountHint {
  return hint;
}

/** The `login_hint` of a request that is for this user. */
export function toLoginHint({
  email,
  loginHint = email,
}: Pick<AccountHint, 'email' | 'loginHint'>): string | undefined {
  return loginHint ?? undefined;
}
