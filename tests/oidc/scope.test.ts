import { expect, test } from 'vitest';
import { findDenied, joinScopes } from '../../src/oidc/scope.ts';

test.each([
  ['', '', ''],
  ['a', '', 'a'],
  ['', 'a b', 'a b'],
  ['a b', 'b c', 'a b c'],
])('the scopes %j and %j are %j together', (one, other, both) => {
  expect(joinScopes(one, other)).toBe(both);
});

test.each([
  ['notes.read', 'openid notes.read', null],
  ['notes.read', 'openid', 'notes.read'],
  ['notes.read notes.write', 'openid notes.read', 'notes.write'],
  ['notes.read', 'openid notes.reader', 'notes.read'],
  ['Notes.Read', 'openid https://api.example/notes.read', null],
  ['notes.read', 'openid https://api.example/my.notes.read', 'notes.read'],
  ['notes.read', '', 'notes.read'],
  ['notes.read', null, null],
  ['', 'openid', null],
])('of %j, where %j was granted, %j is missing', (asked, granted, denied) => {
  expect(findDenied(asked, granted)).toBe(denied);
});
