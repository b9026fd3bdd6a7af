// The operations that each browser implements in its own way. extension-browser.ts builds the rest on them.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, launch, type LaunchOptions, type Page } from 'puppeteer-core';

/** How long a popup may take to open; a slow machine needs seconds. */
export const popupDeadlineMs = 10_000;

export type FirefoxPreferences = Readonly<Record<string, string | number | boolean>>;

export interface DriverOptions {
  readonly extensionDir: string;
  readonly executablePath: string;
  readonly headless: boolean;
  /** Whether an interrupt of this process closes the browser. Default true; false if the caller closes it itself. */
  readonly handleSignals?: boolean;
  /** The folder for the temporary profile. Default: the one of the system. */
  readonly temporaryDir?: string;
  /** A folder of a profile that stays, with the extension's session, in place of a temporary one. */
  readonly profileDir?: string;
  readonly firefoxPreferences?: FirefoxPreferences;
  /**
   * Whether Chromium skips what takes a quarter of its processor time and only matters to a user: it keeps no process
   * ready for the next site, and its own window appears without animation. Pages don't notice. Default false.
   */
  readonly savesWork?: boolean;
  /**
   * The browser's language, as a BCP 47 tag. Default: the language of this computer. Chromium supports only the
   * languages that it was installed with.
   */
  readonly language?: string;
}

export type ReplacementSettings = Pick<DriverOptions, 'language' | 'firefoxPreferences'>;

/** The theme and the colors of the system, as pages see them. */
export interface Appearance {
  readonly theme: 'light' | 'dark';
  readonly colours: 'own' | 'forced';
}

export interface Driver {
  readonly browser: Browser;
  /** The ordinary tab that the browser starts with. */
  readonly home: Page;
  /** The host in the address of the extension's own pages; in Firefox, it changes with {@link replaceExtension}. */
  readonly extensionId: string;

  /** The toolbar popup, or null if none is open. The worker can open it too. */
  findPopup(): Promise<Page | null>;
  /**
   * Acts like a click on the toolbar button, and waits some seconds for the popup. Returns null, or what the browser shows
   * instead of the popup.
   */
  pressToolbarButton(): Promise<string | null>;

  /** Opens the extension's side panel, or its sidebar in Firefox, as a user does. The manifest must name one. */
  openSidePanel(): Promise<void>;
  /** Waits for the extension's page at `path`, which includes the query, in a tab or a side panel. */
  waitForOwnPage(path: string): Promise<Page>;

  /** Stops the extension's worker, as the browser does when it is idle. The next event starts it again. */
  stopWorker(): Promise<void>;
  /** Whether the extension's worker runs. Doesn't wake it. */
  isWorkerRunning(): Promise<boolean>;

  /** Takes the network away from the extension's running worker, and from Firefox as a whole; or gives it back. */
  setOffline(isOffline: boolean): Promise<void>;

  /**
   * Resets the browser to the state of a new one with the extension in `extensionDir`: removes the extension with everything
   * it stored, closes every window but the ordinary one, clears cookies, cached responses and changed settings, and installs
   * the extension. `settings` are those that a running browser accepts; Chromium accepts none.
   */
  replaceExtension(extensionDir: string, settings?: ReplacementSettings): Promise<void>;

  /** Emulates the system's appearance for `page`; in Firefox for every page, until the extension is replaced. */
  setAppearance(page: Page, appearance: Appearance): Promise<void>;

  /** Opens a page with the extension's rights in a background tab, and closes it after `use`. */
  withExtensionPage<Result>(use: (page: Page) => Promise<Result>): Promise<Result>;
}

interface BuiltManifest {
  readonly action: { readonly default_popup: string };
  readonly browser_specific_settings: { readonly gecko: { readonly id: string } };
}

export async function readBuiltManifest(extensionDir: string): Promise<BuiltManifest> {
  return JSON.parse(await readFile(join(extensionDir, 'manifest.json'), 'utf8')) as BuiltManifest;
}

/** Starts a browser, and closes it if `drive` fails. */
export async function launchDriver(
  options: DriverOptions,
  profileFolder: string,
  own: LaunchOptions,
  drive: (browser: Browser, home: Page) => Promise<Driver>,
): Promise<Driver> {
  const { handleSignals = true } = options;
  const browser = await launch({
    executablePath: options.executablePath,
    headless: options.headless,
    // Observing the requests of pages would slow each of them by some milliseconds.
    networkEnabled: false,
    userDataDir: profileFolder,
    defaultViewport: null,
    handleSIGINT: handleSignals,
    handleSIGTERM: handleSignals,
    handleSIGHUP: handleSignals,
    ...own,
  });
  try {
    const [home] = await browser.pages();
    if (home === undefined) throw new Error('The browser has started without a tab.');
    return await drive(browser, home);
  } catch (error) {
    await browser.close();
    throw error;
  }
}

/** Closes every page but `home`. */
export async function closeAllBut(browser: Browser, home: Page): Promise<void> {
  const others = (await browser.pages()).filter((page) => page !== home);
  // A sign-in window may close by itself in the meantime.
  await Promise.allSettled(others.map((page) => page.close()));
}

/** Closes every page but `home`, empties `home` and brings it to the front. */
export async function closeOtherPages(browser: Browser, home: Page): Promise<void> {
  await closeAllBut(browser, home);
  await home.goto('about:blank');
  await home.bringToFront();
}
