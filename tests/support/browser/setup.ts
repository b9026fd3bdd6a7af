// Sets up a test: a demo provider on a free port, a release build of the extension for it, and a real browser.

import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import type { Page } from 'puppeteer-core';
import { inject, onTestFinished } from 'vitest';
import type { Board } from '../../../src/bridge/session/board.ts';
import type { ProblemCode } from '../../../src/session/problem.ts';
import type { FirefoxPreferences } from '../../../tools/browser/driver.ts';
import type { ExtensionBrowser } from '../../../tools/browser/extension-browser.ts';
import { readManifest } from '../../../tools/build/read-manifest.ts';
import { marisol, type User } from '../../../tools/demo-provider/people.ts';
import type { DemoProvider, DemoProviderOptions } from '../../../tools/demo-provider/provider.ts';
import { startConfigured } from '../../../tools/set-up-extension.ts';
import { approve, press, showing, startSignIn as startAt } from '../../../tools/show.ts';
import { toRead } from '../english.ts';
import { copyBuild, type FeatureChoice } from './builds.ts';
import { recordFaces } from './faces.ts';
import { borrowBrowser, type BorrowedBrowser } from './shared-browser.ts';
import type { ExtensionGlobal } from './extension-global.ts';

export { approve, press };

export const browserName = inject('browserName');
export const manifest = readManifest();

export interface BrowserSetup {
  readonly provider?: DemoProviderOptions;
  readonly persistence?: 'device' | 'browser';
  /** APIs besides the demo provider's own that may receive the token. */
  readonly apiOrigins?: readonly string[];
  /** `none` by default, whatever is in src/feature. */
  readonly feature?: FeatureChoice;
  /** Further members of the demo provider's configuration, such as another of its clients. */
  readonly configuration?:
    | Readonly<Record<string, unknown>>
    | ((demo: DemoProvider) => Readonly<Record<string, unknown>>);
  readonly firefoxPreferences?: FirefoxPreferences;
  /** The browser's language, by the name of its folder in _locales. */
  readonly language?: string;
  /** Members of the built manifest to add or replace, such as another page of the extension. */
  readonly manifest?: Readonly<Record<string, unknown>>;
  /** Whether the popup's page records its faces. */
  readonly recordsFaces?: boolean;
}

export interface Extension {
  /** The running provider. */
  readonly demo: DemoProvider;
  /** The running browser. */
  readonly browser: ExtensionBrowser;
  /** The folder of the build that is in it. */
  readonly extensionDir: string;
  restartBrowser: BorrowedBrowser['restart'];
  /** Closes this browser after the test, so that the next test gets a new one. */
  discardBrowser(): void;
  /** Starts the provider again at the same address, without its sessions and tokens. */
  restartProvider(): Promise<void>;
}

/** Starts provider and browser. They stop when the test has finished. */
export async function setUpExtension({
  provider = {},
  persistence = 'device',
  apiOrigins = [],
  feature = 'none',
  configuration = {},
  firefoxPreferences,
  language,
  manifest: members,
  recordsFaces = false,
}: BrowserSetup = {}): Promise<Extension> {
  const started = await startConfigured(
    (running) => ({
      apiOrigins: [running.issuer, ...apiOrigins],
      ...(typeof configuration === 'function' ? configuration(running) : configuration),
    }),
    provider,
  );
  let { demo } = started;
  onTestFinished(() => demo.close());
  const extensionDir = await copyBuild({ providers: [started.entry], persistence }, feature);
  if (language !== undefined && browserName === 'chrome') await translate(extensionDir, language);
  if (members !== undefined) await extend(extensionDir, members);
  if (recordsFaces) await recordFaces(extensionDir);
  const borrowed = await borrowBrowser(extensionDir, {
    ...(firefoxPreferences !== undefined && { firefoxPreferences }),
    // Chromium keeps the language that it starts with, also for the tests after this one.
    ...(language !== undefined && browserName === 'firefox' && { language: language.replace('_', '-') }),
  });
  const extension: Extension = {
    get demo() {
      return demo;
    },
    async restartProvider() {
      await demo.close();
      demo = await started.restart();
    },
    get browser() {
      return borrowed.current();
    },
    extensionDir,
    restartBrowser: borrowed.restart,
    discardBrowser: borrowed.discard,
  };
  onTestFinished(({ task }) => (task.result?.state === 'fail' ? printState(extension) : undefined));
  return extension;
}

