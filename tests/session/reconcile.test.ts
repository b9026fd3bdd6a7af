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
  attempt: 1,
  startedAtMs: 5000,
  before,
});
const held = (profile: Profile, startedAtMs: number): StoredSession => ({ profile, startedAtMs });
const interrupted = problem('interrupted');
const expired = {
  status: 'signed-out',
  problem: problem('expired'),
  lastAccount: hint,
  providerSession: null,
} as const;

test.each<[string, Session | null, StoredSession | null, Session]>([
  ['is signed out where there is nothing', null, null, signedOut],
  ['is signed in where only the board is lost', null, held(ada, 1), adaIn],
  ['is signed out where the board says so, whatever the vault holds', signedOut, held(ada, 1), signedOut],
  ['stays signed out', signedOut, null, signedOut],
  [
    'does not wait for a provider that nobody hears',
    { ...signedOut, providerSession: { providerId: 'demo', status: 'ending' } },
    null,
    { ...signedOut, providerSession: { providerId: 'demo', status: 'open' } },
  ],
  ['stays signed in with the same person', adaIn, held(ada, 1), adaIn],
  ['follows the vault to another person', adaIn, held(grace, 1), graceIn],
  ['has expired where the vault is empty', adaIn, null, expired],
  [
    'is interrupted where a first sign-in got nowhere',
    signingIn(signedOut),
    null,
    { ...signedOut, problem: interrupted },
  ],
  ['is signed in where a sign-in reached the vault', signingIn(signedOut), held(ada, 5000), since(5000)],
  [
    'keeps the old session where a second sign-in got nowhere',
    signingIn(adaIn),
    held(ada, 4999),
    { ...adaIn, problem: interrupted },
  ],
  [
    'is the new person where a second sign-in reached the vault',
    signingIn(adaIn),
    held(grace, 5000),
    { ...graceIn, sinceMs: 5000 },
  ],
  ['has expired where a second sign-in got nowhere and the vault is empty', signingIn(adaIn), null, expired],
])('a worker that starts %s', (_title, board, inVault, expected) => {
  expect(reconcile(board, inVault)).toEqual(expected);
});

test('a worker that can take up a sign-in leaves it under way, over what is true by then', () => {
  expect(reconcile(signingIn(signedOut), null, true)).toEqual(signingIn(signedOut));
  expect(reconcile(signingIn(adaIn), held(ada, 1), true)).toEqual(signingIn(adaIn));
  expect(reconcile(signingIn(adaIn), null, true)).toEqual(signingIn(expired));
  expect(reconcile(signingIn(signedOut), held(ada, 5000), true)).toEqual(since(5000));
});
