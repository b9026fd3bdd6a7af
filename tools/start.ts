// `npm start`: builds the extension, starts the demo provider, and opens a real browser with the popup showing.
// With a display it stays until Ctrl-C or until the browser is closed; without one it tries everything by itself.

import { mkdir } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import type { Provider } from '../src/config/config.ts';
import { readConfigFile } from '../vite.config.ts';
import { findBrowser, hasDisplay } from './browser/browsers.ts';
import { buildExtension } from './build.ts';
import { readBrowserOption, runCommand } from './command.ts';
import {
  chooseFirstPerson,
  expectSignedIn,
  refuseProblem,
  savePicture,
  showing,
  startSignIn,
  step,
} from './demonstration.ts';
import type { ExtensionBrowser } from './browser/extension-browser.ts';
import { serveGallery } from './gallery.ts';
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
  await takePictureOfStarting(browser);
  const startedAtMs = Date.now();
  await step('open the popup', () => browser.waitForPopup(showing('signed-out')));
  await takePicture(browser, '1-signed-out');
  if (demo === null) {
    console.log('The demo provider is not in the configuration, so nobody signs in here.');
    return;
  }

  const signInWindow = await step(`click "Continue with ${demo.name}"`, () => startSignIn(browser, demo));
  await step('see that a sign-in is under way', () => browser.waitForPopup(showing('signing-in')));
  await takePicture(browser, '2-signing-in');

  await step('choose the first person in the sign-in window', () => chooseFirstPerson(signInWindow));
  await step('be signed in', () => expectSignedIn(browser));
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

async function takePicture(browser: ExtensionBrowser, state: string): Promise<void> {
  const path = resolve(pictures, `${browser.name}-${state}.png`);
  await step(`save ${toShown(path)}`, async () => savePicture(await browser.openPopup(), path));
}

/** In the popup it passes too fast for a picture, so it is taken from the gallery of its faces. */
async function takePictureOfStarting({ name, home }: ExtensionBrowser): Promise<void> {
  const path = resolve(pictures, `${name}-0-starting.png`);
  await step(`save ${toShown(path)}, from the gallery`, async () => {
    const gallery = await serveGallery();
    try {
      await home.goto(`${gallery.address}face.html?face=starting`);
      const face = await home.waitForSelector('[data-face] body');
      await face?.screenshot({ path: path as `${string}.png` });
    } finally {
      await gallery.close();
    }
  });
}

function toShown(path: string): string {
  return relative(root, path);
}
