import { describe, expect, test } from 'vitest';
import { problem } from '../../src/session/problem.ts';
import {
  signedOut,
  transition,
  type Profile,
  type Session,
  type SessionEvent,
  type SignedIn,
  type SignedOut,
  type SigningIn,
} from '../../src/session/session.ts';

const ada: Profile = {
  providerId: 'demo',
  subject: 'ada',
  name: 'Ada',
  email: 'ada@example.com',
  emailVerified: true,
  picture: null,
};
const grace: Profile = { ...ada, subject: 'grace', name: 'Grace', email: 'grace@example.com' };
const hint = { providerId: 'demo', subject: 'ada', name: 'Ada', email: 'ada@example.com' };

const noted: SignedOut = {
  status: 'signed-out',
  problem: problem('expired'),
  lastAccount: hint,
  providerSession: null,
};
const signedIn: SignedIn = {
  status: 'signed-in',
  profile: ada,
  sinceMs: 500,
  problem: problem('offline'),
};
const cleanSignedIn: SignedIn = { ...signedIn, problem: null };
const cleanNoted: SignedOut = { ...noted, problem: null };
const request = { type: 'sign-in', providerId: 'demo' } as const;
const signingIn = (before: SignedOut | SignedIn): SigningIn => ({
  status: 'signing-in',
  providerId: 'demo',
  request,
  attempt: 2,
  startedAtMs: 1000,
  before,
});

const start: SessionEvent = {
  type: 'sign-in-started',
  providerId: 'demo',
  request,
  attempt: 2,
  startedAtMs: 1000,
};
const success: SessionEvent = { type: 'sign-in-succeeded', attempt: 2, profile: grace };
const lateSuccess: SessionEvent = { type: 'sign-in-succeeded', attempt: 1, profile: grace };
const failure: SessionEvent = { type: 'sign-in-failed', attempt: 2, problem: problem('denied') };
const cancelled = { type: 'sign-in-cancelled', attempt: 2 } as const;
const lateFailure: SessionEvent = { type: 'sign-in-failed', attempt: 1, problem: problem('denied') };
const completed = {
  type: 'profile-completed',
  profile: { ...ada, picture: 'https://a.example/p' },
} satisfies SessionEvent;
const foreignProfile: SessionEvent = { type: 'profile-completed', profile: grace };
const mark: SessionEvent = { type: 'session-marked', problem: problem('timed-out') };
const end: SessionEvent = { type: 'session-ended', problem: problem('expired') };
const dismissed: SessionEvent = { type: 'notice-dismissed' };
const signOut: SessionEvent = { type: 'signed-out', providerSession: null };
const ending: SignedOut = { ...signedOut, providerSession: { providerId: 'demo', status: 'ending' } };
const signOutEverywhere: SessionEvent = { type: 'signed-out', providerSession: ending.providerSession };
const reported: SessionEvent = {
  type: 'provider-session-reported',
  providerSession: { providerId: 'demo', status: 'ended' },
};

const graceIn: SignedIn = { ...cleanSignedIn, profile: grace, sinceMs: 1000 };
const withPicture = { ...ada, picture: 'https://a.example/p' };
const ended: SignedOut = { ...noted };

