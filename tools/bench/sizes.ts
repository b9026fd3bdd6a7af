// The bytes of JavaScript, gzipped, that the worker and the popup load before they run: ours, the libraries' calls
// alone, and the peers. Ours is weighed by module, for which the build has the module that each character comes from.

import { basename, dirname, join, relative, resolve } from 'node:path';
import { readFile } from 'node:fs/promises';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { gzipSync } from 'node:zlib';
import type { OnStop } from '../command.ts';
import {
  findPageEntries,
  findPopupEntries,
  findWorkerEntries,
  readLoadedScripts,
  toGzippedBytes,
} from '../../tests/support/loaded-scripts.ts';
import { buildPage, floorsFolder, preparePeers } from './companions.ts';
import type { Row } from './rows.ts';
import { makeBenchFolder } from './scene.ts';
import { demoConfigPath, readConfigFile } from '../build/read-config.ts';
import { runBuild } from '../build.ts';
import { emptyFeature, extension } from '../build/settings.ts';

export async function measureSizes(onStop: OnStop): Promise<readonly Row[]> {
  const folder = await makeBenchFolder(onStop);
  const own = join(folder, 'own');
  await buildTraced(own);
  const weighOwn = async (entries: readonly string[], isMeant: (source: string) => boolean = () => true) => {
    const weights = (await readTraced(own, entries)).map((script) => weighTraced(script, isMeant));
    return weights.reduce((sum, weight) => sum + weight, 0) / 1_000;
  };
  const isOfLibrary = (source: string) => !/^(?:the build$|src\/|tools\/)/.test(source);

  const weighPopup = async (dir: string) => weigh(dir, await findPageEntries(dir, 'popup.html'));
  const reactDir = join(folder, 'react');
  await buildPage(join(floorsFolder, 'react'), reactDir, '/');
  const workers: Record<string, number> = {};
  const popups: Record<string, number> = {};
  for (const peer of await preparePeers()) {
    const dir = join(folder, basename(peer.folder));
    await buildPage(peer.folder, dir, '/', peer.hasWorker ? [join(peer.folder, 'background.ts')] : []);
    if (peer.hasWorker) workers[peer.name] = await weigh(dir, ['background.js']);
    popups[peer.name] = await weighPopup(dir);
  }
  const rest = { browser: 'chrome', unit: 'kB' } as const;
  return [
    {
      ...rest,
      id: 'size-worker',
      what: "the worker's JavaScript, gzipped",
      value: await weighOwn(await findWorkerEntries(own)),
      limits: { "the libraries' calls alone": await weighOwn(await findWorkerEntries(own), isOfLibrary) },
      peers: workers,
    },
    {
      ...rest,
      id: 'size-popup',
      what: "the popup's JavaScript, gzipped",
      value: await weighOwn(await findPopupEntries(own)),
      limits: { "react-dom's hello": await weighPopup(reactDir) },
      peers: popups,
    },
  ];
}

/** The gzipped size in kB of the scripts that run at once: the entries, and what they import. */
async function weigh(folder: string, entries: readonly string[]): Promise<number> {
  return toGzippedBytes(await readLoadedScripts(folder, entries)) / 1_000;
}

const root = resolve(import.meta.dirname, '../..');

/** Builds the extension without a feature into `folder`. */
export async function buildTraced(folder: string): Promise<void> {
  const settings = extension({
    browser: 'chrome',
    outDir: folder,
    config: readConfigFile(demoConfigPath),
    featureDir: emptyFeature,
  });
  await runBuild({ ...settings, build: { ...settings.build, sourcemap: true } }, 'production');
}

export interface TracedScript {
  readonly path: string;
  readonly code: string;
  /** The module that each character comes from: a path in this project, the name of a package and more, or `the build`. */
  readonly sources: readonly string[];
}

/** The scripts that load with these entries of a traced build. */
export async function readTraced(
  folder: string,
  entries: readonly string[],
): Promise<readonly TracedScript[]> {
  const scripts = [...(await readLoadedScripts(folder, entries))];
  return Promise.all(
    scripts.map(async ([path, withComment]) => {
      const code = withComment.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '');
      return { path, code, sources: await findSources(join(folder, path), code) };
    }),
  );
}

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

/** The size of what comes from the modules that `isMeant` chooses, in compressed bytes. */
export function weighTraced({ code, sources }: TracedScript, isMeant: (source: string) => boolean): number {
  const meant = [...code].filter((_, index) => isMeant(sources[index] ?? '')).join('');
  return gzipSync(meant, { level: 9 }).byteLength;
}
