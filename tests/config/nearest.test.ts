import { expect, test } from 'vitest';
import { findNearest } from '../../src/config/nearest.ts';

const keys = ['id', 'par', 'name', 'scope', 'origin', 'clientId', 'persistence', 'md5hash', 'of_two'];

test.each([
  // The same word, spelled differently
  ['CLIENT--__ID', 'clientId'],
  ['ofTwo', 'of_two'],
  ['persistence', 'persistence'],
  // One letter
  ['persstence', 'persistence'],
  ['persisttence', 'persistence'],
  ['persistance', 'persistence'],
  ['ame', 'name'],
  ['names', 'name'],
  ['pat', 'par'],
  // Two letters
  ['orijim', 'origin'],
  ['prsistnce', 'persistence'],
  ['ppersisteence', 'persistence'],
  ['parsistense', 'persistence'],
  ['parsistenc', 'persistence'],
  // Too far
  ['xersisxencx', undefined],
  ['ne', undefined],
  ['ix', undefined],
  ['md', undefined],
  ['scxpx', undefined],
  ['namexy', undefined],
  ['theme', undefined],
  ['', undefined],
])('findNearest suggests for %j: %j', (written, meant) => {
  expect(findNearest(written, keys)).toBe(meant);
});

test('findNearest prefers the most similar word, then the first', () => {
  expect(findNearest('origins', ['apiOrigins', 'origin', 'origins'])).toBe('origins');
  expect(findNearest('nome', ['home', 'name'])).toBe('home');
});
