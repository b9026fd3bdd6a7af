// Reads text and JSON files of the project, and changes JSON. Says why a file can't be read, and unlike JSON.parse where a mistake
// is. Refuses duplicate keys.

import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import {
  applyEdits,
  findNodeAtLocation,
  modify,
  parseTree,
  printParseErrorCode,
  visit,
  type JSONPath,
  type JSONVisitor,
  type Node,
} from 'jsonc-parser';
import { formatPath, type Mistake, type Path } from '../../src/config/config-error.ts';

/** A file can't be used: one line for each problem, beginning with the file's name and, where known, line and column. */
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
  /** Where a member begins in the text, or the object in which it is missing. */
  readonly offsetOf: (path: Path) => number;
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
 * Throws {@link FileError} if the text isn't JSON, names a key twice in one object, or is nested more than
 * {@link maxDepth} levels deep. No message quotes a value.
 */
export function parseJson(text: string, fileName: string): ParsedJson {
  // Some editors on Windows write a byte order mark.
  const json = text.replace(/^\uFEFF/, '');
  const placeAt = (offset: number) => `${fileName}:${toPosition(json, offset)}`;
  if (json.trim() === '') throw new FileError([`${fileName}: found an empty file; expected JSON`]);
  const { slips, duplicates } = findMistakes(json, placeAt);
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    // The message of JSON.parse differs between engines and may quote the text, so it isn't shown.
    throw new FileError([slips[0] ?? `${placeAt(0)}: not JSON: expected valid JSON`]);
  }
  if (duplicates.length > 0) throw new FileError(duplicates);
  const tree = parseTree(json);
  const offsetOf = (path: Path) => (tree === undefined ? 0 : findOffset(tree, path));
  return { value, offsetOf, placeOf: (path) => placeAt(offsetOf(path)) };
}

/**
 * Sets a value in the text, or adds it if it's missing. The text keeps its formatting. Throws a `FileError` if the text isn't
 * JSON.
 */
export function setInJson(file: string, text: string, path: JSONPath, value: unknown): string {
  parseJson(text, file);
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: text.includes('\r\n') ? '\r\n' : '\n' };
  return applyEdits(text, modify(text, path, value, { formattingOptions }));
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

/**
 * Finds what isn't JSON, and each key that an object has twice, also if one of them is written with escapes. Throws a
 * {@link FileError} where the text is nested too deeply.
 */
function findMistakes(json: string, placeAt: (offset: number) => string) {
  const slips: string[] = [];
  const duplicates: string[] = [];
  /** The places of the keys in each object or list around. */
  const around: Map<string, number>[] = [];
  const begin = (offset: number) => {
    if (around.push(new Map()) <= maxDepth) return;
    throw new FileError([`${placeAt(offset)}: nested too deeply; expected at most ${maxDepth} levels`]);
  };
  const end = () => void around.pop();
  const visitor: JSONVisitor = {
    onObjectBegin: begin,
    onArrayBegin: begin,
    onObjectEnd: end,
    onArrayEnd: end,
    onObjectProperty(name, offset, _length, _line, _character, toParent) {
      const first = around.at(-1)?.get(name);
      if (first === undefined) return void around.at(-1)?.set(name, offset);
      const path = formatPath([...toParent(), name]);
      const place = toPosition(json, first);
      duplicates.push(
        `${placeAt(offset)}: ${path}: duplicate key, which is also at ${place}; remove one of the two`,
      );
    },
    onError(error, offset) {
      const expected = expectations[printParseErrorCode(error)] ?? 'valid JSON';
      slips.push(`${placeAt(offset)}: not JSON: expected ${expected}`);
    },
  };
  visit(json, visitor, { disallowComments: true });
  return { slips, duplicates };
}

function findOffset(tree: Node, path: Path): number {
  const node = findNodeAtLocation(tree, [...path]);
  if (node === undefined) return findOffset(tree, path.slice(0, -1));
  return node.parent?.type === 'property' ? node.parent.offset : node.offset;
}

function toPosition(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n');
  return `${lines.length}:${(lines.at(-1) ?? '').length + 1}`;
}

/** Latchkey's own folder: this checkout, or the package of `npm run library` that this file is in. */
export const latchkey = resolve(import.meta.dirname, '../..');

/** How the names of Latchkey's own scripts end: TypeScript in a checkout, JavaScript in the package. */
export const ending = extname(import.meta.filename);

/** The path of one of Latchkey's scripts, by its name in a checkout. Vite writes all paths with slashes. */
export function toOwnScript(name: string): string {
  const file = resolve(latchkey, name);
  return (ending === '.js' ? file.replace(/\.tsx?$/, ending) : file).replaceAll('\\', '/');
}

/**
 * The folder of the extension that a command builds, starts or examines: the one in which npm runs it. In a checkout it's Latchkey's
 * own.
 */
export const root = process.cwd();

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'found a folder; expected a file',
  EACCES: 'permission denied; change its permissions',
};

/**
 * Reads a file in UTF-8, whose path may begin at `folder`. Throws {@link FileError} if it is missing, not readable, or in another
 * encoding.
 */
export function readText(file: string, folder = root): string {
  const bytes = readBytes(file, folder);
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw new FileError([`${file}: found bytes that aren't UTF-8; save the file as UTF-8`]);
}

/** The same, and also UTF-16, with a byte order mark as Regedit writes it, or without. */
export function readWindowsText(file: string, folder = root): string {
  const bytes = readBytes(file, folder);
  const mark = bytes.subarray(0, 2).toString('hex');
  // No text begins with a zero. Where every second byte is one, the first tells the order.
  const [isLittle, isBig] = [/^(?:fffe|(?!00)..00)$/, /^(?:feff|00(?!00)..)$/].map((form) => form.test(mark));
  const encoding = isLittle ? 'utf-16le' : isBig ? 'utf-16be' : null;
  return encoding === null ? readText(file, folder) : new TextDecoder(encoding).decode(bytes);
}

/** Reads and parses a JSON file. Throws {@link FileError}, as `readText` and `parseJson` do. */
export function readJson(file: string, folder = root): unknown {
  return parseJson(readText(file, folder), file).value;
}

function readBytes(file: string, folder: string): Buffer {
  try {
    return readFileSync(resolve(folder, file));
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new FileError([`${file}: ${reasons[code] ?? `can't be read (${code})`}`]);
  }
}
