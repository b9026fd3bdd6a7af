import { expect, test } from 'vitest';
import { problem } from '../../src/session/problem.ts';
import { reconcile, type StoredSession } from '../../src/session/reconcile.ts';
import { signedOut, type Profile, type Session, type SignedIn } from '../../src/session/session.ts';

const ada: Profile = {
  providerId: 'demo',
  subject: 'ada',
  name: 'Ada',
  email: null,
  emailVerified: false,
  picture: null,
};
const grace: Profile = { ...ada, subject: 'grace', name: 'Grace' };
const hint = { providerId: 'demo', subject: 'ada', name: 'Ada', email: null };
const adaIn: SignedIn = { status: 'signed-in', profile: ada, sinceMs: 1, problem: null };
const since = (sinceMs: number): SignedIn => ({ ...adaIn, sinceMs });
const graceIn: SignedIn = { ...adaIn, profile: grace };
const signingIn = (before: Extract<Session, { status: 'signing-in' }>['before']): Session => ({
  status: 'signing-in',
  providerId: 'demo',
  request: { type: 'sign-in', providerId: 'demo' },
  attempt: 1,
  startedAtMs: 5000,
  before,
});
const stored = (profile: Profile, startedAtMs: number): StoredSession => ({ profile, startedAtMs });
const interrupted = problem('interrupted');
const expired = {
  status: 'signed-out',
  problem: problem('expired'),
  lastAccount: hint,
  providerSession: null,
} as const;

test.each<[string, Session | null, StoredSession | null, Session]>([
  ['signs out if there is neither board nor vault', null, null, signedOut],
  ['signs in if only the board is lost', null, stored(ada, 1), adaIn],
  ['signs in a person whose sign-in the board has not shown', signedOut, stored(ada, 1), adaIn],
  ['keeps a signed-out board', signedOut, null, signedOut],
  [
    'marks the provider session as open if nobody waits for its end',
    { ...signedOut, providerSession: { providerId: 'demo', status: 'ending' } },
    null,
    { ...signedOut, providerSession: { providerId: 'demo', status: 'open' } },
  ],
  ['keeps the session of the same person', adaIn, stored(ada, 1), adaIn],
  ['follows the record to another person', adaIn, stored(grace, 1), graceIn],
  ['expires the session if the record is empty', adaIn, null, expired],
  [
    'interrupts a first sign-in that did not reach the record',
    signingIn(signedOut),
    null,
    { ...signedOut, problem: interrupted },
  ],
  ['signs in if the sign-in reached the record', signingIn(signedOut), stored(ada, 5000), since(5000)],
  [
    'keeps the old session if a second sign-in did not reach the record',
    signingIn(adaIn),
    stored(ada, 1),
    { ...adaIn, problem: { ...interrupted, request: { type: 'sign-in', providerId: 'demo' } } },
  ],
  [
    'signs in the new person if a second sign-in reached the record',
    signingIn(adaIn),
    stored(grace, 5000),
    { ...graceIn, sinceMs: 5000 },
  ],
  [
    'shows the later session of a person who has signed in once more',
    signingIn(adaIn),
    stored(ada, 5000),
    since(5000),
  ],
  [
    'expires the session if a second sign-in did not reach the record and the record is empty',
    signingIn(adaIn),
    null,
    expired,
  ],
])('reconcile %s', (_title, board, inVault, expected) => {
  expect(reconcile(board, inVault, false)).toEqual(expected);
});

test('reconcile does not call a session expired that the person has ended', () => {
  expect(reconcile(adaIn, null, true)).toEqual(signedOut);
});

test('reconcile keeps a sign-in that goes on, over the true session', () => {
  expect(reconcile(signingIn(signedOut), null, false, true)).toEqual(signingIn(signedOut));
  expect(reconcile(signingIn(adaIn), stored(ada, 1), false, true)).toEqual(signingIn(adaIn));
  expect(reconcile(signingIn(adaIn), null, false, true)).toEqual(signingIn(expired));
  expect(reconcile(signingIn(signedOut), stored(ada, 5000), false, true)).toEqual(since(5000));
});
