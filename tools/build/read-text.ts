// Reads text files of the project, and says why one cannot be read.

import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { FileError, parseJson } from './parse-json.ts';

/** The project's folder. */
export const root = resolve(import.meta.dirname, '../..');

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
  throw new FileError([`${file}: found bytes that are not UTF-8; save the file as UTF-8`]);
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
    throw new FileError([`${file}: ${reasons[code] ?? `cannot be read (${code})`}`]);
  }
}
