// `npm start`: builds the extension, starts the demo provider, and opens a real browser with the popup showing.
// With a display it runs until Ctrl-C or until the browser is closed; without one it signs in and out by itself.

import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import type { Provider } from '../src/config/config.ts';
import { findBrowser, hasDisplay } from './browser/browsers.ts';
import type { ExtensionBrowser } from './browser/extension-browser.ts';
import { toConfigPath } from './build/read-config.ts';
import { buildExtension } from './build.ts';
import { readBrowserOptions, runCommand, step } from './command.ts';
import { describeOthers, readDemonstrated, startDemo, toBuildFolder } from './demo.ts';
import {
  approve,
  expectNoProblem,
  expectSignedIn,
  showing,
  startSignIn,
  takePicture,
  offerPopup,
  openBrowser,
  toProfile,
  waitUntilClosed,
} from './show.ts';
import { examineConfig } from './doctor/examine.ts';
import { describeObstacles } from './doctor/print.ts';
import { network } from './doctor/world.ts';
import { readProductName } from './build/read-manifest.ts';
import { root } from './build/read-text.ts';
const pictures = 'dist/demo';

await runCommand(async (onStop) => {
  const options = readBrowserOptions();
  const { name } = options;
  const demonstrated = readDemonstrated();
  const { config, demo } = demonstrated;
  // A folder of its own, because this build isn't for shipping.
  const outDir = resolve(root, 'dist/start', toBuildFolder(name, demo));
  const executablePath = await findBrowser(name, { log: console.log });

  // Before the build, which would replace the one that the browser of another `npm start` has loaded.
  if (demo !== null) {
    await step(`start the demo provider at ${demo.issuer}`, () => startDemo(demo, onStop));
  }
  const examination = examineConfig({ config, configPath: toConfigPath(), network });
  // A failure is printed after the build.
  examination.catch(() => undefined);
  await step(`build ${relative(root, outDir)}`, () =>
    buildExtension({ browser: name, config, mode: 'demonstration', outDir }),
  );
  for (const line of await describeObstacles(examination, name)) console.log(line);
  for (const line of describeOthers(demonstrated, name)) console.log(line);

  const isAttended = hasDisplay();
  const launching = { extensionDir: outDir, executablePath, headless: !isAttended, ...toProfile(options) };
  const browser = await step(`start ${executablePath}`, () => openBrowser(name, launching, onStop));
  if (isAttended) await attend(browser, demo, options.keepsProfile);
  else await demonstrate(browser, demo);
});

async function attend(opened: ExtensionBrowser, demo: Provider | null, keepsProfile: boolean): Promise<void> {
  const productName = readProductName();
  await step('open the popup', () => offerPopup(opened, productName));
  console.log(`
${productName} is in ${await opened.browser.version()}, with a ${keepsProfile ? 'profile that is kept' : 'temporary profile'}.
${
  demo === null
    ? 'Sign in with the configured provider.'
    : `Click "Continue with ${demo.name}" in the popup, and choose one of two fictional people.`
}
The popup closes when you click elsewhere. Its button is in the toolbar, or behind the puzzle piece there.
Press Ctrl-C or close the browser to stop.`);
  await waitUntilClosed(opened);
}

async function demonstrate(browser: ExtensionBrowser, demo: Provider | null): Promise<void> {
  if (demo === null) {
    console.log(`There is no display, and the configuration doesn't name the demo provider, so there is no sign-in to show.
\`npm run doctor\` checks your provider without a sign-in. docs/feature.md says how to use the demo provider again.`);
    return;
  }
  console.log(
    `There is no display, so the first user of ${demo.name} signs in without you, and the pictures are in ${pictures}.`,
  );
  const startedAtMs = Date.now();
  await step('open the popup', () => browser.waitForPopup(showing('signed-out')));
  await savePicture(browser, '1-signed-out');

  const signInWindow = await step(`click "Continue with ${demo.name}"`, () => startSignIn(browser, demo));
  await step('see the sign-in in progress', () => browser.waitForPopup(showing('signing-in')));
  await savePicture(browser, '2-signing-in');

  await step('choose the first user in the sign-in window', () => approve(signInWindow));
  await step('be signed in', () => expectSignedIn(browser));
  await savePicture(browser, '3-signed-in');

  await step('sign out', async () => {
    const popup = await browser.waitForPopup('[data-action="sign-out"]');
    const menu = await popup.$('[aria-haspopup="menu"]');
    await menu?.click();
    await popup.click('[data-action="sign-out"]');
    await expectNoProblem(await browser.waitForPopup(showing('signed-out')));
  });
  await savePicture(browser, '4-signed-out');
  console.log(`Signed in and out in ${Date.now() - startedAtMs} ms.`);
}

async function savePicture(browser: ExtensionBrowser, state: string): Promise<void> {
  const path = join(pictures, `${browser.name}-${state}.png`);
  await step(`save ${path}`, async () => {
    await mkdir(resolve(root, pictures), { recursive: true });
    await writeFile(resolve(root, path), await takePicture(await browser.openPopup()));
  });
}
