// Sets up a test: a demo provider on a free port, a release build of the extension for it, and a real browser.

import { readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import type { ElementHandle, Page } from 'puppeteer-core';
import { inject, onTestFinished } from 'vitest';
import type { Board } from '../../../src/bridge/session/board.ts';
import type { ProblemCode } from '../../../src/session/problem.ts';
import type { FirefoxPreferences } from '../../../tools/browser/driver.ts';
import type { ExtensionBrowser } from '../../../tools/browser/extension-browser.ts';
import { redirectUris, type ExtensionIdentity } from '../../../tools/redirect-uris.ts';
import { marisol, type User } from '../../../tools/demo-provider/people.ts';
import {
  startDemoProvider,
  type DemoProvider,
  type DemoProviderOptions,
} from '../../../tools/demo-provider/provider.ts';
import { toRead } from '../english.ts';
import { copyBuild, type FeatureChoice } from './builds.ts';
import { recordFaces } from './faces.ts';
import { borrowBrowser, type BorrowedBrowser } from './shared-browser.ts';
import type { ExtensionGlobal } from './extension-global.ts';

export const browserName = inject('browserName');

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
  const options = { redirectUris: Object.values(redirectUris(manifest, 'demo')), ...provider };
  let demo = await startDemoProvider(options);
  onTestFinished(() => demo.close());

  const configured = {
    id: 'demo',
    name: 'Demo provider',
    issuer: demo.issuer,
    clientId: demo.clientId,
    apiOrigins: [demo.issuer, ...apiOrigins],
    ...(typeof configuration === 'function' ? configuration(demo) : configuration),
  };
  const extensionDir = await copyBuild({ providers: [configured], persistence }, feature);
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
      demo = await startDemoProvider({ ...options, port: Number(new URL(demo.issuer).port) });
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

export const manifest = JSON.parse(
  await readFile(resolve(import.meta.dirname, '../../../manifest.json'), 'utf8'),
) as ExtensionIdentity;

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

/** Opens the toolbar popup if needed, and returns it once it shows `status`. */
export function popupWith({ browser }: Extension, status: string): Promise<Page> {
  return browser.waitForPopup(`main[data-status="${status}"]`);
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

/** Clicks an element. The click may close the page, which then no longer responds. */
export async function press(page: Page, selector: string): Promise<void> {
  const element = await page.waitForSelector(selector, { visible: true });
  await clickUntilClosed(page, element);
}

/** Alternates the position, because two fast clicks at one position would count as a double click. */
let isRight = false;

async function clickUntilClosed(page: Page, element: ElementHandle | null): Promise<void> {
  const closed = new Promise<void>((settle) => page.once('close', () => settle()));
  isRight = !isRight;
  const clickOnce = async () => {
    const { width, height } = (await element?.boundingBox()) ?? { width: 0, height: 0 };
    await element?.click({ offset: { x: width * (isRight ? 0.7 : 0.3), y: height / 2 } });
  };
  await clickOnce().catch(async (error: unknown) => {
    const tooLate = new Promise((_resolve, reject) => setTimeout(reject, 1_000, error));
    await Promise.race([closed, tooLate]);
  });
}

/** Starts a sign-in from the toolbar popup and returns the sign-in window. */
export async function startSignIn(extension: Extension): Promise<Page> {
  const { browser } = extension;
  const popup = await popupWith(extension, 'signed-out');
  const before = browser.browser.targets();
  await press(popup, '[data-provider="demo"]');
  return browser.waitForSignInWindow(before);
}

/** Signs in at the provider in the open window, and agrees to its questions. */
export async function approve(window: Page, user: User = marisol): Promise<void> {
  const closed = new Promise<'closed'>((settle) => window.once('close', () => settle('closed')));
  const account = `button[name="account"][value="${user.id}"]`;
  const allow = 'button[name="allow"]';
  // The provider remembers the account and the consent, and asks only for the rest.
  for (const question of [`${account}, ${allow}`, allow]) {
    const asked = window.waitForSelector(question, { visible: true }).catch(() => closed);
    const answer = await Promise.race([asked, closed]);
    if (answer === 'closed') return;
    await clickUntilClosed(window, answer);
  }
  await closed;
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
