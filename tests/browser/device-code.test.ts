// A sign-in with a code, in a real browser: the popup shows it, a tab takes it, and the popup shows who signed in.

import type { Page } from 'puppeteer-core';
import { expect, onTestFinished, test } from 'vitest';
import type { Board } from '../../src/bridge/session/board.ts';
import { deviceClientId } from '../../tools/demo-provider/clients.ts';
import { marisol } from '../../tools/demo-provider/people.ts';
import { popupWith, press, readStorage, setUpExtension, type Extension } from '../support/browser/setup.ts';
import { isOfThisBrowser } from '../support/browser/share.ts';

const setUpDevice = () => setUpExtension({ configuration: { clientId: deviceClientId, deviceFlow: 'only' } });

async function showCode(extension: Extension): Promise<{ readonly popup: Page; readonly code: string }> {
  await press(await popupWith(extension, 'signed-out'), '[data-provider="demo"]');
  const popup = await extension.browser.waitForPopup('[data-region="device-code"]');
  const code = await popup.$eval('[data-region="device-code"]', (region) => region.textContent ?? '');
  return { popup, code };
}

/** Opens the provider's page with the popup's button, and returns a tab with it. */
async function openPage({ browser, demo }: Extension, popup: Page): Promise<Page> {
  const address = await popup.evaluate(async () => {
    const { chrome } = globalThis as unknown as {
      chrome: { storage: { local: { get(key: string): Promise<{ readonly board: Board }> } } };
    };
    const { session } = (await chrome.storage.local.get('board')).board;
    return session.status === 'signing-in' ? session.device?.verificationUri : undefined;
  });
  await press(popup, '[data-action="open-provider-page"]');
  // Its form sends itself, and ends with the same session as that of any other tab.
  const isOpened = () => demo.requests.some(({ method, path }) => method === 'POST' && path === '/device');
  await expect.poll(isOpened).toBe(true);
  // Firefox tells WebDriver nothing of a tab that an extension's popup has opened, so the person is in one of their own.
  const tab = await browser.browser.newPage();
  onTestFinished(() => tab.close().catch(() => undefined));
  await tab.goto(address ?? '');
  return tab;
}

/** Answers the provider's questions in the tab, as the person whose code it is. */
async function agree(tab: Page): Promise<void> {
  await press(tab, 'button[name="same"]');
  await press(tab, `button[name="account"][value="${marisol.id}"]`);
  await press(tab, 'button[name="allow"]');
}

test.runIf(isOfThisBrowser(0))(
  'a person enters the code on the page that the popup opens, and the popup shows who they are',
  async () => {
    const extension = await setUpDevice();
    const { popup, code } = await showCode(extension);
    expect(code).toMatch(/^[A-Z]{4}-[A-Z]{4}$/);
    const tab = await openPage(extension, popup);
    await tab.waitForSelector('button[name="same"]');
    expect(await tab.$eval('main', (main) => main.innerText)).toContain(code);
    await agree(tab);
    const signedIn = await popupWith(extension, 'signed-in');
    expect(await signedIn.$eval('main', (main) => main.innerText)).toContain(marisol.name);
    const stored = JSON.stringify(await readStorage(extension));
    expect(stored).not.toContain(code);
  },
);

test.runIf(isOfThisBrowser(1))('a sign-in with a code survives its worker', async () => {
  const extension = await setUpDevice();
  const { popup, code } = await showCode(extension);
  const tab = await openPage(extension, popup);
  await extension.browser.closePopup();
  await extension.browser.stopWorker();
  await agree(tab);
  const reopened = await extension.browser.openPopup();
  await reopened.waitForFunction((shown) => document.body.innerText.includes(shown), {}, code);
  await popupWith(extension, 'signed-in');
});
