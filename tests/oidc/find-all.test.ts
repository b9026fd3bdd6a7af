import { expect, test } from 'vitest';
import { findAll } from '../../src/oidc/find-all.ts';
import { fc } from '../support/property.ts';

test.each([
  ['', 'ab', { starts: [], cut: 0 }],
  ['ab', 'ab', { starts: [0], cut: 0 }],
  ['aaaa', 'aa', { starts: [0, 1, 2], cut: 1 }],
  ['x ab aba', 'abab', { starts: [], cut: 3 }],
  ['ababa', 'aba', { starts: [0, 2], cut: 1 }],
])('in %j it finds %j at %j', (text, pattern, matches) => {
  expect(findAll(text, pattern)).toEqual(matches);
});

const ofFewLetters = (minLength: number) =>
  fc.array(fc.constantFrom('a', 'b'), { minLength, maxLength: 8 }).map((letters) => letters.join(''));

test('it finds what a search at each place finds', () =>
  fc.assert(
    fc.property(ofFewLetters(0), ofFewLetters(1), (text, pattern) => {
      const places = Array.from({ length: text.length }, (_, index) => index);
      const starts = places.filter((place) => text.startsWith(pattern, place));
      const cuts = places.map((place) => text.length - place).filter((length) => length < pattern.length);
      const cut = cuts.find((length) => text.endsWith(pattern.slice(0, length))) ?? 0;
      expect(findAll(text, pattern)).toEqual({ starts, cut });
    }),
  ));
