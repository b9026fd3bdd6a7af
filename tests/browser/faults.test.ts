// Faults that need a real browser. Those of the worker are in tests/background.

import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { marisol } from '../../tools/demo-provider/people.ts';
import {
  approve,
  browserName,
  popupWith,
  popupWithProblem,
  press,
  readWorkerStarts,
  setUpExtension,
  signIn,
  startSignIn,
  textOf,
  type Extension,
} from '../support/browser/setup.ts';
import { isOfThisBrowser } from '../support/browser/share.ts';
import { isLong } from '../support/extent.ts';
import type { ExtensionGlobal } from '../support/browser/extension-global.ts';

// It waits for longer than an idle worker lives: 30 s in Chromium. In Firefox that can be set, but a redemption takes a second or
// two on a busy machine, and is no reason for Firefox to keep the worker.
test.runIf(isLong)(
  'a user who takes longer than the lifetime of an idle worker is signed in by the same worker',
  async () => {
    const extension = await setUpExtension({
      firefoxPreferences: { 'extensions.background.idle.timeout': 5_000 },
    });
    const window = await startSignIn(extension);
    await extension.browser.closePopup();
    await new Promise((resolve) => setTimeout(resolve, browserName === 'firefox' ? 7_500 : 45_000));
    await approve(window);
    const popup = await popupWith(extension, 'signed-in');
    expect(await popup.$('[data-problem]')).toBeNull();
    expect(await readWorkerStarts(extension)).toHaveLength(1);
  },
);

test.runIf(browserName === 'firefox')(
  'the popup names a permission that the user removed, and a click asks for it',
  async () => {
    const extension = await setUpExtension({
      provider: { cors: false },
      firefoxPreferences: { 'extensions.webextOptionalPermissionPrompts': false },
    });
    const isRemoved = await extension.browser.evaluateInExtension(async () => {
      const { permissions, runtime } = (globalThis as unknown as ExtensionGlobal).chrome;
      return permissions.remove({ origins: runtime.getManifest().host_permissions ?? [] });
    });
    expect(isRemoved).toBe(true);

    await press(await popupWith(extension, 'signed-out'), '[data-provider="demo"]');
    const popup = await popupWithProblem(extension, 'host-permission-missing');
    expect(await popup.$eval('[data-problem]', (element) => element.textContent)).toContain('localhost');

    await press(popup, '[data-action="allow-hosts"]');
    // The sign-in goes on by itself.
    await approve(await extension.browser.waitForSignInWindow());
    const signedIn = await popupWith(extension, 'signed-in');
    expect(await signedIn.$('[data-problem]')).toBeNull();
  },
);

test.runIf(isOfThisBrowser(0))(
  'a sign-in that begins offline says so, and works when the network is back',
  async () => {
    const extension = await setUpExtension();
    const { browser } = extension;
    // Chromium takes the network from a worker that runs. No popup has made this one ask the provider yet.
    await expect.poll(() => browser.isWorkerRunning()).toBe(true);
    await browser.setOffline(true);
    onTestFinished(() => browser.setOffline(false));
    await press(await popupWith(extension, 'signed-out'), '[data-provider="demo"]');
    await popupWithProblem(extension, 'offline');

    await browser.setOffline(false);
    await signIn(extension);
  },
);

interface DeveloperPage {
  readonly chrome: {
    readonly developerPrivate: {
      updateExtensionConfiguration(update: {
        readonly extensionId: string;
        readonly hostAccess: 'ON_CLICK' | 'ON_ALL_SITES';
      }): Promise<void>;
    };
  };
}

/** Chooses when the extension may reach sites, as a user does on Chromium's page of the extension. */
async function setSiteAccess(
  { browser: { browser, extensionId } }: Extension,
  hostAccess: 'ON_CLICK' | 'ON_ALL_SITES',
): Promise<void> {
  const page = await browser.newPage();
  await page.goto('chrome://extensions');
  await page.evaluate(
    (update) =>
      (globalThis as unknown as DeveloperPage).chrome.developerPrivate.updateExtensionConfiguration(update),
    { extensionId, hostAccess },
  );
  await page.close();
}

test.runIf(browserName === 'chrome' && isLong)(
  'the popup names a host that the user has withheld, a click asks for it, and all is well once it is allowed in the settings',
  async () => {
    const extension = await setUpExtension({ provider: { cors: false } });
    // The question stays open: Chromium has no way to answer it without a screen.
    extension.discardBrowser();
    await setSiteAccess(extension, 'ON_CLICK');
    await press(await popupWith(extension, 'signed-out'), '[data-provider="demo"]');
    const popup = await popupWithProblem(extension, 'host-permission-missing');
    expect(await popup.$eval('[data-problem]', (element) => element.textContent)).toContain('localhost');

    // Chromium's question takes the focus, which closes the popup.
    const closed = new Promise((resolve) => popup.once('close', resolve));
    await press(popup, '[data-action="allow-hosts"]');
    await closed;
    await setSiteAccess(extension, 'ON_ALL_SITES');
    await signIn(extension);
  },
);

test.runIf(isLong)(
  'a database whose files are damaged is begun anew, and the popup offers the account',
  async () => {
    const extension = await setUpExtension();
    const { extensionId } = extension.browser;
    await signIn(extension);
    await extension.browser.closePopup();
    await extension.restartBrowser((profile) => damageDatabase(profile, extensionId));
    // The session has gone with the database.
    const popup = await popupWithProblem(extension, 'expired');
    expect(await textOf(popup)).toContain(marisol.name);
    // The provider remembers the user, and asks nothing.
    await press(popup, '[data-provider="demo"]');
    await popupWith(extension, 'signed-in');
    await extension.browser.closePopup();
    await extension.browser.stopWorker();
    const later = await popupWith(extension, 'signed-in');
    expect(await later.$('[data-problem]')).toBeNull();
  },
);

/** Overwrites the files of the extension's IndexedDB, which are its vault and nothing else. */
async function damageDatabase(profile: string, extensionId: string): Promise<void> {
  const folder =
    browserName === 'chrome'
      ? join(profile, `Default/IndexedDB/chrome-extension_${extensionId}_0.indexeddb.leveldb`)
      : join(profile, `storage/default/moz-extension+++${extensionId}/idb`);
  const files = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile());
  expect(files).not.toEqual([]);
  for (const { name } of files) {
    const { size } = await stat(join(folder, name));
    await writeFile(join(folder, name), Buffer.alloc(size, 'damaged '));
  }
}
