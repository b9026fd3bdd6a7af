import { describe, expect, test } from 'vitest';
import { problem, type ProblemCode } from '../../src/session/problem.ts';
import {
  providerIdOf,
  signedOut,
  toAccountHint,
  toSignedIn,
  type Profile,
  type View,
  type SignedIn,
  type SignedOut,
  type SigningIn,
} from '../../src/session/view.ts';
import { transition, type ViewEvent } from '../../src/background/session/store.ts';

const ada: Profile = {
  providerId: 'demo',
  subject: 'ada',
  name: 'Ada',
  email: 'ada@example.com',
  emailVerified: true,
  picture: null,
};
const grace: Profile = { ...ada, subject: 'grace', name: 'Grace', email: 'grace@example.com' };
const hint = toAccountHint(ada);
const graceHint = toAccountHint(grace);

/** After the session of Ada. */
const cleanNoted: SignedOut = { ...signedOut, accounts: [hint], lastProviderId: 'demo' };
const noted: SignedOut = { ...cleanNoted, problem: problem('expired') };
const signedIn: SignedIn = { ...toSignedIn(ada, 500), problem: problem('offline') };
const cleanSignedIn: SignedIn = { ...signedIn, problem: null };
const order = { type: 'sign-in', providerId: 'demo' } as const;
const signingIn = (before: SignedOut | SignedIn): SigningIn => ({
  status: 'signing-in',
  providerId: 'demo',
  order,
  attempt: 'attempt-1000',
  startedAtMs: 1000,
  before,
});

const { status: _status, before: _before, ...signIn } = signingIn(signedOut);
const start: ViewEvent = { type: 'sign-in-started', signIn };
const second: ViewEvent = { ...start, signIn: { ...signIn, attempt: 'attempt-3' } };
/** The record holds the session of `profile`, or none. */
const held = (
  profile: Profile | null,
  startedAtMs = 500,
  news?: { problem: ReturnType<typeof problem> | null },
): ViewEvent => ({
  type: 'record-changed',
  record: {
    session: profile && { id: `attempt-${startedAtMs}`, profile, startedAtMs },
    isSignedOutOnPurpose: false,
  },
  ...news,
});
const success = held(grace, 1000);
const failure = { type: 'sign-in-ended', attempt: 'attempt-1000', problem: problem('denied') } as const;
const cancelled = { ...failure, problem: null };
const withPicture = { ...ada, picture: 'https://a.example/p' };
const completed = held(withPicture);
const mark = held(ada, 500, { problem: problem('timed-out') });
const renewed = held(ada, 500, { problem: null });
const end = held(null, 0, { problem: problem('not-permitted') });
const notAllowed = { end: problem('not-permitted') };
const purposeful: ViewEvent = {
  type: 'record-changed',
  record: { session: null, isSignedOutOnPurpose: true },
};
const dismissed: ViewEvent = { type: 'notice-dismissed' };
const signOut: ViewEvent = { type: 'signed-out', providerSession: null };
const leaving = (status: 'ending' | 'ended' | 'open'): SignedOut => ({
  ...cleanNoted,
  providerSession: { providerId: 'demo', status },
});
const [ending, leftThere, stillThere] = [leaving('ending'), leaving('ended'), leaving('open')];
const signOutEverywhere: ViewEvent = { type: 'signed-out', providerSession: ending.providerSession };
const incomplete: ViewEvent = { type: 'sign-out-incomplete', problem: problem('storage-failed') };
const reported: ViewEvent = { type: 'provider-session-reported', status: 'ended' };

const graceIn: SignedIn = { ...cleanSignedIn, profile: grace, sinceMs: 1000, accounts: [hint] };
const graceOut: SignedOut = {
  ...noted,
  problem: problem('not-permitted'),
  accounts: [graceHint, hint],
};
const ended: SignedOut = { ...noted, problem: problem('not-permitted') };
/** A sign-in of no one, and one over a session. */
const [running, changing] = [signingIn(cleanNoted), signingIn(cleanSignedIn)];

