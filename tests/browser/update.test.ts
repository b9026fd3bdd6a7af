// An update of the extension in a real browser: Chromium installs it from a server, as from its store, and Firefox from a
// file, as from a download. The new version is the same build under a higher number.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { expect, onTestFinished, test, vi } from 'vitest';
import { pinToolbarButton } from '../../tools/browser/firefox-scripts.ts';
import { findBrowserWindow } from '../../tools/browser/firefox.ts';
import { readFolder, toZip } from '../../tools/build/zip.ts';
import { startDemoProvider } from '../../tools/demo-provider/provider.ts';
import { marisol } from '../../tools/demo-provider/people.ts';
import { packForChromium } from '../support/browser/installed.ts';
import { expectPrivatePolicies } from '../support/browser/private-policies.ts';
import { openWorkerFolder } from '../support/browser/run-folder.ts';
import {
  approve,
  browserName,
  manifest,
  popupWith,
  press,
  setUpExtension,
  startSignIn,
  textOf,
  type Extension,
} from '../support/browser/setup.ts';
import type { ExtensionGlobal } from '../support/browser/extension-global.ts';

vi.setConfig({ testTimeout: 240_000 });

const first = '0.9.8';
const next = '0.9.9';
/** Longer than Chromium keeps an idle worker. */
const timeout = 90_000;

/** Starts Chromium with the extension that a policy has installed, and the demo provider. */
async function setUpInstalled() {
  // Holds the port, which is part of the build. The redirect URI is known once the build is packed.
  const placeholder = await startDemoProvider({ redirectUris: ['https://example.com/'] });
  const { issuer, clientId } = placeholder;
  const configured = { id: 'demo', name: 'Demo provider', issuer, clientId };
  const extension = await packForChromium({ providers: [configured] });
  await placeholder.close();
  const redirectUri = `https://${extension.extensionId}.chromiumapp.org/demo`;
  const demo = await startDemoProvider({ redirectUris: [redirectUri], port: Number(new URL(issuer).port) });
  onTestFinished(() => demo.close());
  const browser = await extension.start();
  const extensions = await browser.newPage();
  await extensions.goto('chrome://extensions');
  return {
    extension,
    browser,
    /** The version that runs, as the browser's own page says, which is no page of the extension. */
    version: () =>
      extensions.evaluate(async (id) => {
        const { developerPrivate } = (
          globalThis as unknown as {
            chrome: {
              developerPrivate: { getExtensionInfo(id: string): Promise<{ readonly version: string }> };
            };
          }
        ).chrome;
        return (await developerPrivate.getExtensionInfo(id)).version;
      }, extension.extensionId),
    /** Runs a function in the worker, which no page of the extension has to be open for. */
    async inWorker<Result>(run: () => Promise<Result>): Promise<Result> {
      const target = browser
        .targets()
        .find((each) => each.type() === 'service_worker' && each.url().startsWith(extension.origin));
      const session = await target?.createCDPSession();
      const answer = await session?.send('Runtime.evaluate', {
        expression: `(${run.toString()})()`,
        awaitPromise: true,
        returnByValue: true,
      });
      await session?.detach();
      return answer?.result.value as Result;
    },
    async startSignInFrom(popup: Page): Promise<Page> {
      await press(popup, '[data-provider="demo"]');
      const window = await (
        await browser.waitForTarget((target) => target.type() === 'page' && target.url().startsWith(issuer))
      ).page();
      if (window === null) throw new Error('The sign-in window has closed.');
      return window;
    },
  };
}

const checkForUpdate = async () =>
  (globalThis as unknown as ExtensionGlobal).chrome.runtime.requestUpdateCheck();
const readJournal = async () =>
  JSON.stringify(await (globalThis as unknown as ExtensionGlobal).chrome.storage.local.get('journal'));

const shows = (page: Page, status: string) => page.waitForSelector(`main[data-status="${status}"]`);

test.runIf(browserName === 'chrome')(
  'Chromium: an update waits for the end of a sign-in, and then the new version runs with the session',
  async (context) => {
    expectPrivatePolicies(context);
    const { extension, browser, version, inWorker, startSignInFrom } = await setUpInstalled();
    const before = await version();
    const popup = await extension.openPopup(browser);
    await shows(popup, 'signed-out');
    const signInWindow = await startSignInFrom(popup);
    await popup.close();
    await extension.offer(next);
    expect(await inWorker(checkForUpdate)).toMatchObject({ status: 'update_available' });
    await expect.poll(() => inWorker(readJournal), { timeout }).toContain('update-available');
    expect(await version()).toBe(before);

    await approve(signInWindow);
    // The popup opens by itself, and the update waits for that too.
    const opened = await browser.waitForTarget(
      (target) => target.type() === 'page' && target.url().startsWith(extension.origin),
    );
    const reopened = await opened.asPage();
    await shows(reopened, 'signed-in');
    expect(await version()).toBe(before);
    void Promise.allSettled([reopened.evaluate(() => window.close())]);
    await expect.poll(version, { timeout }).toBe(next);
    const after = await extension.openPopup(browser);
    await shows(after, 'signed-in');
    expect(await textOf(after)).toContain(marisol.name);
  },
);

