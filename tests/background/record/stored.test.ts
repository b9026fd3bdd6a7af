// The record as it is stored: its names, when there is nothing to store, and what is read of something else.

import { expect, test } from 'vitest';
import { isFormerName } from '../../../src/background/record/former-version.ts';
import { parseRecord } from '../../../src/background/record/parse.ts';
import {
  emptyRecord,
  isEmpty,
  type CodeSignIn,
  type Debt,
  type SignedIn,
} from '../../../src/background/record/record.ts';

test('a record is empty if it has none of its parts', () => {
  expect(isEmpty({ ...emptyRecord, isSignedOutOnPurpose: true })).toBe(true);
  expect(isEmpty({ ...emptyRecord, session: {} as SignedIn })).toBe(false);
  expect(isEmpty({ ...emptyRecord, codeSignIn: {} as CodeSignIn })).toBe(false);
  expect(isEmpty({ ...emptyRecord, debts: [{} as Debt] })).toBe(false);
  expect(isEmpty({ ...emptyRecord, others: { later: 1 } })).toBe(false);
});

test.each([
  ['session', true],
  ['device-grant', true],
  ['revocation:1', true],
  ['record', false],
  ['of a later version', false],
])('an earlier version has stored %s: %s', (name, isFormer) => {
  expect(isFormerName(name)).toBe(isFormer);
});

test.each([null, undefined, 7, 'a text'])('nothing is read of %s', (stored) => {
  expect(parseRecord(stored, new Map())).toBe(emptyRecord);
});
