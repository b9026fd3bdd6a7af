import { expect, test } from 'vitest';
import { findDenied, joinScopes } from '../../src/oidc/access.ts';

test.each([
  ['', '', ''],
  ['a', '', 'a'],
  ['', 'a b', 'a b'],
  ['a b', 'b c', 'a b c'],
])('joinScopes of %j and %j returns %j', (first, second, joined) => {
  expect(joinScopes(first, second)).toBe(joined);
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
])('findDenied of %j, where %j was granted, returns %j', (requested, granted, denied) => {
  expect(findDenied(requested, granted)).toBe(denied);
});
