// Shared by the commands that operate the extension without a person: the steps of a sign-in, each with the time it
// took, and pictures of the popup.

import { type Page, TimeoutError } from 'puppeteer-core';
import type { Provider } from '../src/config/config.ts';
import { toMessage } from './command.ts';
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

/** Signs in as the demo provider's first person, and consents if asked. Resolves when the window has closed. */
export async function chooseFirstPerson(page: Page): Promise<void> {
  const closed = new Promise<null>((resolveClosed, reject) => {
    page.once('close', () => resolveClosed(null));
    setTimeout(() => reject(new Error('the sign-in window did not close within 60 s')), 60_000).unref();
  });
  // Actions still running when the window closes reject; only a timeout is an error here.
  const untilClosed = <Result>(action: Promise<Result>): Promise<Result | null> =>
    Promise.race([
      closed,
      action.catch((error: unknown) => {
        if (error instanceof TimeoutError) throw error;
        return closed;
      }),
    ]);
  await page.waitForSelector('button[name="account"]').catch(async (error: unknown) => {
    throw new Error(`the sign-in window shows "${await page.title()}" instead of the accounts`, {
      cause: error,
    });
  });
  await untilClosed(page.click('button[name="account"]'));
  const allow = await untilClosed(page.waitForSelector('button[name="allow"]'));
  if (allow !== null) await untilClosed(allow.click());
  await closed;
}

/** Waits until the popup shows the signed-in person. Throws if it shows a problem instead. */
export async function expectSignedIn(browser: ExtensionBrowser): Promise<void> {
  const popup = await browser.waitForPopup(`${showing('signed-in')}, [data-problem]`);
  await expectNoProblem(popup);
}

/** Throws if the popup shows a problem. */
export async function expectNoProblem(popup: Page): Promise<void> {
  const problem = await popup.evaluate(() => {
    const element = document.querySelector<HTMLElement>('[data-problem]');
    return element && `${element.dataset['problem']}: ${element.innerText.replaceAll(/\s+/g, ' ')}`;
  });
  if (problem !== null) throw new Error(`the popup shows the problem ${problem}`);
}

/**
 * Saves a picture of a page after its finite animations have ended. `scale` above 1 draws more pixels than a screen
 * does; only Chromium supports it.
 */
export async function savePicture(page: Page, path: string, scale = 1): Promise<void> {
  const { width, height } = await page.evaluate(async () => {
    const running = document
      .getAnimations()
      .filter(
        ({ effect, playState }) =>
          playState === 'running' && effect?.getComputedTiming().endTime !== Infinity,
      );
    await Promise.allSettled(running.map(({ finished }) => finished));
    return { width: innerWidth, height: innerHeight };
  });
  await page.screenshot({
    path: path as `${string}.png`,
    ...(scale !== 1 && { clip: { x: 0, y: 0, width, height, scale } }),
  });
}

/** Runs a step and prints it with the time it took. An error names the step. */
export async function step<Result>(name: string, action: () => Promise<Result>): Promise<Result> {
  const startedAtMs = performance.now();
  const result = await action().catch((error: unknown) => {
    throw new Error(`Could not ${name}: ${toMessage(error)}`, { cause: error });
  });
  console.log(
    `${Math.round(performance.now() - startedAtMs)
      .toString()
      .padStart(6)} ms  ${name}`,
  );
  return result;
}
