// Reads text files, and says why one cannot be read.

import { isUtf8 } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';
import { FileError, parseJson } from './parse-json.ts';

const maxMegabytes = 4;

/**
 * Reads a file in UTF-8. `fileName` is used in messages only. Throws {@link FileError} if it is missing, no ordinary
 * file, not readable, larger than {@link maxMegabytes}, or in another encoding.
 */
export function readText(path: string, fileName: string): string {
  const bytes = readBytes(path, fileName);
  const isUtf16 = /^(?:\xff\xfe|\xfe\xff)/.test(bytes.toString('latin1', 0, 2));
  if (isUtf16) throw new FileError([`${fileName}: found UTF-16; save the file as UTF-8`]);
  if (!isUtf8(bytes)) {
    const lines = bytes.toString('latin1').split('\n');
    const line = lines.findIndex((text) => !isUtf8(Buffer.from(text, 'latin1'))) + 1;
    throw new FileError([`${fileName}:${line}: found bytes that are not UTF-8; save the file as UTF-8`]);
  }
  return bytes.toString('utf8');
}

/** Reads and parses a JSON file. Throws {@link FileError}, as `readText` and `parseJson` do. */
export function readJson(path: string, fileName: string): unknown {
  return parseJson(readText(path, fileName), fileName).value;
}

function readBytes(path: string, fileName: string): Buffer {
  try {
    const file = statSync(path);
    if (!file.isFile()) {
      throw new FileError([
        `${fileName}: found ${file.isDirectory() ? 'a folder' : 'a device or pipe'}; expected a file`,
      ]);
    }
    if (file.size > maxMegabytes * 1024 * 1024) {
      throw new FileError([`${fileName}: found ${file.size} bytes; expected at most ${maxMegabytes} MB`]);
    }
    return readFileSync(path);
  } catch (error) {
    if (error instanceof FileError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const reasons: Readonly<Record<string, string>> = {
      ENOENT: 'there is no such file',
      ENOTDIR: 'there is no such file',
      EACCES: 'permission denied; change its permissions',
    };
    throw new FileError([`${fileName}: ${reasons[code ?? ''] ?? `cannot be read (${code})`}`]);
  }
}
