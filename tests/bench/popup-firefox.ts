// How early the popup of a signed-in person is painted in Firefox: ours, a static page, and one line in React, each behind
// the toolbar button of the same extension.

import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import type { OnStop } from '../../tools/command.ts';
import { buildPages, limits } from './companions.ts';
import { workerStates, type WorkerState } from './pages.ts';
import type { Measured, Row } from './results.ts';
import { withScene, type Scene } from './scene.ts';
import { sendOpen } from '../support/browser/send-open.ts';
import { measureInTurns } from './turns.ts';

const own = 'src/popup/index.html';

export function measurePopupInFirefox(onStop: OnStop): Promise<Measured> {
  const options = { browser: 'firefox', provider: { accessTokenSeconds: 3_600 } } as const;
  return withScene(onStop, options, async (scene) => {
    await scene.signIn();
    const paths: [string, string][] = [['latchkey', own]];
    for (const limit of limits) {
      const base = `bench-${limit.name}`;
      await buildPages(limit, join(scene.extensionDir, base), `/${base}/`);
      // The driver knows the popup by the beginning of its path.
      const path = `${own}.${limit.name}.html`;
      await copyFile(join(scene.extensionDir, base, 'popup.html'), join(scene.extensionDir, path));
      paths.push([limit.name, path]);
    }
    const rows: Row[] = [];
    for (const state of workerStates) {
      const measures = paths.map(([name, path]) => [name, () => timePaint(scene, path, state)]);
      const times: Readonly<Record<string, number>> = await measureInTurns(Object.fromEntries(measures), {
        turns: 15,
      });
      rows.push({
        id: `popup-${state}`,
        what: `popup opened → signed-in state painted, worker ${state}`,
        place: 'firefox',
        unit: 'ms',
        value: times['latchkey'] ?? NaN,
        limits: [
          { name: 'static HTML', value: times['static'] ?? NaN },
          { name: 'one line in React', value: times['react'] ?? NaN },
        ],
        peers: [],
      });
    }
    return { rows, plots: [] };
  });
}

/** Opens a page by the toolbar button, and returns the time from the start of its navigation to the mark of its paint. */
export async function timePaint({ browser }: Scene, path: string, state: WorkerState): Promise<number> {
  await browser.closePopup();
  await browser.evaluateInExtension(async (popup) => {
    const { browser: api } = globalThis as unknown as {
      readonly browser: {
        readonly action: { setPopup(details: object): Promise<void> };
      };
    };
    await api.action.setPopup({ popup });
  }, `/${path}`);
  await browser.evaluateInExtension(sendOpen, 1);
  if (state === 'asleep') await browser.stopWorker();
  // The browser comes to rest.
  await pass(200);
  await browser.pressToolbarButton();
  // Nothing talks to the page while it loads, because that would slow it down.
  await pass(400);
  const popup = await browser.openPopup();
  const opened = await popup.evaluate(() => location.pathname);
  if (opened !== `/${path}`) throw new Error(`The button opened ${opened} instead of /${path}.`);
  const mark = await popup.waitForFunction(
    () => performance.getEntriesByName('latchkey:ready')[0]?.startTime,
    { timeout: 10_000 },
  );
  return (await mark.jsonValue()) ?? NaN;
}
