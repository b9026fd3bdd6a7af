// What the commands that go through the extension by themselves have in common: each step as a person would do it,
// with the time it took, and pictures of the popup.

import { type Page, TimeoutError } from 'puppeteer-core';
import type { Provider } from '../src/config/config.ts';
import { toMessage } from './command.ts';
import type { ExtensionBrowser } from './browser/extension-browser.ts';

/** What the popup shows while it has this status. */
export function showing(status: string): string {
  return `main[data-status="${status}"]`;
}

/** Clicks the provider's button in the popup, and gives the sign-in window. */
export async function startSignIn(browser: ExtensionBrowser, { id }: Provider): Promise<Page> {
  const popup = await browser.waitForPopup(`[data-provider="${id}"]`);
  await popup.click(`[data-provider="${id}"]`);
  return browser.waitForSignInWindow().catch(async (error: unknown) => {
    await refuseProblem(await browser.openPopup());
    throw error;
  });
}

/** Signs in at the demo provider, which asks for consent only once. */
export async function chooseFirstPerson(page: Page): Promise<void> {
  const closed = new Promise<null>((resolveClosed, reject) => {
    page.once('close', () => resolveClosed(null));
    setTimeout(() => reject(new Error('it does not close')), 60_000).unref();
  });
  // Whatever is under way in the window when it closes fails, and that is no failure here.
  const untilClosed = <Result>(action: Promise<Result>): Promise<Result | null> =>
    Promise.race([
      closed,
      action.catch((error: unknown) => {
        if (error instanceof TimeoutError) throw error;
        return closed;
      }),
    ]);
  await page.waitForSelector('button[name="account"]').catch(async (error: unknown) => {
    throw new Error(`it shows "${await page.title()}", and nobody to choose`, { cause: error });
  });
  await untilClosed(page.click('button[name="account"]'));
  const allow = await untilClosed(page.waitForSelector('button[name="allow"]'));
  if (allow !== null) await untilClosed(allow.click());
  await closed;
}

/** Waits until the popup shows who is signed in. */
export async function expectSignedIn(browser: ExtensionBrowser): Promise<void> {
  const popup = await browser.waitForPopup(`${showing('signed-in')}, [data-problem]`);
  await refuseProblem(popup);
}

/** Throws where the popup shows a problem. */
export async function refuseProblem(popup: Page): Promise<void> {
  const problem = await popup.evaluate(() => {
    const element = document.querySelector<HTMLElement>('[data-problem]');
    return element && `${element.dataset['problem']}: ${element.innerText.replaceAll(/\s+/g, ' ')}`;
  });
  if (problem !== null) throw new Error(`the popup shows the problem ${problem}`);
}

/**
 * A picture of a page as it stands when what moves has come to rest. Chromium alone can draw it more finely than
 * on a screen.
 */
export async function savePicture(page: Page, path: string, scale = 1): Promise<void> {
  const { width, height } = await page.evaluate(async () => {
    const revocation = document
      .getAnimations()
      .filter(
        ({ effect, playState }) =>
          playState === 'running' && effect?.getComputedTiming().endTime !== Infinity,
      );
    await Promise.allSettled(revocation.map(({ finished }) => finished));
    return { width: innerWidth, height: innerHeight };
  });
  await page.screenshot({
    path: path as `${string}.png`,
    ...(scale !== 1 && { clip: { x: 0, y: 0, width, height, scale } }),
  });
}

/** Prints a step with the time it took, and names it if it fails. */
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
