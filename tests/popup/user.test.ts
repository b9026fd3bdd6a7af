import { expect, test } from 'vitest';
import { toDisplayName, toInitials } from '../../src/popup/user.ts';

test.each([
  ['Ada', 'A'],
  ['Ada Lovelace', 'AL'],
  ['Ada King, Countess of Lovelace', 'AL'],
  ['  ada   lovelace ', 'AL'],
  ['Ada Lovelace (Analytics)', 'AL'],
  ['E\u0301mile Zola', 'E\u0301Z'],
  ['Ольга Ладыженская', 'ОЛ'],
  ['王小明', '王'],
  ['山田 太郎', '山'],
  ['محمد بن موسى', 'م'],
  ['👩‍👩‍👧 family', 'F'],
  ['👩‍👩‍👧', '👩‍👩‍👧'],
  ['ada@example.com', 'A'],
  ['42', '4'],
  ['1\uFE0F\u20E3 two', '1\uFE0F\u20E3'],
  ['', ''],
])('toInitials turns «%s» into «%s»', (name, initials) => {
  expect(toInitials(name)).toBe(initials);
});

test.each([
  [{ name: 'Ada', email: 'ada@example.com' }, 'Ada'],
  [{ name: null, email: 'ada@example.com' }, 'ada@example.com'],
  [{ name: null, email: null }, null],
])('toDisplayName turns %o into %s', (claims, expected) => {
  expect(toDisplayName(claims)).toBe(expected);
});
