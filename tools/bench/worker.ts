// How soon a worker that was stopped answers its first message, beside a worker with nothing in it.

import { setTimeout as pass } from 'node:timers/promises';
import type { Browser, Page } from 'puppeteer-core';
import { stopWorker } from '../browser/chromium.ts';
import type { WorkerWindow } from '../../src/bridge/line/line.ts';
import type { OnStop } from '../command.ts';
import type { ExtensionGlobal } from '../../tests/support/browser/extension-global.ts';
import { installCompanion, preparePeers, staticPage } from './companions.ts';
import type { Row } from './rows.ts';
import { withScene } from './scene.ts';
import { measureInTurns } from './turns.ts';

/** How a page wakes its worker: ours with a command, and any other with a message. */
export type Greeting = 'command' | 'message';

export async function measureWorker(onStop: OnStop): Promise<readonly Row[]> {
  const peers = (await preparePeers()).filter(({ runsIn }) => runsIn === 'worker');
  return withScene(onStop, { browser: 'chrome' }, async (scene) => {
    const { browser, extensionId, closePopup } = scene.browser;
    await scene.signIn();
    await closePopup();
    const measures: Record<string, () => Promise<number>> = {};
    const add = async (name: string, id: string, greeting: Greeting) => {
      const page = await openQuietPage(browser, id);
      measures[name] = async () => {
        await stopWorker(browser, `chrome-extension://${id}`);
        await pass(200);
        return greet(page, greeting);
      };
    };
    await add('latchkey', extensionId, 'command');
    for (const companion of [staticPage, ...peers]) {
      await add(companion.name, await installCompanion(scene, companion), 'message');
    }
    const timeOf = await measureInTurns(measures, { turns: 25, warmUp: 2 });
    return [
      {
        id: 'worker-woken',
        what: 'worker woken → first message replied to',
        browser: 'chrome',
        unit: 'ms',
        value: timeOf('latchkey'),
        limits: { 'an empty worker': timeOf(staticPage.name) },
        peers: Object.fromEntries(peers.map(({ name }) => [name, timeOf(name)])),
      },
    ];
  });
}

/** Opens a page of an extension that runs no script. */
export async function openQuietPage(browser: Browser, id: string): Promise<Page> {
  const page = await browser.newPage({ background: true });
  await page.goto(`chrome-extension://${id}/manifest.json`);
  return page;
}

/** Wakes the worker, and returns how long it took to answer, in ms. */
export async function greet(page: Page, greeting: Greeting): Promise<number> {
  if (greeting === 'command') return page.evaluate(timeOpen);
  return page.evaluate(async () => {
    const { chrome } = globalThis as unknown as ExtensionGlobal;
    const startedAtMs = performance.now();
    await chrome.runtime.sendMessage({});
    return performance.now() - startedAtMs;
  });
}

/**
 * Runs in a page of ours. Sends the command that every page sends, and returns how long the worker took to answer, in ms. It has no
 * functions in variables, which the compiler wraps in a helper that the page does not have.
 */
export async function timeOpen(): Promise<number> {
  const startedAtMs = performance.now();
  const { runtime } = (globalThis as unknown as ExtensionGlobal).chrome;
  // Firefox alone has it.
  const isWindow = 'getBrowserInfo' in runtime;
  const window = isWindow ? ((await runtime.getBackgroundPage()) as WorkerWindow) : null;
  const worker = isWindow ? null : (await navigator.serviceWorker.ready).active;
  // This lock isn't held, so the worker believes that the page has gone, but still carries out its command.
  const latchkey = { to: 'command', page: 'nobody', content: { type: 'open' } } as const;
  await new Promise<void>((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', ({ data }: MessageEvent<object>) => {
      if ('ok' in data) resolve();
    });
    port1.start();
    worker?.postMessage({ latchkey }, [port2]);
    window?.latchkey?.(latchkey, [], (message) => {
      if ('ok' in (message as object)) resolve();
    });
  });
  return performance.now() - startedAtMs;
}
