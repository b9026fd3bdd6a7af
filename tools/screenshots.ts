// `npm run screenshots`: takes pictures of the real toolbar popup, in both browsers and both themes, for the stores: each on
// a page with a caption, in dist/store. And one of a sign-in from its beginning to its end, for the README, in docs/pictures.
// The feature is empty and the provider is the demo provider, whatever stands in src/feature and src/config.json.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import type { Page } from 'puppeteer-core';
import type { Config, Provider } from '../src/config/config.ts';
import { demoConfigPath } from './build/read-config.ts';
import { type Frame, toAnimatedPng } from './animated-png.ts';
import { emptyFeature } from './build/settings.ts';
import { type BrowserName, browserNames, findBrowser } from './browser/browsers.ts';
import { buildExtension } from './build.ts';
import { expectNoOptions, isCommand, type OnStop, runCommand } from './command.ts';
import { readDemonstrated, startDemo } from './demo.ts';
import {
  chooseFirstPerson,
  expectSignedIn,
  savePicture,
  showing,
  startSignIn,
  step,
} from './demonstration.ts';
import { openBlankPage, toImage } from './blank-page.ts';
import type { ExtensionBrowser } from './browser/extension-browser.ts';
import { openBrowser } from './show.ts';

const root = resolve(import.meta.dirname, '..');
const animation = resolve(root, 'docs/pictures/sign-in.png');
const store = resolve(root, 'dist/store');

/** The largest usable scale: Chromium cuts a popup's picture off at 600 pixels. */
const maxScale = 1.5;

const themes = ['light', 'dark'] as const;
const states = ['signed-out', 'signing-in', 'signed-in'] as const;

type Theme = (typeof themes)[number];
type State = (typeof states)[number];

/** The file for the popup's picture in a state and theme. */
type ToPath = (state: State, theme: Theme) => string;

/** The picture of the provider's page, while it asks who signs in. */
const signInPage = join(store, 'sign-in-page.png');

interface StorePicture {
  readonly caption: string;
  readonly shown: readonly (readonly [State, Theme])[];
}

const storePictures: readonly StorePicture[] = [
  { caption: 'Sign in once, and stay signed in', shown: [['signed-out', 'light']] },
  { caption: 'Your password stays with your provider', shown: [['signing-in', 'light']] },
  {
    caption: 'Light or dark, like your system',
    shown: [
      ['signed-in', 'light'],
      ['signed-in', 'dark'],
    ],
  },
];

const storeStyle = `
  body {
    display: flex;
    flex-direction: column;
    align-items: center;
    justify-content: center;
    gap: 56px;
    height: 800px;
    margin: 0;
    background: linear-gradient(160deg, #e3efec, #c5dcd7);
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
    gap: 48px;
  }

  img {
    width: 540px;
    border-radius: 12px;
    box-shadow: 0 24px 60px #12332e40;
  }
`;

/** The configuration, the provider and the feature of the pictures. */
interface Shown {
  readonly config: Config;
  /** The provider in the configuration to sign in with. */
  readonly demo: Provider;
  readonly featureDir: string;
}

/** Reads the configuration of the demo provider, and chooses an empty feature. Throws an Error without a demo provider. */
export function readShown(): Shown {
  const { config, demo } = readDemonstrated(demoConfigPath);
  if (demo === null) throw new Error(`${demoConfigPath} does not name the demo provider.`);
  return { config, demo, featureDir: emptyFeature };
}

/** Chromium can change the theme while it runs, and scale a picture. */
async function takePopupsOfChromium(shown: Shown, toPath: ToPath, onStop: OnStop): Promise<void> {
  const browser = await open('chrome', shown, {}, onStop);
  await signIn(browser, shown.demo, async (state, signInWindow) => {
    for (const theme of themes) {
      const popup = await browser.waitForPopup(showing(state));
      await popup.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
      await save(popup, toPath(state, theme), maxScale);
    }
    if (signInWindow !== null) await save(signInWindow, signInPage);
  });
  await browser.close();
}

/** Firefox takes theme and scale from preferences at its start. */
async function takePopupsOfFirefox(shown: Shown, toPath: ToPath, onStop: OnStop): Promise<void> {
  for (const theme of themes) {
    const preferences = {
      'ui.systemUsesDarkTheme': theme === 'dark' ? 1 : 0,
      'layout.css.devPixelsPerPx': String(maxScale),
    };
    const browser = await open('firefox', shown, preferences, onStop);
    await signIn(browser, shown.demo, async (state) =>
      save(await browser.waitForPopup(showing(state)), toPath(state, theme)),
    );
    await browser.close();
  }
}

