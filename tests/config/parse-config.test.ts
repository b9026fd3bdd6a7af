import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { findJsonFault } from '../../src/config/json-fault.ts';
import { parseConfig } from '../../src/config/parse-config.ts';
import { acme } from '../support/samples.ts';

test('a file is read, with or without a byte order mark', () => {
  const text = JSON.stringify({ providers: [acme] });
  expect(parseConfig(text, 'config.json')).toEqual(readConfig({ providers: [acme] }));
  expect(parseConfig(`\uFEFF${text}`, 'config.json')).toEqual(readConfig({ providers: [acme] }));
});

test('a byte order mark within a text is part of it', () => {
  const text = JSON.stringify({ providers: [{ ...acme, name: 'Ac\uFEFFme' }] });
  expect(parseConfig(text, 'config.json').providers[0]?.name).toBe('Ac\uFEFFme');
});

test('a text may hold every escape of JSON', () => {
  expect(findJsonFault('"\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u00e9 \\uD83D\\uDE00"')).toBeNull();
});

test('each problem begins with the file’s name', () => {
  expect(() => parseConfig('{ "provider": [] }', 'src/config.json')).toThrow(
    [
      'src/config.json: provider: unknown key; did you mean "providers"?',
      'src/config.json: providers: missing; expected a list of 1 to 100 providers',
    ].join('\n'),
  );
});

test.for([
  ['', '1:1', 'a value'],
  ['{', '1:2', 'a key in double quotes, or "}"'],
  ["{ 'a': 1 }", '1:3', 'a key in double quotes, or "}"'],
  ['{\n  "a": 1,\n}', '3:1', 'a key in double quotes after the comma'],
  ['[1,]', '1:4', 'a value after the comma'],
  ['[', '1:2', 'a value or "]"'],
  ['{\r\n  "a" 1}', '2:7', '":"'],
  ['{"a": }', '1:7', 'a value'],
  ['{"a": 1\n "b": 2}', '2:2', '"," or "}"'],
  ['[1 2]', '1:4', '"," or "]"'],
  ['{"a": [1}', '1:9', '"," or "]"'],
  ['{} x', '1:4', 'nothing more'],
  ['[01]', '1:2', 'a value or "]"'],
  ['[nul]', '1:2', 'a value or "]"'],
  ['// a\n{}', '1:1', 'a value (JSON has no comments)'],
  ['{"a": "b\n"}', '1:7', 'a text that ends on its line, with valid escapes'],
  ['["\\u00g9"]', '1:2', 'a text that ends on its line, with valid escapes'],
  ['["\\u0e9"]', '1:2', 'a text that ends on its line, with valid escapes'],
  ['{"a": "C:\\path"}', '1:7', 'a text that ends on its line, with valid escapes'],
])('%j is no JSON, and the place is told', ([text = '', place, expected]) => {
  expect(() => parseConfig(text, 'config.json')).toThrow(
    `config.json:${place}: not JSON: expected ${expected}`,
  );
});

test('what stands in a broken file is not repeated', () => {
  expect(() => parseConfig('{ "clientSecret": hunter2 }', 'config.json')).toThrow(
    /^config\.json:1:19: not JSON: expected a value$/,
  );
});

test('a place is told exactly when JSON.parse refuses', () => {
  const nearlyJson = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '"', '{', ']', ':', '\\', '\n', '0', '-', 'e', '.'))
    .map(([json, at, extra]) => {
      const index = at % (json.length + 1);
      return json.slice(0, index) + extra + json.slice(index + 1);
    });
  fc.assert(
    fc.property(fc.oneof(fc.json(), nearlyJson, fc.string()), (text) => {
      expect(findJsonFault(text) === null).toBe(isJson(text));
    }),
    { numRuns: 2000 },
  );
});

test('deep nesting is no trouble', () => {
  expect(findJsonFault('['.repeat(100_000))).toMatchObject({ line: 1, column: 100_001 });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false; // The question was whether it throws.
  }
}
