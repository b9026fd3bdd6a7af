// The bytes of JavaScript, gzipped, that the worker and the popup load before they run: ours, the libraries' calls
// alone, and the peers.

import { readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildExtension } from '../../tools/build.ts';
import { demoConfigPath, readConfigFile } from '../../tools/build/read-config.ts';
import { emptyFeature } from '../../tools/build/settings.ts';
import { runBuild } from '../../tools/build/run-build.ts';
import type { OnStop } from '../../tools/command.ts';
import {
  findPageEntries,
  findPopupEntries,
  findWorkerEntries,
  readLoadedScripts,
  toGzippedBytes,
} from '../support/loaded-scripts.ts';
import { buildCompanion, preparePeers, reactPage } from './companions.ts';
import type { Row } from './rows.ts';

export async function measureSizes(onStop: OnStop): Promise<readonly Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-bench-'));
  onStop(() => rm(folder, { recursive: true, force: true }));
  const own = join(folder, 'own');
  await buildExtension({
    browser: 'chrome',
    outDir: own,
    config: readConfigFile(resolve(import.meta.dirname, '../..', demoConfigPath)),
    featureDir: emptyFeature,
  });
  const libraries = join(folder, 'libraries');
  await buildWorker(await writeLibraryCalls(), libraries);

  const weighPopup = async (dir: string) => weigh(dir, await findPageEntries(dir, 'popup.html'));
  const reactDir = await buildCompanion(reactPage, folder);
  const workers: Record<string, number> = {};
  const popups: Record<string, number> = {};
  for (const peer of await preparePeers()) {
    const dir = await buildCompanion(peer, folder);
    if (peer.runsIn === 'worker') workers[peer.name] = await weigh(dir, ['background.js']);
    popups[peer.name] = await weighPopup(dir);
  }
  const rest = { browser: 'chrome', unit: 'kB' } as const;
  return [
    {
      ...rest,
      id: 'size-worker',
      what: "the worker's JavaScript, gzipped",
      value: await weigh(own, await findWorkerEntries(own)),
      limits: { "the libraries' calls alone": await weigh(libraries, ['background.js']) },
      peers: workers,
    },
    {
      ...rest,
      id: 'size-popup',
      what: "the popup's JavaScript, gzipped",
      value: await weigh(own, await findPopupEntries(own)),
      limits: { "react-dom's hello": await weighPopup(reactDir) },
      peers: popups,
    },
  ];
}

/** Writes a worker with the calls of its libraries and nothing else: what ours would weigh without code of its own. */
async function writeLibraryCalls(): Promise<string> {
  const parts = ['background', 'bridge', 'concurrency', 'config', 'oidc', 'session'];
  const sources = parts.flatMap((part) => {
    const folder = resolve(import.meta.dirname, '../../src', part);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return files.filter((file) => file.endsWith('.ts')).map((file) => readFile(join(folder, file), 'utf8'));
  });
  const calls = (await Promise.all(sources)).join('\n').match(/\b(?:oauth|v)\.\w+(?=\()/g);
  // Where the libraries are found.
  const folder = resolve(import.meta.dirname, '../../node_modules/.cache/bench-libraries');
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, 'background.js'),
    `import { deleteDB, openDB } from 'idb';
import * as oauth from 'oauth4webapi';
import * as v from 'valibot';
globalThis.calls = [deleteDB, openDB, ${[...new Set(calls)].join(', ')}];`,
  );
  return join(folder, 'background.js');
}

async function buildWorker(entry: string, outDir: string): Promise<void> {
  await runBuild(
    {
      root: resolve(entry, '..'),
      build: {
        outDir,
        emptyOutDir: true,
        target: 'chrome148',
        rolldownOptions: { input: entry, output: { entryFileNames: '[name].js' } },
      },
    },
    'production',
  );
}

/** The gzipped size in kB of the scripts that run at once: the entries, and what they import. */
async function weigh(folder: string, entries: readonly string[]): Promise<number> {
  return toGzippedBytes(await readLoadedScripts(folder, entries)) / 1_000;
}
