// Shared by the commands that show the extension to a user, operate it without one, or take pictures.

import { join } from 'node:path';
import { type ElementHandle, launch, TimeoutError, type Page } from 'puppeteer-core';
import type { Provider } from '../src/config/config.ts';
import { findBrowser, type BrowserName } from './browser/browsers.ts';
import type { DriverOptions } from './browser/driver.ts';
import { launchExtensionBrowser, type ExtensionBrowser } from './browser/extension-browser.ts';
import { root } from './build/read-text.ts';
import { type BrowserOptions, toMessage, type OnStop } from './command.ts';
import type { User } from './demo-provider/people.ts';

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

/** The setting for the profile that `--keep-profile` keeps in the project. Each browser has its own. */
export function toProfile({ name, keepsProfile }: BrowserOptions): Pick<DriverOptions, 'profileDir'> {
  return keepsProfile ? { profileDir: join(root, 'node_modules/.cache/latchkey', `profile-${name}`) } : {};
}

/** Resolves when the user has closed the browser. */
export function waitUntilClosed({ browser }: ExtensionBrowser): Promise<void> {
  return new Promise((resolveClosed) => {
    browser.once('disconnected', () => resolveClosed());
    if (!browser.connected) resolveClosed();
  });
}

/**
 * Opens the popup for the user, and prints what to do if it doesn't open. Some desktops don't give the focus to a new
 * window, and then a browser opens no popup by itself. That's not a failure, because the user can open it.
 */
export async function offerPopup(opened: ExtensionBrowser, productName: string): Promise<void> {
  try {
    await opened.openPopup();
  } catch (error) {
    // The user has closed the browser, which ends the command.
    if (!opened.browser.connected) return;
    console.log(`The popup didn't open by itself (${toMessage(error)})
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
    // Chromium doesn't start with its sandbox as root. It loads only our own pictures.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  onStop(() => browser.close());
  return browser.newPage();
}

/** The selector of the popup's root element while it shows `status`. */
export function showing(status: string): string {
  return `main[data-status="${status}"]`;
}

/** Clicks the provider's button in the popup and returns the sign-in window's page. */
export async function startSignIn(browser: ExtensionBrowser, { id }: Pick<Provider, 'id'>): Promise<Page> {
  const button = `[data-provider="${id}"]`;
  const popup = await browser.waitForPopup(button);
  const others = browser.browser.targets();
  await press(popup, button);
  return browser.waitForSignInWindow(others).catch(async (error: unknown) => {
    await expectNoProblem(await browser.openPopup());
    throw error;
  });
}

/** Signs in at the demo provider in the open window, as its first user or this one, and agrees to its questions. */
export async function approve(window: Page, user?: Pick<User, 'id'>): Promise<void> {
  const closed = new Promise<'closed'>((settle) => window.once('close', () => settle('closed')));
  const account = `button[name="account"]${user === undefined ? '' : `[value="${user.id}"]`}`;
  const allow = 'button[name="allow"]';
  // The provider remembers the account and the consent, and asks only for the rest.
  for (const question of [`${account}, ${allow}`, allow]) {
    const asked = window.waitForSelector(question, { visible: true }).catch((error: unknown) => {
      // The window may close meanwhile, which rejects.
      if (error instanceof TimeoutError) throw error;
      return closed;
    });
    const answer = await Promise.race([asked, closed]);
    if (answer === 'closed') return;
    await clickUntilClosed(window, answer);
  }
  await closed;
}

/** Alternates the position, because two fast clicks at one position would count as a double click. */
let isRight = false;

/** Clicks an element. The click may close the page, which then no longer responds. */
export async function press(page: Page, selector: string): Promise<void> {
  await clickUntilClosed(page, await page.waitForSelector(selector, { visible: true }));
}

async function clickUntilClosed(page: Page, element: ElementHandle | null): Promise<void> {
  const closed = new Promise<void>((settle) => page.once('close', () => settle()));
  isRight = !isRight;
  const clickOnce = async () => {
    const { width, height } = (await element?.boundingBox()) ?? { width: 0, height: 0 };
    await element?.click({ offset: { x: width * (isRight ? 0.7 : 0.3), y: height / 2 } });
  };
  await clickOnce().catch(async (error: unknown) => {
    const tooLate = new Promise((_resolve, reject) => setTimeout(reject, 1_000, error));
    await Promise.race([closed, tooLate]);
  });
}

/** Waits until the popup shows the signed-in user. Throws if it shows a problem instead. */
export async function expectSignedIn(browser: ExtensionBrowser): Promise<void> {
  await expectNoProblem(await browser.waitForPopup(`${showing('signed-in')}, [data-problem]`));
}

/** Throws if the popup shows a problem. */
export async function expectNoProblem(popup: Page): Promise<void> {
  const problem = await popup.evaluate(() => {
    const element = document.querySelector<HTMLElement>('[data-problem]');
    return element && `${element.dataset['problem']}: ${element.innerText.replaceAll(/\s+/g, ' ')}`;
  });
  if (problem !== null) throw new Error(`the popup shows the problem ${problem}`);
}

/** Takes a picture of a page, whose finite animations it ends. Only Chromium supports a `scale` other than 1. */
export async function takePicture(page: Page, scale = 1): Promise<Uint8Array> {
  const { width, height } = await page.evaluate(() => {
    for (const animation of document.getAnimations()) {
      if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
    }
    return { width: innerWidth, height: innerHeight };
  });
  return page.screenshot(scale === 1 ? {} : { clip: { x: 0, y: 0, width, height, scale } });
}
