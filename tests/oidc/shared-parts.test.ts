import { expect, test } from 'vitest';
import { indexParts } from '../../src/oidc/shared-parts.ts';
import { fc, numRuns } from '../support/property.ts';

test.each([
  ['', 'abcd', []],
  ['abc', 'abcd', []],
  ['abcd', 'abcd', [0]],
  ['abcdabcd', 'xabcdx', [0, 4]],
  ['abcdef', 'xxabcdefxx', [0, 1, 2]],
  ['aaaaaa', 'aaaa', [0, 1, 2]],
  ['abcd bcde', 'abcde', [0, 5]],
])('%j has the parts of %j at %j', (text, other, places) => {
  expect(indexParts(text, 4)(other)).toEqual(places);
});

const ofFewLetters = fc
  .array(fc.constantFrom('a', 'b', 'c', '\u00e9'), { maxLength: 40 })
  .map((letters) => letters.join(''));

test('it finds what a search at each place finds', () =>
  fc.assert(
    fc.property(ofFewLetters, fc.array(ofFewLetters, { maxLength: 3 }), (text, others) => {
      const find = indexParts(text, 5);
      for (const other of others) {
        const places = Array.from({ length: Math.max(0, text.length - 4) }, (_, place) => place);
        expect(find(other)).toEqual(places.filter((place) => other.includes(text.slice(place, place + 5))));
      }
    }),
    { numRuns: 4 * numRuns },
  ));
