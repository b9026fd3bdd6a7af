import { expect, test } from 'vitest';
import { fromBase64Url, readClaims, toBase64Url } from '../../src/oidc/jwt.ts';

test.each([
  [[0xfb, 0xef, 0xbe, 0xff, 0xff, 0xff], '----____'],
  [[1], 'AQ'],
  [[1, 2], 'AQI'],
  [[], ''],
])('the bytes %j are encoded as %s and decoded again', (bytes, text) => {
  expect(toBase64Url(new Uint8Array(bytes))).toBe(text);
  expect(fromBase64Url(text)).toBe(String.fromCharCode(...bytes));
});

const payload = btoa('{"sub":"ada"}');
test.each([
  [`x.${payload}.z`, { sub: 'ada' }],
  [`x.${payload}`, null],
  [`x.${payload}.z.z`, null],
  ['x', null],
  ['x.%.z', null],
  [`x.${btoa('7')}.z`, null],
])('the claims of the token %s are %j', (token, claims) => {
  expect(readClaims(token)).toEqual(claims);
});
