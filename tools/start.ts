// `npm start`: builds the extension, starts the demo provider, and opens a real browser with the popup showing.
// With a display it stays until Ctrl-C or until the browser is closed; without one it tries everything by itself.

import { mkdir } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { type Page, TimeoutError } from 'puppeteer-core';
import type { Provider } from '../src/config/config.ts';
import { readConfigFile } from '../vite.config.ts';
import { findBrowser, hasDisplay } from './browsers.ts';
import { buildExtension } from './build.ts';
import { readBrowserOption, runCommand, toMessage } from './command.ts';
import type { ExtensionBrowser } from './extension-browser.ts';
import { findDemo, openBrowser, startDemo, waitUntilClosed } from './show.ts';

const root = resolve(import.meta.dirname, '..');
const pictures = resolve(root, 'dist/demo');

await runCommand(async (onStop) => {
  const name = readBrowserOption();
  const demo = findDemo(readConfigFile());
  const isAttended = hasDisplay();
  const extensionDir = resolve(root, 'dist', name);

  const executablePath = await findBrowser(name, { log: console.log });
  await step(`build ${toShown(extensionDir)}`, () => buildExtension({ browser: name }));
  if (demo !== null) {
    await step(`start the demo provider at ${demo.issuer}`, () => startDemo(demo, onStop));
  }
  const browser = await step(`start ${executablePath}`, () =>
    openBrowser(name, { extensionDir, executablePath, headless: !isAttended }, onStop),
  );
  if (isAttended) await attend(browser, demo);
  else await demonstrate(browser, demo);
});

/** Shows the popup and leaves the rest to the person, until they close the browser. */
async function attend(browser: ExtensionBrowser, demo: Provider | null): Promise<void> {
  await step('open the popup', () => browser.openPopup());
  console.log(`
Latchkey is in ${await browser.browser.version()}, with a profile of its own that is thrown away at the end.
${
  demo === null
    ? 'Sign in with the provider that the configuration names.'
    : `Click "Continue with ${demo.name}" in its popup, and choose a person: both are made up.`
}
The popup closes when you click elsewhere; its button is in the toolbar, or behind the puzzle piece there.
To stop, press Ctrl-C or close the browser.`);
  await waitUntilClosed(browser);
}

/** Goes once through everything that a person can do, and takes a picture of each state. */
async function demonstrate(browser: ExtensionBrowser, demo: Provider | null): Promise<void> {
  await mkdir(pictures, { recursive: true });
  const startedAtMs = Date.now();
  await step('open the popup', () => browser.waitForPopup(showing('signed-out')));
  await takePicture(browser, '1-signed-out');
  if (demo === null) {
    console.log('The demo provider is not in the configuration, so nobody signs in here.');
    return;
  }

  const signInWindow = await step(`click "Continue with ${demo.name}"`, async () => {
    const popup = await browser.waitForPopup(`[data-provider="${demo.id}"]`);
    await popup.click(`[data-provider="${demo.id}"]`);
    return browser.waitForSignInWindow().catch(async (error: unknown) => {
      await refuseProblem(await browser.openPopup());
      throw error;
    });
  });
  await step('see that a sign-in is under way', () => browser.waitForPopup(showing('signing-in')));
  await takePicture(browser, '2-signing-in');

  await step('choose the first person in the sign-in window', () => chooseFirstPerson(signInWindow));
  await step('be signed in', async () => {
    const popup = await browser.waitForPopup(`${showing('signed-in')}, [data-problem]`);
    await refuseProblem(popup);
  });
  await takePicture(browser, '3-signed-in');

  await step('sign out', async () => {
    const popup = await browser.waitForPopup('[data-action="sign-out"]');
    const menu = await popup.$('[aria-haspopup="menu"]');
    await menu?.click();
    await popup.click('[data-action="sign-out"]');
    await refuseProblem(await browser.waitForPopup(showing('signed-out')));
  });
  await takePicture(browser, '4-signed-out');
  console.log(`Signed in and out again in ${Date.now() - startedAtMs} ms.`);
}

/** Signs in at the demo provider, which asks for consent only once. */
async function chooseFirstPerson(page: Page): Promise<void> {
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

async function refuseProblem(popup: Page): Promise<void> {
  const problem = await popup.evaluate(() => {
    const element = document.querySelector<HTMLElement>('[data-problem]');
    return element && `${element.dataset['problem']}: ${element.innerText.replaceAll(/\s+/g, ' ')}`;
  });
  if (problem !== null) throw new Error(`the popup shows the problem ${problem}`);
}

async function takePicture(browser: ExtensionBrowser, state: string): Promise<void> {
  const path = resolve(pictures, `${browser.name}-${state}.png`);
  await step(`save ${toShown(path)}`, async () => {
    const popup = await browser.openPopup();
    await popup.evaluate(async () => {
      const ending = document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
      await Promise.allSettled(ending.map(({ finished }) => finished));
    });
    await popup.screenshot({ path: path as `${string}.png` });
  });
}

function showing(status: string): string {
  return `main[data-status="${status}"]`;
}

/** Prints a step with the time it took, and names it if it fails. */
async function step<Result>(name: string, action: () => Promise<Result>): Promise<Result> {
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

function toShown(path: string): string {
  return relative(root, path);
}
