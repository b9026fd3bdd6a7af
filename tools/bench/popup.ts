// How early the popup of a signed-in user is painted: ours, a static page, one line in React, and in Chromium the popups of
// the peers.

import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import type { Browser, Page } from 'puppeteer-core';
import type { BrowserName } from '../browser/browsers.ts';
import { stopWorker } from '../browser/chromium.ts';
import type { OnStop } from '../command.ts';
import { buildPages, installCompanion, limits, preparePeers, reactPage, staticPage } from './companions.ts';
import type { Row } from './rows.ts';
import { withScene, type Scene } from './scene.ts';
import { measureInTurns } from './turns.ts';
import type { ExtensionGlobal } from '../../tests/support/browser/extension-global.ts';
import { greet, openQuietPage, timeOpen, type Greeting } from './worker.ts';

const workerStates = ['awake', 'asleep'] as const;
type WorkerState = (typeof workerStates)[number];

interface Popup {
  readonly name: string;
  /** Opens the popup, and returns the time from the start of its navigation to the mark of its paint, in ms. */
  timePaint(state: WorkerState): Promise<number>;
}

const ownPath = 'src/popup/index.html';

export function measurePopup(onStop: OnStop, browser: BrowserName): Promise<readonly Row[]> {
  return withScene(onStop, { browser }, async (scene) => {
    await scene.signIn();
    await scene.browser.closePopup();
    const popups = browser === 'chrome' ? await installPopups(scene) : await addPopups(scene);
    const rows: Row[] = [];
    for (const state of workerStates) {
      const measures = popups.map(({ name, timePaint }) => [name, () => timePaint(state)]);
      const timeOf = await measureInTurns(Object.fromEntries(measures), { turns: 15 });
      rows.push({
        id: `popup-${state}`,
        what: `popup opened → signed-in state painted, worker ${state}`,
        browser,
        unit: 'ms',
        value: timeOf('latchkey'),
        limits: { 'static HTML': timeOf(staticPage.name), 'one line in React': timeOf(reactPage.name) },
        peers: Object.fromEntries(popups.slice(1 + limits.length).map(({ name }) => [name, timeOf(name)])),
      });
    }
    return rows;
  });
}

/** In Chromium each popup is that of an extension of its own. */
async function installPopups(scene: Scene): Promise<readonly Popup[]> {
  const { browser, extensionId: id } = scene.browser;
  const own: Tab = { id, path: ownPath, greeting: 'command' };
  const popups: Popup[] = [{ name: 'latchkey', timePaint: (state) => timeTab(browser, own, state) }];
  // The popup of a peer without a session shows less, so its time says nothing.
  const peers = (await preparePeers()).filter(({ seedPage }) => seedPage !== null);
  for (const companion of [...limits, ...peers]) {
    const tab: Tab = {
      id: await installCompanion(scene, companion),
      path: 'popup.html',
      greeting: 'message',
    };
    popups.push({
      name: companion.name,
      timePaint: (state) => timeTab(browser, tab, state),
    });
  }
  return popups;
}

interface Tab {
  /** The extension's id. */
  readonly id: string;
  readonly path: string;
  readonly greeting: Greeting;
}

/** Opens a popup in a tab, which loads it in the same way, but needs no click and shows that of any extension. */
async function timeTab(browser: Browser, { id, path, greeting }: Tab, state: WorkerState): Promise<number> {
  if (state === 'asleep') {
    await stopWorker(browser, `chrome-extension://${id}`);
  } else {
    const page = await openQuietPage(browser, id);
    await greet(page, greeting);
    await page.close();
  }
  // The browser comes to rest.
  await pass(200);
  const url = `chrome-extension://${id}/${path}`;
  const session = await browser.target().createCDPSession();
  const { targetId } = await session.send('Target.createTarget', { url });
  // Nothing talks to the page while it loads, because that would slow it down.
  await pass(300);
  const target = await browser.waitForTarget((found) => found.url() === url);
  const time = await readPaint(await target.asPage());
  await session.send('Target.closeTarget', { targetId });
  await session.detach();
  return time;
}

/** In Firefox they are pages of our extension, each behind its toolbar button. */
async function addPopups(scene: Scene): Promise<readonly Popup[]> {
  const { extensionDir } = scene;
  const popups: Popup[] = [{ name: 'latchkey', timePaint: (state) => timeButton(scene, ownPath, state) }];
  for (const limit of limits) {
    const base = `bench-${limit.name}`;
    await buildPages(limit, join(extensionDir, base), `/${base}/`);
    // The driver knows the popup by the beginning of its path.
    const path = `${ownPath}.${limit.name}.html`;
    await copyFile(join(extensionDir, base, 'popup.html'), join(extensionDir, path));
    popups.push({
      name: limit.name,
      timePaint: (state) => timeButton(scene, path, state),
    });
  }
  return popups;
}

/** Opens a page by the toolbar button. */
async function timeButton({ browser }: Scene, path: string, state: WorkerState): Promise<number> {
  await browser.closePopup();
  await browser.evaluateInExtension(async (popup) => {
    const { action } = (globalThis as unknown as ExtensionGlobal).chrome;
    await action.setPopup({ popup });
  }, `/${path}`);
  await browser.evaluateInExtension(timeOpen);
  if (state === 'asleep') await browser.stopWorker();
  // The browser comes to rest.
  await pass(200);
  await browser.pressToolbarButton();
  // Nothing talks to the page while it loads, because that would slow it down.
  await pass(400);
  const popup = await browser.openPopup();
  const opened = await popup.evaluate(() => location.pathname);
  if (opened !== `/${path}`) throw new Error(`The button opened ${opened} instead of /${path}.`);
  return readPaint(popup);
}

async function readPaint(page: Page): Promise<number> {
  const mark = await page.waitForFunction(
    () => performance.getEntriesByName('latchkey:ready')[0]?.startTime,
    { timeout: 10_000 },
  );
  return (await mark.jsonValue()) ?? NaN;
}
