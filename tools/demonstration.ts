// Shared by the commands that operate the extension without a user: the steps of a sign-in, and pictures of the popup.

import { type Page, TimeoutError } from 'puppeteer-core';
import type { Provider } from '../src/config/config.ts';
import type { ExtensionBrowser } from './browser/extension-browser.ts';

/** The selector of the popup's root element while it shows `status`. */
export function showing(status: string): string {
  return `main[data-status="${status}"]`;
}

/** Clicks the provider's button in the popup and returns the sign-in window's page. */
export async function startSignIn(browser: ExtensionBrowser, { id }: Provider): Promise<Page> {
  const popup = await browser.waitForPopup(`[data-provider="${id}"]`);
  await popup.click(`[data-provider="${id}"]`);
  return browser.waitForSignInWindow().catch(async (error: unknown) => {
    await expectNoProblem(await browser.openPopup());
    throw error;
  });
}

/** Signs in as the demo provider's first user, and consents if asked. */
export async function chooseFirstUser(page: Page): Promise<void> {
  const closed = new Promise<null>((resolveClosed) => page.once('close', () => resolveClosed(null)));
  for (const name of ['account', 'allow']) {
    const asking = page.waitForSelector(`button[name="${name}"]`).then((button) => button?.click());
    // The window may close during either action, which then rejects.
    const answered = asking.catch((error: unknown) => {
      if (error instanceof TimeoutError) throw error;
      return closed;
    });
    await Promise.race([closed, answered]);
  }
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

/** Takes a picture of a page after its finite animations have ended. Only Chromium supports another `scale` than 1. */
export async function takePicture(page: Page, scale = 1): Promise<Uint8Array> {
  const { width, height } = await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
    return { width: innerWidth, height: innerHeight };
  });
  return page.screenshot(scale === 1 ? {} : { clip: { x: 0, y: 0, width, height, scale } });
}
