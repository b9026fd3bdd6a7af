// Temporary folders of tests.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const folders: string[] = [];

/** Makes a folder with these files, by their paths in it. It is removed after the tests of the file. Objects are written as JSON. */
export function makeFolder(files: Readonly<Record<string, string | object>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey test ä-'));
  folders.push(folder);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

/** Removes the folders that have been made. */
export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}
