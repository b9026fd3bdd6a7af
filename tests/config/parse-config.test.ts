import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../tools/build/read-config.ts';
import { FileError } from '../../tools/build/read-text.ts';
import { fc, manyRuns } from '../support/property.ts';
import { acme, readConfig } from '../support/samples.ts';

describe('parseConfig', () => {
  test('reads a file with or without a byte order mark', () => {
    const text = JSON.stringify({ providers: [acme] });
    expect(parseConfig(text, 'config.json')).toEqual(readConfig({ providers: [acme] }));
    expect(parseConfig(`\uFEFF${text}`, 'config.json')).toEqual(readConfig({ providers: [acme] }));
  });

  test('accepts every escape of JSON', () => {
    const escapes = '"\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u00e9 \\uD83D\\uDE00"';
    expect(syntaxErrorOf(escapes)).toBeNull();
  });

  test.for([
    ['{', '1:2', '"}"'],
    ['{ 1: 1 }', '1:3', 'a key in double quotes'],
    ['{\n  "a": 1,\n}', '3:1', 'a key in double quotes'],
    ['[1,]', '1:4', 'a value'],
    ['[', '1:2', '"]"'],
    ['{\r\n  "a" 1}', '2:7', '":"'],
    ['{"a": 1\n "b": 2}', '2:2', '"," or a closing bracket'],
    ['{} {}', '1:4', 'the end of the file'],
    ['[1.]', '1:2', 'a complete number'],
    // It is not quoted.
    [
      '{ "clientSecret": hunter2 }',
      '1:19',
      'a key or string in double quotes, a number, true, false or null',
    ],
    ['// a\n{}', '1:1', 'JSON without comments'],
    ['{"a": "b\n"}', '1:7', 'a string that ends on its line'],
    ['["\t"]', '1:2', 'a string without control characters'],
    ['["\\u00g9"]', '1:2', 'four hexadecimal digits after "\\u"'],
    ['{"a": "C:\\path"}', '1:7', 'a string with valid escapes, such as "\\\\" for a backslash'],
  ])('rejects %j and names the position', ([text = '', position, expected]) => {
    expect(syntaxErrorOf(text)).toBe(`config.json:${position}: not JSON: expected ${expected}`);
  });

  test('names a position and an expectation exactly if JSON.parse rejects the text', () => {
    const extras = ['', ',', '"', '{', ']', ':', '\\', '\n', '0', '-', 'e', '.', '/', '//'];
    const nearlyJson = fc.tuple(fc.json(), fc.nat(), fc.constantFrom(...extras)).map(([json, at, extra]) => {
      const index = at % (json.length + 1);
      return json.slice(0, index) + extra + json.slice(index + 1);
    });
    fc.assert(
      fc.property(fc.oneof(fc.json(), nearlyJson, fc.string()), (text) => {
        const withoutMark = text.replace(/^\uFEFF/, '');
        const error = syntaxErrorOf(text);
        if (isJson(withoutMark)) expect(error).toBeNull();
        else if (withoutMark.trim() === '')
          expect(error).toBe('config.json: found an empty file; expected JSON');
        else expect(error).toMatch(/^config\.json:\d+:\d+: not JSON: expected (?!valid JSON)/);
      }),
      { numRuns: manyRuns },
    );
  });

  test('rejects text that is nested too deeply, whether or not it is JSON', () => {
    const expected = 'config.json:1:65: nested too deeply; expected at most 64 levels';
    expect(syntaxErrorOf('['.repeat(100_000))).toBe(expected);
    expect(syntaxErrorOf('['.repeat(65) + ']'.repeat(65))).toBe(expected);
    expect(syntaxErrorOf('['.repeat(64) + ']'.repeat(64))).toBeNull();
    expect(syntaxErrorOf(JSON.stringify(['['.repeat(100)]))).toBeNull();
  });
});

/** The error of a text that is not JSON; null for JSON, whether or not it is a configuration. */
function syntaxErrorOf(text: string): string | null {
  try {
    parseConfig(text, 'config.json');
    return null;
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    const [problem = ''] = error.problems;
    return /: (?:not JSON|nested|found an empty file)/.test(problem) ? problem : null;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
