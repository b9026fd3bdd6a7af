// How early the popup of a signed-in user is painted: ours, a static page, and one line in React.

import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import type { Page } from 'puppeteer-core';
import type { BrowserName } from '../browser/browsers.ts';
import type { OnStop } from '../command.ts';
import { buildPage, floorsFolder } from './companions.ts';
import type { Row } from './rows.ts';
import { withScene, type Scene } from './scene.ts';
import { measureInTurns } from './turns.ts';
import type { ExtensionGlobal } from '../../tests/support/browser/extension-global.ts';

const ownPath = 'src/popup/index.html';
/** The folders of the other pages, which become pages of our extension. */
const floors = ['static', 'react'];

export function measurePopup(onStop: OnStop, browser: BrowserName): Promise<readonly Row[]> {
  return withScene(onStop, { browser }, async (scene) => {
    for (const floor of floors) {
      await buildPage(join(floorsFolder, floor), join(scene.extensionDir, floor), `/${floor}/`);
    }
    await scene.signIn();
    await scene.browser.closePopup();
    const paths = { latchkey: ownPath, static: 'static/popup.html', react: 'react/popup.html' };
    const rows: Row[] = [];
    for (const state of ['awake', 'asleep'] as const) {
      const measures = Object.entries(paths).map(([name, path]) => [
        name,
        () => timePaint(scene, path, state),
      ]);
      const timeOf = await measureInTurns(Object.fromEntries(measures), 15);
      rows.push({
        id: `popup-${state}`,
        what: `popup opened → signed-in state painted, worker ${state}`,
        browser,
        unit: 'ms',
        value: timeOf('latchkey'),
        limits: { 'static HTML': timeOf('static'), 'one line in React': timeOf('react') },
      });
    }
    return rows;
  });
}

/** Opens a page in a tab, which loads it as a popup does. Returns the time from its navigation to the mark of its paint, in ms. */
async function timePaint({ browser }: Scene, path: string, state: 'awake' | 'asleep'): Promise<number> {
  // The popup wakes the worker.
  if (state === 'awake') await (await openTab(browser, ownPath)).close();
  else await browser.stopWorker();
  // Let the browser become idle.
  await pass(200);
  const page = await openTab(browser, path);
  const time = await readPaint(page);
  await page.close();
  return time;
}

/** Opens a page of the extension. Nothing talks to it while it loads, because that would slow it down. */
async function openTab(browser: Scene['browser'], path: string): Promise<Page> {
  if (browser.name === 'chrome') {
    const session = await browser.browser.target().createCDPSession();
    await session.send('Target.createTarget', { url: `chrome-extension://${browser.extensionId}/${path}` });
    await session.detach();
    await pass(400);
  } else {
    await browser.withExtensionPage(async (opener) => {
      await opener.evaluate(async (url) => {
        await (globalThis as unknown as ExtensionGlobal).chrome.tabs.create({ url });
      }, `/${path}`);
      await pass(400);
    });
  }
  return browser.waitForOwnPage(path);
}

async function readPaint(page: Page): Promise<number> {
  const mark = await page.waitForFunction(
    () => performance.getEntriesByName('latchkey:ready')[0]?.startTime,
    { timeout: 10_000 },
  );
  return (await mark.jsonValue()) ?? NaN;
}
