// How early the popup of a signed-in person is painted: ours, a static page, one line in React, and the popups of the peers.

import { join } from 'node:path';
import type { OnStop } from '../../tools/command.ts';
import { buildCompanion, installCompanion, limits, type Companion } from './companions.ts';
import { Pages, workerStates, type Subject } from './pages.ts';
import { preparePeers } from './peers.ts';
import type { Measured, Row } from './results.ts';
import { withScene } from './scene.ts';
import { measureInTurns } from './turns.ts';

export async function measurePopup(onStop: OnStop): Promise<Measured> {
  const peers = await preparePeers();
  return withScene(
    onStop,
    { browser: 'chrome', provider: { accessTokenSeconds: 3_600 } },
    async ({ browser, folder, signIn }) => {
      await signIn();
      await browser.closePopup();
      const install = async (companion: Companion): Promise<readonly [string, Subject]> => {
        const dir = join(folder, companion.name.replaceAll('/', '-'));
        await buildCompanion(companion, dir);
        const { id, name } = await installCompanion(browser.browser, companion, dir);
        return [name, { id, path: 'popup.html', greeting: {} }];
      };
      const subjects: (readonly [string, Subject])[] = [
        [
          'latchkey',
          {
            id: browser.extensionId,
            path: 'src/popup/index.html',
            greeting: { latchkey: { type: 'open' } },
          },
        ],
      ];
      for (const companion of [...limits, ...peers]) subjects.push(await install(companion));

      const pages = await Pages.attach(browser.browser);
      const rows: Row[] = [];
      for (const state of workerStates) {
        const measures = subjects.map(([name, subject]) => [
          name,
          async () => {
            await pages.bring(subject, state);
            return pages.timePaint(subject);
          },
        ]);
        const times: Readonly<Record<string, number>> = await measureInTurns(Object.fromEntries(measures), {
          turns: 6,
        });
        rows.push({
          id: `popup-${state}`,
          what: `popup opened → signed-in state painted, worker ${state}`,
          place: 'chrome',
          unit: 'ms',
          value: times['latchkey'] ?? NaN,
          limits: [
            { name: 'static HTML', value: times['static'] ?? NaN },
            { name: 'one line in React', value: times['react'] ?? NaN },
          ],
          peers: subjects.slice(1 + limits.length).map(([name]) => ({ name, value: times[name] ?? NaN })),
        });
      }
      return { rows, plots: [] };
    },
  );
}
