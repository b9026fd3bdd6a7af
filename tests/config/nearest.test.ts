import { expect, test } from 'vitest';
import { findNearest } from '../../src/config/nearest.ts';

const keys = ['id', 'par', 'name', 'clientId', 'persistence', 'md5hash'];

test.each([
  // The same word, spelled differently
  ['CLIENT--__ID', 'clientId'],
  ['persistence', 'persistence'],
  // One letter
  ['persstence', 'persistence'],
  ['persisttence', 'persistence'],
  ['persistance', 'persistence'],
  ['ame', 'name'],
  ['names', 'name'],
  ['pat', 'par'],
  // Two letters
  ['prsistnce', 'persistence'],
  ['ppersisteence', 'persistence'],
  ['parsistense', 'persistence'],
  ['parsistenc', 'persistence'],
  // Too far
  ['xersisxencx', undefined],
  ['ne', undefined],
  ['ix', undefined],
  ['md', undefined],
  ['theme', undefined],
  ['', undefined],
])('findNearest suggests for %j: %j', (written, meant) => {
  expect(findNearest(written, keys)).toBe(meant);
});

test('findNearest prefers the most similar word, then the first', () => {
  expect(findNearest('origins', ['apiOrigins', 'origin', 'origins'])).toBe('origins');
  expect(findNearest('nome', ['home', 'name'])).toBe('home');
});

test('findNearest allows one edit for each three letters of the word that is meant', () => {
  expect(findNearest('orijim', ['origin'])).toBe('origin');
  expect(findNearest('scxpx', ['scope'])).toBeUndefined();
  expect(findNearest('namexy', ['name'])).toBeUndefined();
});

test('findNearest ignores how both words separate their parts', () => {
  const names = ['code_challenge_methods_supported'];
  expect(findNearest('codeChallengeMethodsSupported', names)).toBe(names[0]);
});