/** Prints the board and the journal of a failed test. Neither holds a secret. */
async function printState({ browser }: Extension): Promise<void> {
  const read = browser.evaluateInExtension(async () => {
    const { chrome } = globalThis as unknown as ExtensionGlobal;
    const keys = ['board', 'journal', 'toolbar'];
    const areas = [chrome.storage.local.get(keys), chrome.storage.session.get(keys)];
    return JSON.stringify(await Promise.all(areas));
  });
  const late = new Promise<string>((settle) => setTimeout(settle, 5_000, 'nothing in 5 s'));
  const state = await Promise.race([read, late]).catch((error: unknown) => `an error: ${String(error)}`);
  // oxlint-disable-next-line no-console -- for the user who reads why a test failed
  console.error(`The extension's board, journal and toolbar at the end of the test: ${state}`);
}

/**
 * Makes a language that of the build. Chromium starts only in the languages that it was installed with, on Debian only in English, so
 * the language replaces English.
 */
async function translate(extensionDir: string, language: string): Promise<void> {
  await extend(extensionDir, { default_locale: language });
  await rm(join(extensionDir, '_locales/en'), { recursive: true });
}

/** Adds these members to the manifest of the build. */
async function extend(extensionDir: string, members: object): Promise<void> {
  const path = join(extensionDir, 'manifest.json');
  const unextended = JSON.parse(await readFile(path, 'utf8')) as object;
  await writeFile(path, JSON.stringify({ ...unextended, ...members }));
}

/** The text of the toolbar button's badge. */
export function readBadge(browser: ExtensionBrowser): Promise<string> {
  return browser.evaluateInExtension(() =>
    (globalThis as unknown as ExtensionGlobal).chrome.action.getBadgeText({}),
  );
}

/** Opens the toolbar popup if needed, and returns it once it shows `status`. */
export function popupWith({ browser }: Extension, status: string): Promise<Page> {
  return browser.waitForPopup(showing(status));
}

/** Opens the toolbar popup if needed, and returns it once it shows this problem. */
export function popupWithProblem({ browser }: Extension, code: ProblemCode): Promise<Page> {
  return browser.waitForPopup(`[data-problem="${code}"]`);
}

/** The text of the popup's page, as a user reads it. */
export async function textOf(page: Page): Promise<string> {
  return toRead(await page.$eval('main', (main) => main.innerText));
}

/** Clicks an element without the mouse. */
export function click(page: Page, selector: string): Promise<void> {
  return page.$eval(selector, (element) => (element as HTMLElement).click());
}

/** Starts a sign-in from the toolbar popup and returns the sign-in window. */
export async function startSignIn(extension: Extension): Promise<Page> {
  await popupWith(extension, 'signed-out');
  return startAt(extension.browser, { id: 'demo' });
}

export async function signIn(extension: Extension, user: User = marisol): Promise<Page> {
  await approve(await startSignIn(extension), user);
  return popupWith(extension, 'signed-in');
}

/**
 * A lifetime for tokens that need renewal after a second, because renewal is due 30 s before they end. If they needed it at once,
 * the renewal after the next one would wait.
 */
export const soonStaleSeconds = 31;

/** Waits until tokens that last for {@link soonStaleSeconds} need renewal. */
export const untilStale = () => pass(1_100);

/** Reads the storage area that the extension's pages can read. */
export function readStorage({
  browser,
}: Extension): Promise<{ readonly board?: Board; readonly journal?: readonly string[] }> {
  return browser.evaluateInExtension(async () => {
    const { chrome } = globalThis as unknown as ExtensionGlobal;
    return chrome.storage.local.get();
  });
}

/** When the workers started that the journal knows, in milliseconds since the epoch. */
export async function readWorkerStarts(extension: Extension): Promise<readonly number[]> {
  const { journal = [] } = await readStorage(extension);
  return journal
    .map((line) => line.split(' '))
    .filter(([, step]) => step === 'worker-started')
    .map(([time = '']) => Date.parse(time));
}