async function open(
  name: BrowserName,
  { config, featureDir }: Shown,
  firefoxPreferences: Readonly<Record<string, string | number>>,
  onStop: OnStop,
): Promise<ExtensionBrowser> {
  const extensionDir = await mkdtemp(join(tmpdir(), 'latchkey-screenshots-'));
  onStop(() => rm(extensionDir, { recursive: true, force: true }));
  const executablePath = await findBrowser(name, { log: console.log });
  await step(`build the extension for ${name}`, () =>
    buildExtension({ browser: name, outDir: extensionDir, config, featureDir }),
  );
  return step(`start ${executablePath}`, () =>
    openBrowser(name, { extensionDir, executablePath, headless: true, firefoxPreferences }, onStop),
  );
}

/** Signs in, and calls `see` in each of the popup's states, with the sign-in window while it is open. */
async function signIn(
  browser: ExtensionBrowser,
  demo: Provider,
  see: (state: State, signInWindow: Page | null) => Promise<void>,
): Promise<void> {
  await see('signed-out', null);
  const signInWindow = await startSignIn(browser, demo);
  await see('signing-in', signInWindow);
  await chooseFirstPerson(signInWindow);
  await expectSignedIn(browser);
  await see('signed-in', null);
}

async function save(popup: Page, path: string, scale = 1): Promise<void> {
  await step(`save ${relative(root, path)}`, async () => {
    // Otherwise the button under the pointer looks hovered.
    await popup.mouse.move(0, 0);
    await savePicture(popup, path, scale);
  });
}

const animationStyle = `
  body {
    position: relative;
    height: 440px;
    margin: 0;
    background: #c5dcd7;
  }

  img {
    position: absolute;
    top: 44px;
    border-radius: 10px;
    box-shadow: 0 12px 32px #12332e40;
  }

  .popup {
    right: 40px;
    width: 360px;
  }

  .page {
    left: 40px;
    width: 360px;
    height: 352px;
    object-fit: cover;
    object-position: top;
  }
`;

/** Shows a sign-in from its beginning to its end, again and again. */
async function composeAnimation(toPath: ToPath, onStop: OnStop): Promise<void> {
  const page = await openBlankPage(840, 440, onStop);
  const popup = (state: State) => toImage(toPath(state, 'light'), 'popup');
  const scenes = [
    { shown: [await popup('signed-out')], ms: 2_000 },
    { shown: [await popup('signing-in'), await toImage(signInPage, 'page')], ms: 3_000 },
    { shown: [await popup('signed-in')], ms: 3_000 },
  ];
  const frames: Frame[] = [];
  for (const { shown, ms } of scenes) {
    await page.setContent(`<style>${animationStyle}</style>${shown.join('')}`);
    frames.push({ picture: await page.screenshot(), ms });
  }
  await step(`save ${relative(root, animation)}`, () => writeFile(animation, toAnimatedPng(frames)));
}

/** Puts the popup's pictures on pages of the size that the stores require. */
async function composeStorePictures(browserName: BrowserName, toPath: ToPath, onStop: OnStop): Promise<void> {
  const page = await openBlankPage(1280, 800, onStop);
  for (const [index, { caption, shown }] of storePictures.entries()) {
    const path = join(store, `${browserName}-${index + 1}.png`);
    await step(`save ${relative(root, path)}`, async () => {
      const images = await Promise.all(shown.map(([state, theme]) => toImage(toPath(state, theme), theme)));
      await page.setContent(`<style>${storeStyle}</style><h1>${caption}</h1><div>${images.join('')}</div>`);
      await page.screenshot({ path: path as `${string}.png` });
    });
  }
}

if (isCommand(import.meta.url)) {
  await runCommand(async (onStop) => {
    expectNoOptions();
    const shown = readShown();
    await mkdir(dirname(animation), { recursive: true });
    await mkdir(store, { recursive: true });
    await step(`start the demo provider at ${shown.demo.issuer}`, () => startDemo(shown.demo, onStop));

    for (const name of browserNames) {
      const toPath: ToPath = (state, theme) => join(store, `${name}-popup-${state}-${theme}.png`);
      await (name === 'chrome' ? takePopupsOfChromium : takePopupsOfFirefox)(shown, toPath, onStop);
      await composeStorePictures(name, toPath, onStop);
      if (name === 'chrome') await composeAnimation(toPath, onStop);
    }
  });
}
