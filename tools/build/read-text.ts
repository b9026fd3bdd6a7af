// Reads text files, and says why one cannot be read.

import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { FileError, parseJson } from './parse-json.ts';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'found a folder; expected a file',
  EACCES: 'permission denied; change its permissions',
};

/**
 * Reads a file in UTF-8. `fileName` is used in messages only. Throws {@link FileError} if it is missing, not readable, or in
 * another encoding.
 */
export function readText(path: string, fileName: string): string {
  const bytes = readBytes(path, fileName);
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw new FileError([`${fileName}: found bytes that are not UTF-8; save the file as UTF-8`]);
}

/** Reads and parses a JSON file. Throws {@link FileError}, as `readText` and `parseJson` do. */
export function readJson(path: string, fileName: string): unknown {
  return parseJson(readText(path, fileName), fileName).value;
}

function readBytes(path: string, fileName: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new FileError([`${fileName}: ${reasons[code] ?? `cannot be read (${code})`}`]);
  }
}
