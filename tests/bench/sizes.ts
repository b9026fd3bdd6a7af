// The bytes of JavaScript, gzipped, that the worker and the popup load before they run: ours, the libraries' calls
// alone, and the peers.

import { mkdtemp, rm } from 'node:fs/promises';
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
import { buildCompanion, limits } from './companions.ts';
import { preparePeers } from './peers.ts';
import type { Measured, Reference } from './results.ts';

export async function measureSizes(onStop: OnStop): Promise<Measured> {
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
  await buildWorker(resolve(import.meta.dirname, 'companions/libraries/background.ts'), libraries);

  const workers: Reference[] = [];
  const popups: Reference[] = [];
  for (const companion of [...limits, ...(await preparePeers())]) {
    const dir = join(folder, companion.name.replaceAll('/', '-'));
    await buildCompanion(companion, dir);
    workers.push({ name: companion.name, value: await weigh(dir, ['background.js']) });
    popups.push({ name: companion.name, value: await weigh(dir, await findPageEntries(dir, 'popup.html')) });
  }
  const isLimit = ({ name }: Reference) => limits.some((limit) => limit.name === name);
  const react = popups.find(({ name }) => name === 'react')?.value ?? NaN;
  /** A worker below this only answers messages: the peer's code is in its popup. */
  const emptyKb = 0.5;
  return {
    rows: [
      {
        id: 'size-worker',
        what: "the worker's JavaScript, gzipped",
        place: 'node',
        unit: 'kB',
        value: await weigh(own, await findWorkerEntries(own)),
        limits: [{ name: "the libraries' calls alone", value: await weigh(libraries, ['background.js']) }],
        peers: workers
          .filter((worker) => !isLimit(worker))
          .map(({ name, value }) =>
            value > emptyKb ? { name, value } : { name, reason: 'runs in the popup, not in a worker' },
          ),
      },
      {
        id: 'size-popup',
        what: "the popup's JavaScript, gzipped",
        place: 'node',
        unit: 'kB',
        value: await weigh(own, await findPopupEntries(own)),
        limits: [{ name: "react-dom's hello", value: react }],
        peers: popups.filter((popup) => !isLimit(popup)),
      },
    ],
    plots: [],
  };
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
