// Sets up the extension with the sample feature, and controls the feature.

import type { Page } from 'puppeteer-core';
import { expect, onTestFinished } from 'vitest';
import { startEchoServer, type EchoServer } from '../echo-server.ts';
import type { ExtensionGlobal } from './extension-global.ts';
import { readStorage, setUpExtension, signIn, type BrowserSetup, type Extension } from './setup.ts';

/** Starts an echo server until the test has finished. */
export async function startEcho(): Promise<EchoServer> {
  const echo = await startEchoServer();
  onTestFinished(() => echo.close());
  return echo;
}

/** Signs a user in and waits for the sample feature. It may call two APIs: the demo provider's and an echo server. */
export async function setUpSample(setup: BrowserSetup = {}) {
  const echo = await startEcho();
  const extension = await setUpExtension({ feature: 'sample', apiOrigins: [echo.origin], ...setup });
  const popup = await mounted(await signIn(extension));
  return { extension, echo, popup, api: `${extension.demo.issuer}/api` };
}

/** Resolves with the page once the sample feature in it shows the API's response. */
export async function mounted(page: Page): Promise<Page> {
  await page.waitForSelector('[data-sample="answer"]');
  return page;
}

/** Opens the popup's page in a background tab, and closes the tab after `use`. */
export function inTab(
  { browser: { withExtensionPage } }: Extension,
  use: (tab: Page) => Promise<void>,
): Promise<void> {
  return withExtensionPage(async (tab) => {
    await tab.evaluate(() => {
      // Only after the reply to this call, which the page could not send once it has left.
      setTimeout(() => location.assign('/src/popup/index.html?tab'));
    });
    const path = () => tab.evaluate(() => location.pathname).catch(() => null);
    await expect.poll(path).toBe('/src/popup/index.html');
    await use(tab);
  });
}

/** The outcome of a request, in a form that can leave the page. */
export type Outcome =
  | { readonly status: number; readonly text: string }
  | { readonly error: string; readonly reason?: string };

/** Makes the feature on the page send a request and read the whole response. */
export function ask(page: Page, url: string, init: RequestInit = {}): Promise<Outcome> {
  return page.evaluate(
    async (requested, settings) => {
      try {
        const response = await globalThis.sample.fetch(requested, settings);
        return { status: response.status, text: await response.text() };
      } catch (error) {
        const { name, reason } = error as { readonly name: string; readonly reason?: string };
        return { error: name, ...(reason !== undefined && { reason }) };
      }
    },
    url,
    init,
  );
}

/** Makes the feature's half in the worker send a request. The half notes its outcome. */
export async function askInWorker(page: Page, url: string): Promise<void> {
  await page.evaluate(async (sample) => {
    const { chrome } = globalThis as unknown as ExtensionGlobal;
    await chrome.runtime.sendMessage({ sample });
  }, url);
}

/** Reads the notes of the feature's half in the worker. */
export async function readNotes(extension: Extension): Promise<readonly string[]> {
  return ((await readStorage(extension)) as { readonly sample?: readonly string[] }).sample ?? [];
}
