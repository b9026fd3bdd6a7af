// The popup's page in places that do not close: Chromium's side panel, Firefox's sidebar and an options page.

import type { Page } from 'puppeteer-core';
import { expect, test, vi } from 'vitest';
import { marisol } from '../../tools/demo-provider/people.ts';
import { ask, mounted } from '../support/browser/sample.ts';
import {
  approve,
  browserName,
  click,
  popupWith,
  readBadge,
  setUpExtension,
  startSignIn,
  textOf,
  type Extension,
} from '../support/browser/setup.ts';
import type { ExtensionGlobal } from '../support/browser/extension-global.ts';

vi.setConfig({ testTimeout: 120_000 });

const panelPath = 'src/popup/index.html?panel';
const optionsPath = 'src/popup/index.html?options';

/** The keys that an adopter adds, as the build passes them on. */
const manifest = {
  options_ui: { page: optionsPath, open_in_tab: true },
  ...(browserName === 'chrome'
    ? { permissions: ['identity', 'storage', 'sidePanel'], side_panel: { default_path: panelPath } }
    : { sidebar_action: { default_panel: panelPath, open_at_install: false } }),
};

async function openPanel({ browser }: Extension): Promise<Page> {
  await browser.openSidePanel();
  return browser.waitForOwnPage(panelPath);
}

async function openOptions({ browser }: Extension): Promise<Page> {
  await browser.evaluateInExtension(async () => {
    const { chrome } = globalThis as unknown as ExtensionGlobal;
    await chrome.runtime.openOptionsPage();
  });
  return browser.waitForOwnPage(optionsPath);
}

const shows = (page: Page, status: string) => page.waitForSelector(`main[data-status="${status}"]`);

test.each([
  [browserName === 'chrome' ? 'a side panel' : 'a sidebar', openPanel],
  ['an options page', openOptions],
])(
  '%s shows the same session as the popup at the same time, calls the API without the popup, and keeps the popup from opening by itself',
  async (_place, open) => {
    const extension = await setUpExtension({ feature: 'sample', manifest });
    const { browser, demo } = extension;
    // The browser would show the options page in place of an empty tab.
    await browser.home.goto(`${demo.issuer}/.well-known/openid-configuration`);
    const page = await open(extension);
    await shows(page, 'signed-out');
    await page.evaluate(() => Object.assign(globalThis, { isSameDocument: true }));

    const window = await startSignIn(extension);
    // Without a screen, the sign-in window does not always close it.
    await browser.closePopup();
    await approve(window);
    await shows(await mounted(page), 'signed-in');
    expect(await textOf(page)).toContain(marisol.name);
    expect(await ask(page, `${demo.issuer}/api/me`)).toMatchObject({ status: 200 });
    expect(await browser.findPopup()).toBeNull();
    expect(await readBadge(browser)).toBe('');

    const popup = await popupWith(extension, 'signed-in');
    expect(await textOf(popup)).toContain(marisol.name);
    await click(popup, '[data-action="sign-out"]');
    await shows(page, 'signed-out');
    await shows(popup, 'signed-out');
    expect(await textOf(page)).toContain(`Continue as ${marisol.name}`);
    await browser.closePopup();

    // The provider still knows the user, and asks nothing.
    await click(page, '[data-provider="demo"]');
    await shows(await mounted(page), 'signed-in');
    expect(await textOf(page)).toContain(marisol.name);
    expect(await ask(page, `${demo.issuer}/api/me`)).toMatchObject({ status: 200 });
    expect(await browser.findPopup()).toBeNull();

    const last = await popupWith(extension, 'signed-in');
    expect(await textOf(last)).toContain(marisol.name);
    await click(page, '[data-action="sign-out"]');
    await shows(last, 'signed-out');
    await shows(page, 'signed-out');
    expect(await textOf(last)).toContain(`Continue as ${marisol.name}`);
    expect(await page.evaluate(() => 'isSameDocument' in globalThis)).toBe(true);
  },
);
