import { expect, test } from 'vitest';
import { quote } from '../../src/config/config-error.ts';

test.each([
  ['https://me:hunter2@id.example', '"…@id.example"'],
  ['https://me:hunt@er2@id.example', '"…@id.example"'],
  ['me@id.example:443', '"me@id.example:443"'],
  ['https://id.example/?key=hunt\ner2', '"https://id.example/?…"'],
  ['https://id.example/#hunter2', '"https://id.example/#…"'],
])('of %j, %s is repeated', (text, quoted) => {
  expect(quote(text)).toBe(quoted);
});
