import { expect, test } from 'vitest';
import { isObject, read } from '../../src/session/shape.ts';
import {
  accountOf,
  profileSchema,
  signedOut,
  toAccountHint,
  toSignedIn,
  type Profile,
} from '../../src/session/view.ts';

const ada: Profile = {
  providerId: 'demo',
  subject: 'ada',
  name: 'Ada',
  email: null,
  emailVerified: true,
  picture: null,
};
const [grace, joan, mary] = ['grace', 'joan', 'mary'].map((subject) => ({ ...ada, subject }));
const toHints = (...users: readonly (Profile | undefined)[]) =>
  users.filter((user) => user !== undefined).map(toAccountHint);

test('a session remembers who was signed in before, and up to three users besides its own', () => {
  const first = toSignedIn(ada, 1, { ...signedOut, accounts: toHints(grace, joan, mary) });
  expect(first.accounts).toEqual(toHints(grace, joan, mary));
  expect(toSignedIn(grace!, 2, first).accounts).toEqual(toHints(ada, joan, mary));
  expect(toSignedIn({ ...ada, subject: 'eva' }, 2, first).accounts).toEqual(toHints(ada, grace, joan));
});

test('the account is the user who is signed in, or who was last', () => {
  expect(accountOf(toSignedIn(ada, 1, { ...signedOut, accounts: toHints(grace) }))).toEqual(ada);
  expect(accountOf({ ...signedOut, accounts: toHints(grace, ada) })).toEqual(toAccountHint(grace!));
  expect(accountOf(signedOut)).toBeNull();
});

test.each([
  [{}, true],
  [{ department: 'sales', level: 3, staff: true, groups: ['a', 1, false] }, true],
  [{ address: { street: 'Elm' } }, false],
  [{ groups: ['a', {}] }, false],
  [{ department: null }, false],
  [['a'], false],
  ['a', false],
  [null, false],
])('a profile with the claims %j is read: %s', (claims, isRead) => {
  const profile = { ...ada, claims };
  expect(read(profileSchema, profile)).toEqual(isRead ? profile : null);
});

test.each([
  [{}, true],
  [[], false],
  [null, false],
  [undefined, false],
  ['text', false],
])('%j is an object: %s', (value, expected) => {
  expect(isObject(value)).toBe(expected);
});
