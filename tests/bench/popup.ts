// How early the popup of a signed-in person is painted in Chromium: ours, a static page, one line in React, and the popups
// of the peers.

import { join } from 'node:path';
import type { OnStop } from '../../tools/command.ts';
import { buildCompanion, installCompanion, limits, type Companion } from './companions.ts';
import { Pages, workerStates, type Subject, type WorkerState } from './pages.ts';
import { preparePeers } from './peers.ts';
import type { Measured, Peer, Row } from './results.ts';
import { withScene, type Scene } from './scene.ts';
import { measureInTurns } from './turns.ts';

interface Popup extends Subject {
  readonly name: string;
  /** A peer whose popup does not find the session that it has stored shows less. */
  readonly session: 'found' | 'lost';
}

export async function measurePopup(onStop: OnStop): Promise<Measured> {
  const peers = await preparePeers();
  const options = { browser: 'chrome', provider: { accessTokenSeconds: 3_600 } } as const;
  return withScene(onStop, options, async (scene) => {
    await scene.signIn();
    await scene.browser.closePopup();
    const own: Popup = {
      name: 'latchkey',
      id: scene.browser.extensionId,
      path: 'src/popup/index.html',
      greeting: 'command',
      session: 'found',
    };
    const others: Popup[] = [];
    for (const companion of [...limits, ...peers]) others.push(await install(scene, companion));
    const pages = await Pages.attach(scene.browser.browser);
    const rows: Row[] = [];
    for (const state of workerStates) rows.push(await measureState(pages, [own, ...others], state));
    return { rows, plots: [] };
  });
}

async function install({ browser, folder }: Scene, companion: Companion): Promise<Popup> {
  const dir = join(folder, companion.name.replaceAll('/', '-'));
  await buildCompanion(companion, dir);
  const installed = await installCompanion(browser.browser, companion, dir);
  return { ...installed, name: companion.name, path: 'popup.html', greeting: 'message' };
}

async function measureState(pages: Pages, popups: readonly Popup[], state: WorkerState): Promise<Row> {
  const measures = popups.map((popup) => [
    popup.name,
    async () => {
      await pages.bring(popup, state);
      return pages.timePaint(popup);
    },
  ]);
  const times: Readonly<Record<string, number>> = await measureInTurns(Object.fromEntries(measures), {
    turns: 15,
  });
  const timeOf = (name: string) => times[name] ?? NaN;
  return {
    id: `popup-${state}`,
    what: `popup opened → signed-in state painted, worker ${state}`,
    place: 'chrome',
    unit: 'ms',
    value: timeOf('latchkey'),
    limits: [
      { name: 'static HTML', value: timeOf('static') },
      { name: 'one line in React', value: timeOf('react') },
    ],
    peers: popups
      .slice(1 + limits.length)
      .map(({ name, session }): Peer =>
        session === 'found'
          ? { name, value: timeOf(name) }
          : { name, reason: `shows that nobody is signed in, after ${timeOf(name).toFixed(0)} ms` },
      ),
  };
}
