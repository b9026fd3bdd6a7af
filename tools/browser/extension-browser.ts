// Drives the extension in a real browser, with the same interface for each: its popup, the sign-in window, its worker.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Page, type Target, TimeoutError } from 'puppeteer-core';
import type { BrowserName } from './browsers.ts';
import { driveChromium } from './chromium.ts';
import { type Driver, type DriverOptions, popupDeadlineMs, type ReplacementSettings } from './driver.ts';
import { driveFirefox } from './firefox.ts';

const showDeadlineMs = 30_000;

export interface ExtensionBrowser extends Driver {
  readonly name: BrowserName;

  /** Returns the open toolbar popup, or opens it by its button. */
  openPopup(): Promise<Page>;
  /** Waits for `selector` in the toolbar popup. Opens the popup, and opens it again if it closes in the meantime. */
  waitForPopup(selector: string): Promise<Page>;
  closePopup(): Promise<void>;
  /**
   * Waits for the sign-in window and returns its page, which has begun to load. `others` are the pages that were there
   * before the sign-in.
   */
  waitForSignInWindow(others?: readonly Target[]): Promise<Page>;

  /**
   * Runs a function with the extension's rights, like `Page.evaluate`. It doesn't wake the worker, unless the function
   * does.
   */
  readonly evaluateInExtension: Page['evaluate'];

  /**
   * Closes the browser and starts it again with the same profile and extension. In between, it calls `whileClosed` with the
   * profile's folder.
   */
  restart(whileClosed?: (profileFolder: string) => Promise<void>): Promise<ExtensionBrowser>;
  /** Closes the browser, and removes a temporary profile. */
  close(): Promise<void>;
}

/** Starts a browser with the extension in it and one empty tab. */
export async function launchExtensionBrowser(
  name: BrowserName,
  options: DriverOptions,
): Promise<ExtensionBrowser> {
  const { profileDir, temporaryDir } = options;
  if (profileDir === undefined) return launchWithProfile(name, options, createProfile(temporaryDir));
  mkdirSync(profileDir, { recursive: true });
  // In Firefox the extension needs its previous host to find what it stored.
  const file = join(profileDir, 'extension-id.txt');
  const previous = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  const kept = { folder: profileDir, remove: () => {}, removeAtExit: () => {} };
  const launched = await launchWithProfile(name, options, kept, previous);
  writeFileSync(file, launched.extensionId);
  return launched;
}

async function launchWithProfile(
  name: BrowserName,
  options: DriverOptions,
  profile: ReturnType<typeof createProfile>,
  extensionId?: string,
): Promise<ExtensionBrowser> {
  const drive = name === 'chrome' ? driveChromium : driveFirefox;
  const driver = await drive(options, profile.folder, extensionId).catch((error: unknown) => {
    profile.remove();
    throw error;
  });
  profile.removeAtExit();
  let launched = options;

  async function openPopup(): Promise<Page> {
    const deadline = Date.now() + 2 * popupDeadlineMs;
    let shown: string | null;
    do {
      const popup = await driver.findPopup();
      if (popup !== null) return popup;
      await driver.home.bringToFront();
      shown = await driver.pressToolbarButton();
    } while (Date.now() < deadline);
    throw new Error(
      `The toolbar button opens no popup. The browser shows: ${shown ?? 'a popup that closed at once'}`,
    );
  }

  // The driver's members stay on its own object, because the extension's id changes.
  const { replaceExtension } = driver;
  return Object.assign(driver, {
    name,
    openPopup,
    async replaceExtension(nextDir: string, nextSettings: ReplacementSettings = {}) {
      await replaceExtension(nextDir, nextSettings);
      launched = { ...options, ...nextSettings, extensionDir: nextDir };
    },
    async waitForPopup(selector: string) {
      const deadline = Date.now() + showDeadlineMs;
      for (;;) {
        const popup = await openPopup();
        try {
          await popup.waitForSelector(selector, { timeout: Math.max(1, deadline - Date.now()) });
          return popup;
        } catch (error) {
          if (!(error instanceof TimeoutError) && driver.browser.connected && Date.now() < deadline) continue;
          const shown = await popup
            .evaluate(() => document.body.innerText)
            .catch(() => 'nothing, for it closed');
          throw new Error(`The popup didn't show ${selector} in ${showDeadlineMs} ms. It shows: ${shown}`, {
            cause: error,
          });
        }
      }
    },
    async closePopup() {
      const popup = await driver.findPopup();
      if (popup === null) return;
      const closed = new Promise((resolve) => popup.once('close', resolve));
      // A closing page may no longer respond.
      void Promise.allSettled([popup.evaluate(() => window.close())]);
      await closed;
    },
    waitForSignInWindow: (others?: readonly Target[]) => waitForSignInPage(driver, others),
    evaluateInExtension: ((run, ...parameters) =>
      driver.withExtensionPage((page) => page.evaluate(run, ...parameters))) as Page['evaluate'],
    async restart(whileClosed?: (profileFolder: string) => Promise<void>) {
      await driver.browser.close();
      await whileClosed?.(profile.folder);
      // In Firefox the extension needs its previous host to find what it stored.
      return launchWithProfile(name, launched, profile, driver.extensionId);
    },
    async close() {
      await driver.browser.close();
      profile.remove();
    },
  });
}

/** Creates a browser profile in a temporary folder, which is removed with the browser. */
function createProfile(temporaryDir = tmpdir()) {
  const folder = mkdtempSync(join(temporaryDir, 'latchkey-profile-'));
  const remove = () => {
    process.off('exit', remove);
    // Some of the browser's processes may still be writing when the main one has exited.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
  return {
    folder,
    remove,
    /** Removes it also if this process exits early. Call it after each launch, which registers the browser's own exit. */
    removeAtExit() {
      // Listeners run in the order of registration, and the one that kills the browser must run first.
      process.off('exit', remove);
      process.on('exit', remove);
    },
  };
}

/** Waits for a web page outside the first window. It's the sign-in window unless it is one of `others`. */
async function waitForSignInPage({ browser, home }: Driver, others: readonly Target[] = []): Promise<Page> {
  const homeWindow = await home.windowId();
  const isInAnotherWindow = async (target: Target) => {
    if (target.type() !== 'page' || !target.url().startsWith('http') || others.includes(target)) return false;
    const page = await target.page();
    // A page that closes in the meantime rejects.
    const itsWindow = await page?.windowId().catch(() => homeWindow);
    return itsWindow !== undefined && itsWindow !== homeWindow;
  };
  const target = await browser.waitForTarget(isInAnotherWindow).catch((error: unknown) => {
    throw new Error('No sign-in window has opened.', { cause: error });
  });
  const page = await target.page();
  if (page === null) throw new Error('The sign-in window closed as soon as it had opened.');
  return page;
}
