// The scripts of a build that its worker or a page loads before it runs: the entries, and what those import.

import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { gzipSync } from 'node:zlib';

/** Returns the scripts by their paths in `folder`. Those that are imported on demand are not among them. */
export async function readLoadedScripts(
  folder: string,
  entries: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const scripts = new Map<string, string>();
  const waiting = [...entries];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (scripts.has(path)) continue;
    const code = await readFile(join(folder, path), 'utf8');
    scripts.set(path, code);
    for (const [, imported = ''] of code.matchAll(/\bimport\s*(?:[\w$*{][^'"();]*)?["'](\.[^"']+)["']/g)) {
      waiting.push(posix.join(posix.dirname(path), imported));
    }
  }
  return scripts;
}

/** The entries of a page: the scripts in its HTML. */
export async function findPageEntries(folder: string, page: string): Promise<readonly string[]> {
  const html = await readFile(join(folder, page), 'utf8');
  return [...html.matchAll(/<script[^>]* src="\/([^"]+)"/g)].map(([, path = '']) => path);
}

/** The entries of the popup: its first script, and React, which the first script loads after the first paint. */
export async function findPopupEntries(folder: string): Promise<readonly string[]> {
  const [first = ''] = await findPageEntries(folder, 'src/popup/index.html');
  const code = await readFile(join(folder, first), 'utf8');
  const [, later = ''] = /\bimport\([`'"]\.\/([^`'"]+)/.exec(code) ?? [];
  return [first, posix.join(posix.dirname(first), later)];
}

/** The entries of the worker: the scripts in the manifest, for either browser. */
export async function findWorkerEntries(folder: string): Promise<readonly string[]> {
  const { background } = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as {
    readonly background: { readonly service_worker?: string; readonly scripts?: readonly string[] };
  };
  return background.scripts ?? [background.service_worker].filter((path) => path !== undefined);
}

/** How many bytes the scripts take in a package, in which each file is compressed. */
export function toGzippedBytes(scripts: ReadonlyMap<string, string>): number {
  return [...scripts.values()].reduce((sum, code) => sum + gzipSync(code, { level: 9 }).byteLength, 0);
}
