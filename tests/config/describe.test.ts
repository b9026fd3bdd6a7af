import { expect, test } from 'vitest';
import { ConfigError, quote } from '../../src/config/config-error.ts';

test.each([
  ['https://me:hunter2@id.example', '"…@id.example"'],
  ['https://me:hunt@er2@id.example', '"…@id.example"'],
  ['me@id.example:443', '"me@id.example:443"'],
  ['https://id.example/?key=hunt\ner2', '"https://id.example/?…"'],
  ['https://id.example/#hunter2', '"https://id.example/#…"'],
])('of %j, %s is repeated', (text, quoted) => {
  expect(quote(text)).toBe(quoted);
});

test('the message of a refused configuration has a line for each mistake', () => {
  const error = new ConfigError([
    { path: [], text: 'missing' },
    { path: ['providers', 0], text: 'found 7' },
  ]);
  expect(String(error)).toBe('ConfigError: configuration: missing\nproviders[0]: found 7');
});