/** Every status, and every session that a sign-in may return to, by every event. `same` is the very same object. */
const table: readonly [string, Session, SessionEvent, Session | 'same'][] = [
  ['a start while signed out', noted, start, signingIn(cleanNoted)],
  ['a success while signed out', noted, success, 'same'],
  ['a failure while signed out', noted, failure, 'same'],
  ['a completed profile while signed out', noted, completed, 'same'],
  ['a mark while signed out', noted, mark, 'same'],
  ['an end while signed out', noted, end, 'same'],
  ['a dismissed notice while signed out', { ...noted, problem: problem('cancelled') }, dismissed, cleanNoted],
  ['a dismissal of expired while signed out', noted, dismissed, 'same'],
  ['a dismissal without a notice while signed out', cleanNoted, dismissed, 'same'],
  ['a sign-out while signed out', noted, signOut, signedOut],
  ["the provider's report that nothing waits for", noted, reported, 'same'],
  [
    "the provider's report while signing out there",
    ending,
    reported,
    { ...ending, providerSession: { providerId: 'demo', status: 'ended' } },
  ],
  [
    'a dismissed report of the provider',
    { ...ending, providerSession: { providerId: 'demo', status: 'open' } },
    dismissed,
    signedOut,
  ],
  ['a dismissal while signing out there', ending, dismissed, 'same'],
  ['a start while signing out there', ending, start, signingIn(signedOut)],

  ['a start while signed in', signedIn, start, signingIn(cleanSignedIn)],
  ['a success while signed in', signedIn, success, 'same'],
  ['a failure while signed in', signedIn, failure, 'same'],
  ['a completed profile while signed in', signedIn, completed, { ...signedIn, profile: withPicture }],
  ["another person's profile while signed in", signedIn, foreignProfile, 'same'],
  [
    'a profile of the same name elsewhere',
    signedIn,
    { ...completed, profile: { ...ada, providerId: 'other' } },
    'same',
  ],
  ['a mark while signed in', signedIn, mark, { ...signedIn, problem: problem('timed-out') }],
  ['an end while signed in', signedIn, end, ended],
  ['a dismissed problem while signed in', signedIn, dismissed, cleanSignedIn],
  ['a dismissal without a notice while signed in', cleanSignedIn, dismissed, 'same'],
  ['a sign-out while signed in', signedIn, signOut, signedOut],
  ['a sign-out everywhere while signed in', signedIn, signOutEverywhere, ending],
  ["the provider's report while signed in", signedIn, reported, 'same'],

  ['a start while signing in', signingIn(cleanNoted), { ...start, attempt: 3 }, 'same'],
  ['a success while signing in', signingIn(cleanNoted), success, graceIn],
  ['a late success while signing in', signingIn(cleanNoted), lateSuccess, 'same'],
  [
    'a failure while signing in',
    signingIn(cleanNoted),
    failure,
    { ...cleanNoted, problem: problem('denied') },
  ],
  ['a late failure while signing in', signingIn(cleanNoted), lateFailure, 'same'],
  ['a completed profile while signing in', signingIn(cleanNoted), completed, 'same'],
  ['a mark while signing in', signingIn(cleanNoted), mark, 'same'],
  ['an end while signing in', signingIn(cleanNoted), end, 'same'],
  ['a sign-out while signing in', signingIn(cleanNoted), signOut, signedOut],
  ["the provider's report while signing in", signingIn(cleanNoted), reported, 'same'],

  ['a success over a session', signingIn(cleanSignedIn), success, graceIn],
  [
    'a failure over a session',
    signingIn(cleanSignedIn),
    failure,
    { ...cleanSignedIn, problem: { ...problem('denied'), request } },
  ],
  ['a cancel', signingIn(cleanNoted), cancelled, cleanNoted],
  ['a cancel over a session', signingIn(cleanSignedIn), cancelled, cleanSignedIn],
  ['a cancel of an older attempt', signingIn(cleanNoted), { ...cancelled, attempt: 1 }, 'same'],
  ['a cancel while signed out', cleanNoted, cancelled, 'same'],
  [
    'a profile over a session',
    signingIn(cleanSignedIn),
    completed,
    signingIn({ ...cleanSignedIn, profile: withPicture }),
  ],
  ["another person's profile over a session", signingIn(cleanSignedIn), foreignProfile, 'same'],
  [
    'a mark over a session',
    signingIn(cleanSignedIn),
    mark,
    signingIn({ ...cleanSignedIn, problem: problem('timed-out') }),
  ],
  ['a dismissal without a notice while signing in', signingIn(cleanNoted), dismissed, 'same'],
  ['an end under a sign-in', signingIn(cleanSignedIn), end, signingIn(ended)],
  ['a sign-out under a sign-in', signingIn(cleanSignedIn), signOut, signedOut],
];

describe('transition', () => {
  test.each(table)('handles %s', (_title, session, event, expected) => {
    const next = transition(session, event);
    if (expected === 'same') expect(next).toBe(session);
    else expect(next).toEqual(expected);
  });

  test('keeps the very same session when a mark changes nothing', () => {
    expect(transition(cleanSignedIn, { type: 'session-marked', problem: null })).toBe(cleanSignedIn);
  });

  test('tells the same subject of another issuer from the person who is signed in', () => {
    const profile = { ...ada, issuer: 'https://id.example/contoso' };
    const session = { ...cleanSignedIn, profile };
    const another = { ...profile, issuer: 'https://id.example/fabrikam', name: 'Another' };
    expect(transition(session, { type: 'profile-completed', profile: another })).toBe(session);
    expect(transition(session, end)).toMatchObject({ lastAccount: { ...hint, issuer: profile.issuer } });
  });

  test('never changes its input', () => {
    for (const [, session, event] of table) {
      const before = structuredClone(session);
      transition(session, event);
      expect(session).toEqual(before);
    }
  });
});

describe('a sign-in with a code', () => {
  const device = { userCode: 'WDJB-MJHT', verificationUri: 'https://id.example/device', expiresAtMs: 9_000 };
  const shown: SessionEvent = { type: 'device-code-changed', attempt: 2, device };

  test('shows first that a code is coming, and then the code', () => {
    const coming = transition(cleanNoted, { ...start, device: null });
    expect(coming).toEqual({ ...signingIn(cleanNoted), device: null });
    expect(transition(coming, shown)).toEqual({ ...signingIn(cleanNoted), device });
  });

  test('leaves no code behind', () => {
    const running = { ...signingIn(cleanNoted), device };
    expect(transition(running, failure)).not.toHaveProperty('device');
    expect(transition(running, success)).not.toHaveProperty('device');
  });

  test.each<[string, Session]>([
    ['another attempt', { ...signingIn(cleanNoted), attempt: 3 }],
    ['nobody who signs in', cleanNoted],
    ['a person who is signed in', cleanSignedIn],
  ])('does not show its code to %s', (_, session) => {
    expect(transition(session, shown)).toBe(session);
  });
});