interface FirefoxAddon {
  uninstall(): Promise<void>;
}

interface FirefoxInstall {
  readonly error: number;
  addListener(listener: Readonly<Record<string, (install: FirefoxInstall) => void>>): void;
  install(): Promise<void>;
}

/** The parts of Firefox that install an extension for good. */
interface FirefoxGlobal {
  readonly ChromeUtils: {
    importESModule(url: string): {
      readonly AddonManager: {
        getInstallForFile(file: object): Promise<FirefoxInstall>;
        getAddonByID(id: string): Promise<FirefoxAddon>;
      };
    };
  };
  readonly Cc: Readonly<
    Record<string, { createInstance(id: unknown): { initWithPath(path: string): void } }>
  >;
  readonly Ci: { readonly nsIFile: unknown };
  readonly Services: { readonly prefs: { setBoolPref(name: string, value: boolean): void } };
  readonly WebExtensionPolicy: {
    getByID(id: string): { readonly extension: { readonly version: string } } | null;
  };
}

/** Runs in Firefox's own window. Installs the file, and resolves with what becomes of it. */
async function installFile(path: string): Promise<string> {
  const { ChromeUtils, Cc, Ci, Services } = globalThis as unknown as FirefoxGlobal;
  // The file is not signed.
  Services.prefs.setBoolPref('xpinstall.signatures.required', false);
  const { AddonManager } = ChromeUtils.importESModule('resource://gre/modules/AddonManager.sys.mjs');
  const file = Cc['@mozilla.org/file/local;1']?.createInstance(Ci.nsIFile);
  if (file === undefined) throw new Error('Firefox has no files.');
  file.initWithPath(path);
  const install = await AddonManager.getInstallForFile(file);
  return new Promise((resolve) => {
    install.addListener({
      onInstallPostponed: () => resolve('postponed'),
      onInstallFailed: ({ error }) => resolve(`failed with ${error}`),
      onInstallCancelled: () => resolve('cancelled'),
    });
    // Resolves when the extension runs.
    void install.install().then(() => resolve('installed'));
  });
}

/** Runs in Firefox's own window. Removes the driver's temporary copy, which Firefox would prefer to any other. */
async function removeTemporary(geckoId: string): Promise<void> {
  const { ChromeUtils, Services } = globalThis as unknown as FirefoxGlobal;
  Services.prefs.setBoolPref('extensions.webextensions.keepUuidOnUninstall', true);
  const { AddonManager } = ChromeUtils.importESModule('resource://gre/modules/AddonManager.sys.mjs');
  await (await AddonManager.getAddonByID(geckoId)).uninstall();
}

/** Runs in Firefox's own window. The version that runs; null between two versions. */
function readVersion(geckoId: string): string | null {
  const { WebExtensionPolicy } = globalThis as unknown as FirefoxGlobal;
  return WebExtensionPolicy.getByID(geckoId)?.extension.version ?? null;
}

/** Writes the build as a file of this version. */
async function packForFirefox({ extensionDir }: Extension, version: string): Promise<string> {
  const files = new Map(readFolder(extensionDir));
  const own = JSON.parse(new TextDecoder().decode(files.get('manifest.json'))) as object;
  files.set('manifest.json', new TextEncoder().encode(JSON.stringify({ ...own, version })));
  const path = join(openWorkerFolder(), `${version}.xpi`);
  await writeFile(path, toZip(files));
  return path;
}

/** Installs the extension for good, as from a store. */
async function setUpFirefox() {
  const extension = await setUpExtension({
    firefoxPreferences: { 'extensions.openPopupWithoutUserGesture.enabled': false },
  });
  // A reset of the browser does not undo the installation.
  extension.discardBrowser();
  const { browser } = extension;
  const firefox = await findBrowserWindow(browser.browser, await browser.home.windowId());
  const { id } = manifest.browser_specific_settings.gecko;
  const offer = async (version: string) => firefox.run(installFile, await packForFirefox(extension, version));
  await firefox.run(removeTemporary, id);
  expect(await offer(first)).toBe('installed');
  await firefox.run(pinToolbarButton, id);
  return { extension, version: () => firefox.run(readVersion, id), offer };
}

test.runIf(browserName === 'firefox')(
  'Firefox: an update waits for the end of a sign-in, and then the new version runs with the session',
  async () => {
    const { extension, version, offer } = await setUpFirefox();
    const window = await startSignIn(extension);
    await extension.browser.closePopup();
    expect(await offer(next)).toBe('postponed');
    expect(await version()).toBe(first);

    await approve(window);
    await expect.poll(version, { timeout }).toBe(next);
    const popup = await popupWith(extension, 'signed-in');
    expect(await textOf(popup)).toContain(marisol.name);
  },
);
