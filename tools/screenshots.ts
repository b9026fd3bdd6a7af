// `npm run screenshots`: takes pictures of the real toolbar popup, for the stores, each on a page with a caption, in dist/store;
// and four for the documents, in docs/pictures. The feature shows notes and the provider is the demo provider, whatever is in
// src/feature and src/config.json.

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Page } from 'puppeteer-core';
import { type Frame, toAnimatedPng } from './animated-png.ts';
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

type Popup = `${'signed-out' | 'signing-in' | 'signed-in'} ${'light' | 'dark'}`;

/**
 * The markup of each picture. `page` is the provider's page, while it asks who signs in. `problem` is a failed sign-in with its
 * details open, and `menu` the account menu.
 */
type Pictures = Readonly<Record<Popup | 'page' | 'problem' | 'menu', string>>;

/** Takes the popup's picture in each state and theme, on the way through a sign-in at the demo provider. */
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
  const signedOut = await takeThemes(browser, 'signed-out');
  const problem = await takeProblem(browser, `[data-provider="${demo.id}"]`);
  await browser.replaceExtension(extensionDir);
  await step(`start the demo provider at ${demo.issuer}`, () => startDemo(demo, onStop));
  const signInWindow = await startSignIn(browser, demo);
  const signingIn = await takeThemes(browser, 'signing-in');
  await signInWindow.waitForSelector('button[name="account"]');
  const page = toImage(await takePicture(signInWindow), 'page');
  await approve(signInWindow);
  await expectSignedIn(browser);
  const signedIn = await takeThemes(browser, 'signed-in');
  const popup = await browser.waitForPopup(showing('signed-in'));
  await press(popup, '[aria-haspopup="menu"]');
  const menu = await takeTheme(popup, 'light');
  return { ...signedOut, problem, ...signingIn, page, ...signedIn, menu } as Pictures;
}

/** Takes the popup's picture after a click on `button` while no provider runs, with the details open. */
async function takeProblem(browser: ExtensionBrowser, button: string): Promise<string> {
  await press(await browser.waitForPopup(button), button);
  const popup = await browser.waitForPopup('details');
  await popup.evaluate(() => document.querySelector('details')?.setAttribute('open', ''));
  return takeTheme(popup, 'light');
}

/** Takes the popup's picture in this theme. A high popup is taken at a smaller scale. */
async function takeTheme(popup: Page, theme: string): Promise<string> {
  await popup.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
  // Otherwise the button under the pointer looks hovered.
  await popup.mouse.move(0, 0);
  const height = await popup.evaluate(() => innerHeight);
  return toImage(await takePicture(popup, Math.min(scale, maxHeight / height)), 'popup');
}

async function takeThemes(
  browser: ExtensionBrowser,
  state: string,
): Promise<Readonly<Record<string, string>>> {
  const taken: Record<string, string> = {};
  for (const theme of ['light', 'dark']) {
    const popup = await browser.waitForPopup(showing(state));
    taken[`${state} ${theme}`] = await takeTheme(popup, theme);
  }
  return taken;
}

function toImage(picture: Uint8Array, className: string): string {
  return `<img class="${className}" src="data:image/png;base64,${Buffer.from(picture).toString('base64')}">`;
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

  .small .page {
    height: 320px;
    object-fit: cover;
    object-position: top;
  }
`;

/** The pictures to put on a page, side by side. */
type Shown = readonly (keyof Pictures)[];

/** A page of the size that the stores require: its caption, and the pictures below. */
const compositions: readonly (readonly [caption: string, ...Shown])[] = [
  ['Sign in once, and stay signed in', 'signed-out light'],
  ['Your password stays with your provider', 'signing-in light'],
  ['Light or dark, like your system', 'signed-in light', 'signed-in dark'],
];

const animation = 'docs/pictures/sign-in.png';

/**
 * The scenes of a sign-in, and how long each one is shown, in milliseconds. A viewer without animations shows only the first, so
 * that one has the feature in it.
 */
const scenes: readonly (readonly [ms: number, ...Shown])[] = [
  [3_000, 'signed-in light'],
  [2_000, 'signed-out light'],
  [3_000, 'page', 'signing-in light'],
];

/** The popup in each state, for the people who use it. */
const states: Shown = ['signed-out light', 'signing-in light', 'signed-in light'];

/** The pictures for the documents that show one popup, with their heights. */
const single = { problem: 560, menu: 440 } as const;

/** Takes a picture of a page with these pictures. `toMarkup` gets their images. */
async function compose(
  page: Page,
  pictures: Pictures,
  shown: Shown,
  toMarkup: (images: string) => string,
): Promise<Uint8Array> {
  const images = shown.map((picture) => pictures[picture]).join('');
  await page.setContent(`<style>${style}</style>${toMarkup(images)}`);
  return page.screenshot();
}

/** Shows a sign-in from its beginning to its end, again and again. */
async function animate(page: Page, pictures: Pictures): Promise<Uint8Array> {
  await page.setViewport({ width: 840, height: 440 });
  const frames: Frame[] = [];
  for (const [ms, ...shown] of scenes) {
    const picture = await compose(page, pictures, shown, (images) => `<div class="small">${images}</div>`);
    frames.push({ picture, ms });
  }
  return toAnimatedPng(frames);
}

async function save(file: string, take: () => Promise<Uint8Array>): Promise<void> {
  await step(`save ${file}`, async () => {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), await take());
  });
}

await runCommand(async (onStop) => {
  readOptions({}, '');
  const pictures = await takePictures(onStop);
  const page = await openBlankPage(onStop);
  await page.setViewport({ width: 1240, height: 440 });
  const toSmall = (images: string) => `<div class="small">${images}</div>`;
  await save('docs/pictures/states.png', () => compose(page, pictures, states, toSmall));
  for (const shown of ['problem', 'menu'] as const) {
    await page.setViewport({ width: 420, height: single[shown] });
    await save(`docs/pictures/${shown}.png`, () => compose(page, pictures, [shown], toSmall));
  }
  await save(animation, () => animate(page, pictures));
  await page.setViewport({ width: 1280, height: 800 });
  for (const [index, [caption, ...shown]] of compositions.entries()) {
    const toMarkup = (images: string) => `<h1>${caption}</h1><div>${images}</div>`;
    await save(`dist/store/${index + 1}.png`, () => compose(page, pictures, shown, toMarkup));
  }
});
