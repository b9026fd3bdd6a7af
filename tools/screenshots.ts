// `npm run screenshots`: takes pictures of the real toolbar popup, for the stores, each on a page with a caption, in dist/store;
// and three for the documents, in docs/pictures. The feature shows notes and the provider is the demo provider, whatever is in
// src/feature and src/config.json.

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Page } from 'puppeteer-core';
import { findBrowser } from './browser/browsers.ts';
import type { ExtensionBrowser } from './browser/extension-browser.ts';
import { demoConfigPath } from './build/read-config.ts';
import { root } from './build/read-text.ts';
import { picturedFeature } from './build/settings.ts';
import { buildExtension } from './build.ts';
import { type OnStop, readOptions, runCommand, step } from './command.ts';
import { readDemonstrated, startDemo } from './demo.ts';
import {
  approve,
  expectSignedIn,
  showing,
  startSignIn,
  takePicture,
  openBlankPage,
  openBrowser,
  press,
} from './show.ts';

/** Chromium cuts a popup's picture off at this many pixels. */
const maxHeight = 600;

/** The largest usable scale of most. */
const scale = 1.5;

/**
 * The markup of each picture, of the light theme but for one. `problem` is a failed sign-in with its details open, and `menu` the
 * account menu.
 */
type Pictures = Readonly<
  Record<'signed-out' | 'problem' | 'signing-in' | 'signed-in' | 'signed-in-dark' | 'menu', string>
>;

async function takePictures(onStop: OnStop): Promise<Pictures> {
  const { config, demo } = readDemonstrated(demoConfigPath);
  if (demo === null) throw new Error(`${demoConfigPath} doesn't name the demo provider.`);
  const extensionDir = resolve(root, 'dist/screenshots');
  await step('build the extension', () =>
    buildExtension({ browser: 'chrome', outDir: extensionDir, config, featureDir: picturedFeature }),
  );
  const executablePath = await findBrowser('chrome', { log: console.log });
  const browser = await step(`start ${executablePath}`, () =>
    openBrowser('chrome', { extensionDir, executablePath, headless: true }, onStop),
  );
  const take = async (state: string, theme?: 'dark') =>
    takePopup(await browser.waitForPopup(showing(state)), theme);
  const signedOut = await take('signed-out');
  const problem = await takeProblem(browser, `[data-provider="${demo.id}"]`);
  await browser.replaceExtension(extensionDir);
  await step(`start the demo provider at ${demo.issuer}`, () => startDemo(demo, onStop));
  const signInWindow = await startSignIn(browser, demo);
  const signingIn = await take('signing-in');
  await approve(signInWindow);
  await expectSignedIn(browser);
  const signedIn = {
    'signed-in': await take('signed-in'),
    'signed-in-dark': await take('signed-in', 'dark'),
  };
  const popup = await browser.waitForPopup(showing('signed-in'));
  await press(popup, '[aria-haspopup="menu"]');
  const menu = await takePopup(popup);
  return { 'signed-out': signedOut, problem, 'signing-in': signingIn, ...signedIn, menu };
}

/** Takes the popup's picture after a click on `button` while no provider runs, with the details open. */
async function takeProblem(browser: ExtensionBrowser, button: string): Promise<string> {
  await press(await browser.waitForPopup(button), button);
  const popup = await browser.waitForPopup('details');
  await popup.evaluate(() => document.querySelector('details')?.setAttribute('open', ''));
  return takePopup(popup);
}

/** Takes the popup's picture. A high popup is taken at a smaller scale. */
async function takePopup(popup: Page, theme: 'light' | 'dark' = 'light'): Promise<string> {
  await popup.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
  // Otherwise the button under the pointer looks hovered.
  await popup.mouse.move(0, 0);
  const height = await popup.evaluate(() => innerHeight);
  const picture = await takePicture(popup, Math.min(scale, maxHeight / height));
  return `<img src="data:image/png;base64,${Buffer.from(picture).toString('base64')}">`;
}

const style = `
  body {
    display: flex;
    flex-direction: column;
    align-items: center;
    justify-content: center;
    gap: 56px;
    height: 100vh;
    margin: 0;
    background: #d4e3df;
    color: #12332e;
    font-family: system-ui, sans-serif;
  }

  h1 {
    margin: 0;
    font-size: 46px;
    font-weight: 600;
  }

  div {
    display: flex;
    align-items: center;
    gap: 48px;
  }

  img {
    width: 540px;
    border-radius: 12px;
    box-shadow: 0 24px 60px #12332e40;
  }

  .small img {
    width: 360px;
  }
`;

interface Composition {
  readonly file: string;
  readonly width: number;
  readonly height: number;
  /** Without one, the pictures are small. */
  readonly caption?: string;
  readonly shown: readonly (keyof Pictures)[];
}

/** The size that the stores require. */
const ofStores = { width: 1280, height: 800 };

const compositions: readonly Composition[] = [
  {
    file: 'docs/pictures/states.png',
    width: 1240,
    height: 440,
    shown: ['signed-out', 'signing-in', 'signed-in'],
  },
  { file: 'docs/pictures/problem.png', width: 420, height: 560, shown: ['problem'] },
  { file: 'docs/pictures/menu.png', width: 420, height: 440, shown: ['menu'] },
  {
    file: 'dist/store/1.png',
    ...ofStores,
    caption: 'Sign in once, and stay signed in',
    shown: ['signed-out'],
  },
  {
    file: 'dist/store/2.png',
    ...ofStores,
    caption: 'Your password stays with your provider',
    shown: ['signing-in'],
  },
  {
    file: 'dist/store/3.png',
    ...ofStores,
    caption: 'Light or dark, like your system',
    shown: ['signed-in', 'signed-in-dark'],
  },
];

await runCommand(async (onStop) => {
  readOptions({}, '');
  const pictures = await takePictures(onStop);
  const page = await openBlankPage(onStop);
  for (const { file, caption, shown, ...size } of compositions) {
    await step(`save ${file}`, async () => {
      const images = shown.map((picture) => pictures[picture]).join('');
      const body =
        caption === undefined
          ? `<div class="small">${images}</div>`
          : `<h1>${caption}</h1><div>${images}</div>`;
      await page.setViewport(size);
      await page.setContent(`<style>${style}</style>${body}`);
      await mkdir(dirname(join(root, file)), { recursive: true });
      await writeFile(join(root, file), await page.screenshot());
    });
  }
});
