// Packs files into a zip whose bytes depend on nothing but the files' names and contents.

import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { zipSync } from 'fflate';

/** Files by their paths, which are relative and written with `/`. */
export type Files = ReadonlyMap<string, Uint8Array>;

/** Reads all files below `folder`. */
export function readFolder(folder: string): Files {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return new Map(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const path = join(entry.parentPath, entry.name);
        return [path.slice(folder.length + 1).replaceAll(sep, '/'), readFileSync(path)];
      }),
  );
}

/** The earliest time that a zip can hold. Zips hold local times, so it is made of local parts. */
const everyTime = new Date(1980, 0, 1);

/** An ordinary file, which its owner may write and everyone may read, as Unix marks it in the upper 16 bits. */
const ordinaryFile = 0o100_644 << 16;

/** Returns a zip of the files: sorted by path, all with one time and the same permissions. */
export function toZip(files: Files): Uint8Array {
  const entries = Object.fromEntries([...files].toSorted(([one], [other]) => (one < other ? -1 : 1)));
  return zipSync(entries, { level: 9, mtime: everyTime, os: 3, attrs: ordinaryFile });
}
