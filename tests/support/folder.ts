// A temporary folder of one test.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Makes a folder with these files, by their paths in it. It is removed when the test ends. Objects are written as JSON. */
export function makeFolder(files: Readonly<Record<string, string | object>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey test ä-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}
