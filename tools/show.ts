// Shared by the commands that show the extension to a user, or take pictures.

import { launch, type Page } from 'puppeteer-core';
import { findBrowser, type BrowserName } from './browser/browsers.ts';
import type { DriverOptions } from './browser/driver.ts';
import { type ExtensionBrowser, launchExtensionBrowser } from './browser/extension-browser.ts';
import { toMessage, type OnStop } from './command.ts';

/** Starts a browser. It is closed when the command ends, even if the browser is still starting then. */
export function openBrowser(
  name: BrowserName,
  options: DriverOptions,
  onStop: OnStop,
): Promise<ExtensionBrowser> {
  const launching = launchExtensionBrowser(name, { ...options, handleSignals: false });
  onStop(async () => {
    const launched = await launching.catch(() => null);
    await launched?.close();
  });
  return launching;
}

/** Resolves when the user has closed the browser. */
export function waitUntilClosed({ browser }: ExtensionBrowser): Promise<void> {
  return new Promise((resolveClosed) => {
    browser.once('disconnected', () => resolveClosed());
    if (!browser.connected) resolveClosed();
  });
}

/**
 * Opens the popup for the user, and prints what to do if it doesn't open. Some desktops do not give the focus to a new
 * window, and then a browser opens no popup by itself. That's not a failure, because the user can open it.
 */
export async function offerPopup(opened: ExtensionBrowser, productName: string): Promise<void> {
  try {
    await opened.openPopup();
  } catch (error) {
    // The user has closed the browser, which ends the command.
    if (!opened.browser.connected) return;
    console.log(`The popup did not open by itself (${toMessage(error)})
To open it, click the button of ${productName} in the browser's toolbar, or behind the puzzle piece there.`);
  }
}

/**
 * Opens a blank page, to put pictures on and to take a picture of. Its browser closes when the command ends. Prints a line if it
 * has to install a browser.
 */
export async function openBlankPage(onStop: OnStop): Promise<Page> {
  const browser = await launch({
    executablePath: await findBrowser('chrome', { log: console.log }),
    // Chromium does not start with its sandbox as root. It loads only our own pictures.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  onStop(() => browser.close());
  return browser.newPage();
}