const timedOut: SignedIn = { ...signedIn, problem: problem('timed-out') };
const goesOnWith = (code: ProblemCode): SignedIn => ({
  ...cleanSignedIn,
  problem: { ...problem(code), order },
});

const device = { userCode: 'WDJB-MJHT', verificationUri: 'https://id.example/device', expiresAtMs: 9_000 };
const code: ViewEvent = { type: 'device-code-changed', attempt: 'attempt-1000', device };
const showing = { ...running, device };

const forget: ViewEvent = { type: 'account-forgotten', account: hint };
const [alan, barbara] = ['alan', 'barbara'].map((subject) => ({ ...hint, subject })) as [
  typeof hint,
  typeof hint,
];
const both: SignedOut = { ...cleanNoted, accounts: [graceHint, alan] };
const rememberAgain: ViewEvent = { type: 'account-remembered', account: hint, at: 1 };
const full: SignedOut = { ...cleanNoted, accounts: [graceHint, alan, barbara] };
const fullAgain: SignedOut = { ...cleanNoted, accounts: [hint, graceHint, alan] };

/** Every status, and every session that a sign-in may return to, by every event. `same` is the very same object. */
const table: readonly [string, View, ViewEvent, View | 'same'][] = [
  ['a start while signed out', noted, start, running],
  ['a session in the record while signed out', noted, success, graceIn],
  ['a failure while signed out', noted, failure, 'same'],
  ['an empty record while signed out', noted, held(null), 'same'],
  ['an end while signed out', noted, end, 'same'],
  ['a dismissed notice while signed out', { ...noted, problem: problem('cancelled') }, dismissed, cleanNoted],
  ['a dismissal of expired while signed out', noted, dismissed, 'same'],
  ['a dismissal without a notice while signed out', cleanNoted, dismissed, 'same'],
  ['a sign-out while signed out', noted, signOut, cleanNoted],
  ["the provider's report that nothing waits for", noted, reported, 'same'],
  ["the provider's report while signing out there", ending, reported, leftThere],
  ['a dismissed report of the provider', stillThere, dismissed, cleanNoted],
  ['a dismissal while signing out there', ending, dismissed, 'same'],
  ['a start while signing out there', ending, start, signingIn(cleanNoted)],

  ['a start while signed in', signedIn, start, changing],
  ['the same record while signed in', signedIn, held(ada), 'same'],
  ['another user in the record while signed in', signedIn, success, graceIn],
  ['a later session of the same user', signedIn, held(ada, 1000), { ...cleanSignedIn, sinceMs: 1000 }],
  ['a failure while signed in', signedIn, failure, 'same'],
  ['a completed profile while signed in', signedIn, completed, { ...signedIn, profile: withPicture }],
  ['a failed renewal', signedIn, mark, timedOut],
  ['a renewal', signedIn, renewed, cleanSignedIn],
  ['an end while signed in', signedIn, end, ended],
  ['an empty record while signed in', signedIn, held(null), noted],
  ['a session that the settings do not allow', signedIn, { ...held(ada), ...notAllowed }, ended],
  ['a sign-in whose session they do not allow', running, { ...success, ...notAllowed }, graceOut],
  ['an empty record after a sign-out', signedIn, purposeful, cleanNoted],
  ['a dismissed problem while signed in', signedIn, dismissed, cleanSignedIn],
  ['a dismissal without a notice while signed in', cleanSignedIn, dismissed, 'same'],
  ['a sign-out while signed in', signedIn, signOut, cleanNoted],
  ['a sign-out everywhere while signed in', signedIn, signOutEverywhere, ending],
  ["the provider's report while signed in", signedIn, reported, 'same'],

  ['a start while signing in', running, second, 'same'],
  [
    'a second try while signing in',
    signingIn(signedIn),
    { ...second, replaces: 'attempt-1000' },
    { ...changing, attempt: 'attempt-3' },
  ],
  ['a second try of an older attempt', running, { ...start, replaces: 'attempt-1' }, 'same'],
  ['a success while signing in', running, success, graceIn],
  ['a session in the record that another sign-in has brought', running, held(ada), changing],
  ['a failure while signing in', running, failure, { ...cleanNoted, problem: problem('denied') }],
  ['a late failure while signing in', running, { ...failure, attempt: 'attempt-1' }, 'same'],
  ['an empty record while signing in', running, held(null), 'same'],
  ['a sign-out while signing in', running, signOut, cleanNoted],
  ["the provider's report while signing in", running, reported, 'same'],
  ['a sign-out that is incomplete', noted, incomplete, { ...noted, problem: problem('storage-failed') }],
  ['an incomplete sign-out of who is signed in', signedIn, incomplete, 'same'],

  ['an account to forget', noted, forget, { ...noted, accounts: [] }],
  ['an account to forget while signed in', { ...signedIn, accounts: [hint] }, forget, signedIn],
  ['an account to forget under a sign-in', running, forget, signingIn({ ...cleanNoted, accounts: [] })],
  ['an account to forget that is not remembered', signedIn, forget, 'same'],
  ['a removal that is undone', both, rememberAgain, { ...both, accounts: [graceHint, hint, alan] }],
  ['a fourth account', full, held(ada), { ...cleanSignedIn, accounts: full.accounts }],
  ['a sign-out with four accounts', { ...signedIn, accounts: full.accounts }, signOut, fullAgain],

  ['a success over a session', changing, success, graceIn],
  ['a failure over a session', changing, failure, goesOnWith('denied')],
  ['a failure over a failed renewal', signingIn(timedOut), failure, goesOnWith('denied')],
  ['a failure over an ended session', signingIn(ended), failure, { ...ended, problem: problem('denied') }],
  ['a cancel', running, cancelled, cleanNoted],
  ['a cancel over a session', changing, cancelled, cleanSignedIn],
  ['a cancel of an older attempt', running, { ...cancelled, attempt: 'attempt-1' }, 'same'],
  ['a cancel while signed out', cleanNoted, cancelled, 'same'],
  ['a profile over a session', changing, completed, signingIn({ ...cleanSignedIn, profile: withPicture })],
  ['a failed renewal over a session', changing, mark, signingIn(timedOut)],
  ['a dismissal without a notice while signing in', running, dismissed, 'same'],
  ['an end under a sign-in', changing, end, signingIn(ended)],
  ['a sign-out under a sign-in', changing, signOut, cleanNoted],

  [
    'a start with a code',
    cleanNoted,
    { ...start, signIn: { ...signIn, device: null } },
    { ...running, device: null },
  ],
  ['a code', { ...running, device: null }, code, showing],
  ['a code of another attempt', { ...running, attempt: 'attempt-3' }, code, 'same'],
  ['a code while signed out', cleanNoted, code, 'same'],
  ['a code while signed in', cleanSignedIn, code, 'same'],
  ['a failure of a sign-in with a code', showing, failure, { ...cleanNoted, problem: problem('denied') }],
  ['a success of a sign-in with a code', showing, success, graceIn],
];

describe('transition', () => {
  test.each(table)('handles %s', (_title, session, event, expected) => {
    const next = transition(session, event);
    if (expected === 'same') expect(next).toBe(session);
    else expect(next).toEqual(expected);
  });

  test.each([
    ['another issuer', { issuer: 'https://id.example/fabrikam' }],
    ['another provider', { providerId: 'other' }],
    ['another subject', { subject: 'grace' }],
  ])('tells a user of %s from the one who is signed in', (_title, change) => {
    const profile = { ...ada, issuer: 'https://id.example/contoso' };
    const session = { ...cleanSignedIn, problem: problem('offline'), profile };
    const another = { ...profile, ...change };
    const accounts = [toAccountHint(profile)];
    expect(transition(session, held(another))).toEqual({ ...cleanSignedIn, profile: another, accounts });
    expect(transition(session, end)).toMatchObject({ accounts: [{ ...hint, issuer: profile.issuer }] });
  });

  test('has the provider of the sign-in, or else of the user', () => {
    expect(providerIdOf({ ...changing, providerId: 'other' })).toBe('other');
    expect(providerIdOf(cleanSignedIn)).toBe('demo');
  });
});
