// Parses the text of a configuration file for the build. Errors name the file, and the line of invalid JSON.

import { printParseErrorCode, visit } from 'jsonc-parser';
import { ConfigError, readConfig } from '../../src/config/config.ts';
import type { Config } from '../../src/config/provider.ts';

/**
 * Parses and validates a configuration. `fileName` is used in messages only.
 *
 * Throws {@link ConfigError}: one line with the position if the text is not JSON, else the lines of `readConfig`,
 * each after the file's name.
 */
export function parseConfig(text: string, fileName: string): Config {
  // Some editors on Windows write a byte order mark.
  const json = parseJson(text.replace(/^\uFEFF/, ''), fileName);
  try {
    return readConfig(json);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError(error.problems.map((problem) => `${fileName}: ${problem}`));
  }
}

function parseJson(text: string, fileName: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The message of JSON.parse differs between engines and may quote the text, so it is not shown.
    throw new ConfigError([findSyntaxErrors(text, fileName)[0] ?? `${fileName}: not JSON`]);
  }
}

function findSyntaxErrors(text: string, fileName: string): readonly string[] {
  const errors: string[] = [];
  const onError = (code: number, _offset: number, _length: number, line: number, column: number) => {
    const expected = expectations[printParseErrorCode(code)] ?? 'valid JSON';
    errors.push(`${fileName}:${line + 1}:${column + 1}: not JSON: expected ${expected}`);
  };
  try {
    visit(text, { onError }, { disallowComments: true, allowTrailingComma: false });
  } catch {
    // The parser is recursive and runs out of stack if the text is nested too deeply.
  }
  return errors;
}

const expectations: Readonly<Record<string, string>> = {
  InvalidSymbol: 'a key or string in double quotes, a number, true, false or null',
  PropertyNameExpected: 'a key in double quotes',
  ValueExpected: 'a value',
  ColonExpected: '":"',
  CommaExpected: '"," or a closing bracket',
  CloseBraceExpected: '"}"',
  CloseBracketExpected: '"]"',
  EndOfFileExpected: 'the end of the file',
  InvalidCommentToken: 'JSON without comments',
  UnexpectedEndOfNumber: 'a complete number',
  UnexpectedEndOfString: 'a string that ends on its line',
  InvalidCharacter: 'a string without control characters',
  InvalidUnicode: 'four hexadecimal digits after "\\u"',
  InvalidEscapeCharacter: 'a string with valid escapes, such as "\\\\" for a backslash',
};
