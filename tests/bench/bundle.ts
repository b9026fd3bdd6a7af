// Lists the bytes of the worker's and the popup's JavaScript by module: how many come from it, and how many fewer the
// compressed script would have without them.
// To run it: `node --import tsx tests/bench/bundle.ts`

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { demoConfigPath } from '../../tools/build/read-config.ts';
import { runBuild } from '../../tools/build/run-build.ts';
import { emptyFeature, extension } from '../../tools/build/settings.ts';
import { runCommand } from '../../tools/command.ts';
import { findPopupEntries, findWorkerEntries, readLoadedScripts } from '../support/loaded-scripts.ts';

const root = resolve(import.meta.dirname, '../..');

await runCommand(async (onStop) => {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-bundle-'));
  onStop(() => rm(folder, { recursive: true, force: true }));
  const settings = extension({
    browser: 'chrome',
    outDir: folder,
    configPath: resolve(root, demoConfigPath),
    featureDir: emptyFeature,
  });
  await runBuild({ ...settings, build: { ...settings.build, sourcemap: true } }, 'production');
  await list(folder, 'the worker', await findWorkerEntries(folder));
  await list(folder, 'the popup', await findPopupEntries(folder));
});

async function list(folder: string, name: string, entries: readonly string[]): Promise<void> {
  const rows: (readonly [source: string, bytes: number, gzipped: number])[] = [];
  for (const [path, withComment] of await readLoadedScripts(folder, entries)) {
    const code = withComment.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '');
    const sources = await findSources(join(folder, path), code);
    rows.push([`= ${path}`, code.length, zip(code)]);
    for (const source of new Set(sources)) {
      const others = [...code].filter((_, index) => sources[index] !== source).join('');
      rows.push([source, code.length - others.length, zip(code) - zip(others)]);
    }
  }
  write([name, 'bytes', 'gzipped']);
  for (const row of rows.toSorted(([, , one], [, , other]) => other - one)) write(row);
}

/** Returns the module that each character of a script comes from. */
async function findSources(file: string, code: string): Promise<readonly string[]> {
  const json = await readFile(`${file}.map`, 'utf8').catch(() => null);
  if (json === null) return Array.from(code, () => 'the build');
  const map = new SourceMap(JSON.parse(json) as SourceMapPayload);
  return code.split('\n').flatMap((line, lineNumber) =>
    Array.from(`${line}\n`, (_, column) => {
      const entry = map.findEntry(lineNumber, column);
      if (!('originalSource' in entry) || !entry.originalSource) return 'the build';
      const [path = ''] = entry.originalSource.split('?', 1);
      return relative(root, resolve(dirname(file), path)).replace(/^.*node_modules\//, '');
    }),
  );
}

function zip(code: string): number {
  return gzipSync(code, { level: 9 }).byteLength;
}

function write([name, bytes, gzipped]: readonly [string, number | string, number | string]): void {
  process.stdout.write(`${name.padEnd(52)}${String(bytes).padStart(8)}${String(gzipped).padStart(9)}\n`);
}
