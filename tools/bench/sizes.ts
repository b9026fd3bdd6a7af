// The bytes of JavaScript, gzipped, that the worker and the popup load before they run: ours, the libraries' calls
// alone, and the peers.

import { join } from 'node:path';
import type { OnStop } from '../command.ts';
import {
  findPageEntries,
  findPopupEntries,
  findWorkerEntries,
  readLoadedScripts,
  toGzippedBytes,
} from '../../tests/support/loaded-scripts.ts';
import { buildCompanion, preparePeers, reactPage } from './companions.ts';
import type { Row } from './rows.ts';
import { makeBenchFolder } from './scene.ts';
import { buildTraced, readTraced, weighTraced } from './traced-build.ts';

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
