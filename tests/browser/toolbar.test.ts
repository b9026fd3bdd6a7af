// The toolbar button as the browser shows it.

import type { Page } from 'puppeteer-core';
import { expect, test } from 'vitest';
import type { MessageKey } from '../../src/popup/i18n/text.ts';
import { lookUp } from '../support/english.ts';
import { marisol } from '../../tools/demo-provider/people.ts';
import {
  approve,
  click,
  popupWith,
  setUpExtension,
  signIn,
  soonStaleSeconds,
  startSignIn,
  textOf,
  untilStale,
  type Extension,
} from '../support/browser/setup.ts';
import { isOfThisBrowser } from '../support/browser/share.ts';
import { isLong } from '../support/extent.ts';
import type { ExtensionGlobal } from '../support/browser/extension-global.ts';

/**
 * Reads what the browser shows at the button, in a page of the extension. No browser reports the icon, so it comes from the
 * worker's own record.
 */
function readToolbar(page: Page): Promise<object> {
  return page.evaluate(async () => {
    const { chrome } = globalThis as unknown as ExtensionGlobal;
    const [title, badge, { toolbar }] = await Promise.all([
      chrome.action.getTitle({}),
      chrome.action.getBadgeText({}),
      chrome.storage.session.get('toolbar'),
    ]);
    const note = toolbar as { readonly button: { readonly icon: string } | null } | undefined;
    return { title, badge, icon: note?.button?.icon };
  });
}

async function toolbarBecomes(
  { browser }: Extension,
  key: MessageKey,
  badge: string,
  icon: string,
): Promise<void> {
  const title = lookUp(key, [lookUp('extensionName')]);
  // One page for all reads, because to open a page takes longer than to read.
  await browser.withExtensionPage(async (page) => {
    await expect.poll(() => readToolbar(page), { timeout: 20_000 }).toEqual({ title, badge, icon });
  });
}

// A restart takes Firefox three times as long.
test.runIf(isOfThisBrowser(0))(
  'a session survives a restart of the browser, and the toolbar shows its state before and after',
  async () => {
    const extension = await setUpExtension();
    await toolbarBecomes(extension, 'toolbarSignedOut', '', 'signed-out');

    const window = await startSignIn(extension);
    await toolbarBecomes(extension, 'toolbarSigningIn', '', 'signing-in');
    await approve(window);
    await popupWith(extension, 'signed-in');
    await toolbarBecomes(extension, 'toolbarSignedIn', '', 'signed-in');

    await extension.browser.closePopup();
    await extension.restartBrowser();
    await toolbarBecomes(extension, 'toolbarSignedIn', '', 'signed-in');

    const popup = await popupWith(extension, 'signed-in');
    expect(await textOf(popup)).toContain(marisol.name);
    await click(popup, '[data-action="sign-out"]');
    await popupWith(extension, 'signed-out');
    await toolbarBecomes(extension, 'toolbarSignedOut', '', 'signed-out');
  },
);

/** Sets the badge as a feature does. */
function count({ browser }: Extension, text: string): Promise<void> {
  return browser.evaluateInExtension(async (counted) => {
    const { action } = (globalThis as unknown as ExtensionGlobal).chrome;
    await Promise.all([
      action.setBadgeText({ text: counted }),
      action.setBadgeBackgroundColor({ color: '#00f' }),
    ]);
  }, text);
}

const colorOf = ({ browser }: Extension) =>
  browser.evaluateInExtension(() =>
    (globalThis as unknown as ExtensionGlobal).chrome.action.getBadgeBackgroundColor({}),
  );

test.runIf(isLong)(
  "a feature's badge stays until the red ! replaces it, which leaves the badge empty, and the feature may set it again",
  async () => {
    const extension = await setUpExtension({ provider: { accessTokenSeconds: soonStaleSeconds } });
    await count(extension, '3');
    const window = await startSignIn(extension);
    await toolbarBecomes(extension, 'toolbarSigningIn', '3', 'signing-in');
    await approve(window);
    await popupWith(extension, 'signed-in');
    await toolbarBecomes(extension, 'toolbarSignedIn', '3', 'signed-in');
    expect(await colorOf(extension)).toEqual([0, 0, 255, 255]);

    await extension.browser.closePopup();
    await extension.restartProvider();
    await untilStale();
    await popupWith(extension, 'signed-out');
    await toolbarBecomes(extension, 'toolbarNeedsYou', '!', 'signed-out');
    expect(await colorOf(extension)).toEqual([0xb3, 0x26, 0x1e, 255]);
    await signIn(extension);
    await toolbarBecomes(extension, 'toolbarSignedIn', '', 'signed-in');
    await count(extension, '4');
    await toolbarBecomes(extension, 'toolbarSignedIn', '4', 'signed-in');
  },
);
