// Parses and changes the text of a JSON file. Unlike JSON.parse it says where a mistake is, and refuses duplicate keys.

import {
  applyEdits,
  findNodeAtLocation,
  type JSONPath,
  modify,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { formatPath, type Mistake, type Path } from '../../src/config/config-error.ts';

/** A file cannot be used: one line for each problem, beginning with the file's name and, where known, line and column. */
export class FileError extends Error {
  override readonly name = 'FileError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

export interface ParsedJson {
  readonly value: unknown;
  /** Names the file, line and column of a member, or of the object in which it is missing. */
  readonly placeOf: (path: Path) => string;
}

/** A line that says where a mistake is, and what it is. */
export function toProblem({ placeOf }: ParsedJson, { path, text }: Mistake): string {
  return [placeOf(path), formatPath(path), text].filter((part) => part !== '').join(': ');
}

/** Far more than any file here has. The parsers are recursive, so deeper text could exhaust the stack. */
const maxDepth = 64;

/**
 * Parses JSON, with or without a byte order mark. `fileName` is used in messages only.
 *
 * Throws {@link FileError} if the text is not JSON, names a key twice in one object, or is nested more than
 * {@link maxDepth} levels deep. No message quotes a value.
 */
export function parseJson(text: string, fileName: string): ParsedJson {
  // Some editors on Windows write a byte order mark.
  const json = text.replace(/^\uFEFF/, '');
  const placeAt = (offset: number) => `${fileName}:${toPosition(json, offset)}`;
  if (json.trim() === '') throw new FileError([`${fileName}: found an empty file; expected JSON`]);
  const tooDeep = findTooDeep(json);
  if (tooDeep !== null) {
    throw new FileError([`${placeAt(tooDeep)}: nested too deeply; expected at most ${maxDepth} levels`]);
  }

  const value = parseValue(json, placeAt);
  const root = parseTree(json);
  const duplicates = root === undefined ? [] : findDuplicates(root, []);
  if (duplicates.length > 0) {
    throw new FileError(
      duplicates.map(
        ({ path, offset, first }) =>
          `${placeAt(offset)}: ${formatPath(path)}: duplicate key, which is also at ${toPosition(json, first)}; remove one of the two`,
      ),
    );
  }
  return { value, placeOf: (path) => placeAt(root === undefined ? 0 : findOffset(root, path)) };
}

/** Sets a value in the text, which keeps its formatting, and adds it where it is missing. Throws a `FileError` if the text is not JSON. */
export function setInJson(file: string, text: string, path: JSONPath, value: unknown): string {
  parseJson(text, file);
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: text.includes('\r\n') ? '\r\n' : '\n' };
  return applyEdits(text, modify(text, path, value, { formattingOptions }));
}

function parseValue(json: string, placeAt: (offset: number) => string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // The message of JSON.parse differs between engines and may quote the text, so it is not shown.
    const errors: ParseError[] = [];
    parseTree(json, errors, { disallowComments: true, allowTrailingComma: false });
    const [{ error, offset } = { error: 0, offset: 0 }] = errors;
    const expected = expectations[printParseErrorCode(error)] ?? 'valid JSON';
    throw new FileError([`${placeAt(offset)}: not JSON: expected ${expected}`]);
  }
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

/** Returns the offset of the first bracket that is nested too deeply, or null. */
function findTooDeep(json: string): number | null {
  let depth = 0;
  for (const { 0: token, index } of json.matchAll(/"(?:[^"\\\n\r]|\\.)*"?|[[\]{}]/g)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    if (depth > maxDepth) return index;
  }
  return null;
}

interface Duplicate {
  readonly path: Path;
  readonly offset: number;
  readonly first: number;
}

/** Finds keys that an object has twice, also if one of them is written with escapes. */
function findDuplicates({ type, children = [] }: Node, path: Path): Duplicate[] {
  if (type === 'array') return children.flatMap((item, index) => findDuplicates(item, [...path, index]));
  const firsts = new Map<string, number>();
  return children.flatMap(({ offset, children: [key, value] = [] }) => {
    if (type !== 'object' || key === undefined || value === undefined) return [];
    const name = String(key.value);
    const first = firsts.get(name);
    if (first === undefined) firsts.set(name, offset);
    const own = first === undefined ? [] : [{ path: [...path, name], offset, first }];
    return [...own, ...findDuplicates(value, [...path, name])];
  });
}

/** Returns the offset of the member at `path`, or of the last object or list on the way to it. */
function findOffset(root: Node, path: Path): number {
  const node = findNodeAtLocation(root, [...path]);
  if (node === undefined) return findOffset(root, path.slice(0, -1));
  return node.parent?.type === 'property' ? node.parent.offset : node.offset;
}

/** Line and column, both from 1. */
function toPosition(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n');
  return `${lines.length}:${(lines.at(-1) ?? '').length + 1}`;
}
