// `npm start`: builds the extension, starts the demo provider, and opens a real browser with the popup showing.
// With a display it runs until Ctrl-C or until the browser is closed; without one it signs in and out by itself.

import { mkdir } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import type { Provider } from '../src/config/config.ts';
import { findBrowser, hasDisplay, toBrowserName } from './browser/browsers.ts';
import { toConfigPath } from './build/read-config.ts';
import { buildExtension } from './build.ts';
import { readBrowserOption, runCommand } from './command.ts';
import { describeOthers, readDemonstrated, startDemoThenBuild, toBuildOptions } from './demo.ts';
import {
  chooseFirstPerson,
  expectSignedIn,
  expectNoProblem,
  savePicture,
  showing,
  startSignIn,
  step,
} from './demonstration.ts';
import { examineConfig } from './doctor/examine.ts';
import { describeObstacles } from './doctor/print.ts';
import { network } from './doctor/world.ts';
import type { ExtensionBrowser } from './browser/extension-browser.ts';
import { buildGallery, serveGallery } from './gallery.ts';
import { readProductName } from './product.ts';
import { attend, describeUnattended, openBrowser } from './show.ts';

const root = resolve(import.meta.dirname, '..');
const pictures = resolve(root, 'dist/demo');

await runCommand(async (onStop) => {
  const product = readBrowserOption();
  const name = toBrowserName(product);
  const demonstrated = readDemonstrated();
  const { demo } = demonstrated;
  const options = toBuildOptions(demonstrated, name);
  const isAttended = hasDisplay();

  const executablePath = await findBrowser(product, { log: console.log });
  await startDemoThenBuild(demo, onStop, async () => {
    const { config } = demonstrated;
    // Beside the build, and after the demo provider listens.
    const examination = examineConfig({ config, configPath: toConfigPath(), network });
    // A failure is printed after the build.
    examination.catch(() => undefined);
    await step(`build ${toRelativePath(options.outDir)}`, () => buildExtension(options));
    for (const line of await describeObstacles(examination, name)) console.log(line);
  });
  for (const line of describeOthers(demonstrated, name)) console.log(line);
  const browser = await step(`start ${executablePath}`, () =>
    openBrowser(name, { extensionDir: options.outDir, executablePath, headless: !isAttended }, onStop),
  );
  if (isAttended) await attend(browser, demo, readProductName(), console.log);
  else {
    console.log(describeUnattended(demo));
    await demonstrate(browser, demo);
  }
});

/** Signs in and out once, and saves a picture of each state. */
async function demonstrate(browser: ExtensionBrowser, demo: Provider | null): Promise<void> {
  await mkdir(pictures, { recursive: true });
  await takePictureOfStarting(browser);
  const startedAtMs = Date.now();
  await step('open the popup', () => browser.waitForPopup(showing('signed-out')));
  await takePicture(browser, '1-signed-out');
  if (demo === null) {
    return;
  }

  const signInWindow = await step(`click "Continue with ${demo.name}"`, () => startSignIn(browser, demo));
  await step('see the sign-in in progress', () => browser.waitForPopup(showing('signing-in')));
  await takePicture(browser, '2-signing-in');

  await step('choose the first person in the sign-in window', () => chooseFirstPerson(signInWindow));
  await step('be signed in', () => expectSignedIn(browser));
  await takePicture(browser, '3-signed-in');

  await step('sign out', async () => {
    const popup = await browser.waitForPopup('[data-action="sign-out"]');
    const menu = await popup.$('[aria-haspopup="menu"]');
    await menu?.click();
    await popup.click('[data-action="sign-out"]');
    await expectNoProblem(await browser.waitForPopup(showing('signed-out')));
  });
  await takePicture(browser, '4-signed-out');
  console.log(`Signed in and out in ${Date.now() - startedAtMs} ms.`);
}

async function takePicture(browser: ExtensionBrowser, state: string): Promise<void> {
  const path = resolve(pictures, `${browser.name}-${state}.png`);
  await step(`save ${toRelativePath(path)}`, async () => savePicture(await browser.openPopup(), path));
}

/** The popup leaves this state too fast for a picture, so the picture comes from the gallery. */
async function takePictureOfStarting({ name, home }: ExtensionBrowser): Promise<void> {
  const path = resolve(pictures, `${name}-0-starting.png`);
  await step(`save ${toRelativePath(path)}, from the gallery`, async () => {
    const outDir = resolve(root, 'dist/gallery');
    await buildGallery(outDir);
    const gallery = await serveGallery(outDir);
    try {
      // As wide as the popup.
      await home.setViewport({ width: 360, height: 600 });
      await home.goto(`${gallery.address}?face=starting&bare`);
      const face = await home.waitForSelector('[data-face] body');
      await face?.screenshot({ path: path as `${string}.png` });
    } finally {
      await gallery.close();
    }
  });
}

function toRelativePath(path: string): string {
  return relative(root, path);
}
