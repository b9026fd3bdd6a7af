// `npm run screenshots`: takes pictures of the real toolbar popup, for the stores, each on a page with a caption, in dist/store;
// and one that shows a sign-in from its beginning to its end, for the README, in docs/pictures. The feature is empty and the
// provider is the demo provider, whatever is in src/feature and src/config.json.

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Page } from 'puppeteer-core';
import { type Frame, toAnimatedPng } from './animated-png.ts';
import { findBrowser } from './browser/browsers.ts';
import type { ExtensionBrowser } from './browser/extension-browser.ts';
import { demoConfigPath } from './build/read-config.ts';
import { emptyFeature } from './build/settings.ts';
import { buildExtension } from './build.ts';
import { type OnStop, readOptions, runCommand, step } from './command.ts';
import { readDemonstrated, startDemo } from './demo.ts';
import { chooseFirstPerson, expectSignedIn, showing, startSignIn, takePicture } from './demonstration.ts';
import { openBlankPage, openBrowser } from './show.ts';

const root = resolve(import.meta.dirname, '..');

/** The largest usable scale: Chromium cuts a popup's picture off at 600 pixels. */
const scale = 1.5;

type Popup = `${'signed-out' | 'signing-in' | 'signed-in'} ${'light' | 'dark'}`;

/** The markup of each picture. `page` is the provider's page, while it asks who signs in. */
type Pictures = Readonly<Record<Popup | 'page', string>>;

/** Takes the popup's picture in each state and theme, on the way through a sign-in at the demo provider. */
async function takePictures(onStop: OnStop): Promise<Pictures> {
  const { config, demo } = readDemonstrated(demoConfigPath);
  if (demo === null) throw new Error(`${demoConfigPath} does not name the demo provider.`);
  const extensionDir = resolve(root, 'dist/screenshots');
  await step(`start the demo provider at ${demo.issuer}`, () => startDemo(demo, onStop));
  await step('build the extension', () =>
    buildExtension({ browser: 'chrome', outDir: extensionDir, config, featureDir: emptyFeature }),
  );
  const executablePath = await findBrowser('chrome', { log: console.log });
  const browser = await step(`start ${executablePath}`, () =>
    openBrowser('chrome', { extensionDir, executablePath, headless: true }, onStop),
  );
  const signedOut = await takeThemes(browser, 'signed-out');
  const signInWindow = await startSignIn(browser, demo);
  const signingIn = await takeThemes(browser, 'signing-in');
  await signInWindow.waitForSelector('button[name="account"]');
  const page = toImage(await takePicture(signInWindow), 'page');
  await chooseFirstPerson(signInWindow);
  await expectSignedIn(browser);
  return { ...signedOut, ...signingIn, page, ...(await takeThemes(browser, 'signed-in')) } as Pictures;
}

async function takeThemes(
  browser: ExtensionBrowser,
  state: string,
): Promise<Readonly<Record<string, string>>> {
  const taken: Record<string, string> = {};
  for (const theme of ['light', 'dark']) {
    const popup = await browser.waitForPopup(showing(state));
    await popup.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
    // Otherwise the button under the pointer looks hovered.
    await popup.mouse.move(0, 0);
    taken[`${state} ${theme}`] = toImage(await takePicture(popup, scale), 'popup');
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
    height: 352px;
    object-fit: cover;
    object-position: top;
  }
`;

interface Composition {
  /** The file, relative to the project. */
  readonly file: string;
  readonly caption: string;
  readonly shown: readonly (keyof Pictures)[];
}

/** The size that the stores require. */
const storeSize = { width: 1280, height: 800 };

const compositions: readonly Composition[] = [
  {
    file: 'dist/store/1.png',
    caption: 'Sign in once, and stay signed in',
    shown: ['signed-out light'],
  },
  {
    file: 'dist/store/2.png',
    caption: 'Your password stays with your provider',
    shown: ['signing-in light'],
  },
  {
    file: 'dist/store/3.png',
    caption: 'Light or dark, like your system',
    shown: ['signed-in light', 'signed-in dark'],
  },
];

const animation = 'docs/pictures/sign-in.png';

/** The scenes of a sign-in, and how long each one is shown, in milliseconds. */
const scenes: readonly { readonly shown: readonly (keyof Pictures)[]; readonly ms: number }[] = [
  { shown: ['signed-out light'], ms: 2_000 },
  { shown: ['page', 'signing-in light'], ms: 3_000 },
  { shown: ['signed-in light'], ms: 3_000 },
];

/** Puts pictures on a page of the size that the stores require, below the caption. */
async function compose(page: Page, pictures: Pictures, { caption, shown }: Composition): Promise<Uint8Array> {
  await page.setViewport(storeSize);
  const images = shown.map((picture) => pictures[picture]).join('');
  await page.setContent(`<style>${style}</style><h1>${caption}</h1><div>${images}</div>`);
  return page.screenshot();
}

/** Shows a sign-in from its beginning to its end, again and again. */
async function animate(page: Page, pictures: Pictures): Promise<Uint8Array> {
  await page.setViewport({ width: 840, height: 440 });
  const frames: Frame[] = [];
  for (const { shown, ms } of scenes) {
    const images = shown.map((picture) => pictures[picture]).join('');
    await page.setContent(`<style>${style}</style><div class="small">${images}</div>`);
    frames.push({ picture: await page.screenshot(), ms });
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
  await save(animation, () => animate(page, pictures));
  for (const composition of compositions) {
    await save(composition.file, () => compose(page, pictures, composition));
  }
});
