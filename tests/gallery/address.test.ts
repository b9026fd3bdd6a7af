import { expect, test } from 'vitest';
import { plainLook, readLook, toQuery, type Look } from '../../src/gallery/address.ts';

test.each<[string, Look]>([
  ['', plainLook],
  ['theme=dark', { ...plainLook, theme: 'dark' }],
  ['language=de&text=200', { ...plainLook, language: 'de', text: 200 }],
  ['direction=rtl', { ...plainLook, direction: 'rtl' }],
  ['theme=pink&text=7&direction=up', plainLook],
])('readLook reads the query «%s»', (query, look) => {
  expect(readLook(new URLSearchParams(query))).toEqual(look);
});

test('toQuery writes what readLook reads, without the default values', () => {
  const look: Look = { theme: 'light', language: 'pseudo', text: 150, direction: 'ltr' };
  const query = toQuery({ face: 'first-run' }, look);
  expect(readLook(new URLSearchParams(query))).toEqual(look);
  expect(new URLSearchParams(query).get('face')).toBe('first-run');
  expect(toQuery({}, plainLook)).toBe('');
});
