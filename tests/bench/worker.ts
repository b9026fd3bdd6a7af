// How soon a worker that was stopped answers its first message, beside a worker with nothing in it.

import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import type { OnStop } from '../../tools/command.ts';
import { buildCompanion, installCompanion, limits } from './companions.ts';
import { greet, Pages, type Subject } from './pages.ts';
import { preparePeers } from './peers.ts';
import type { Measured } from './results.ts';
import { withScene } from './scene.ts';
import { measureInTurns } from './turns.ts';

/** The peers whose library runs in the worker. */
const peersWithWorker: readonly string[] = ['openid-client', '@logto/chrome-extension'];

export async function measureWorker(onStop: OnStop): Promise<Measured> {
  const peers = (await preparePeers()).filter(({ name }) => peersWithWorker.includes(name));
  const options = { browser: 'chrome', provider: { accessTokenSeconds: 3_600 } } as const;
  return withScene(onStop, options, async ({ browser, folder, signIn }) => {
    await signIn();
    await browser.closePopup();
    const pages = await Pages.attach(browser.browser);
    const measures: Record<string, () => Promise<number>> = {};
    const add = async (name: string, id: string, greeting: Subject['greeting']) => {
      const page = await browser.browser.newPage({ background: true });
      await page.goto(`chrome-extension://${id}/manifest.json`);
      measures[name] = async () => {
        await pages.stopWorker({ id });
        await pass(200);
        return greet(page, greeting);
      };
    };
    await add('latchkey', browser.extensionId, 'command');
    for (const companion of [...limits.slice(0, 1), ...peers]) {
      const dir = join(folder, companion.name.replaceAll('/', '-'));
      await buildCompanion(companion, dir);
      const { id } = await installCompanion(browser.browser, companion, dir);
      await add(companion.name, id, 'message');
    }
    const times: Readonly<Record<string, number>> = await measureInTurns(measures, { turns: 25, warmUp: 2 });
    return {
      rows: [
        {
          id: 'worker-woken',
          what: 'worker woken → first message answered',
          place: 'chrome',
          unit: 'ms',
          value: times['latchkey'] ?? NaN,
          limits: [{ name: 'an empty worker', value: times['static'] ?? NaN }],
          peers: peers.map(({ name }) => ({ name, value: times[name] ?? NaN })),
        },
      ],
      plots: [],
    };
  });
}
