// Drives the extension in Firefox, over WebDriver BiDi.
//
// BiDi knows only tabs with web pages: it has no id for the toolbar popup, and does not report the extension's own
// pages. So the functions of firefox-scripts.ts run in the browser's own window, which Firefox allows with system access.
// They press the toolbar button, give the popup an id that BiDi understands, and stop the event page. firefox-pages.ts
// then reports those pages to puppeteer.

import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launch, type Browser, type Page } from 'puppeteer-core';
import {
  closeAllBut,
  closeOtherPages,
  type Driver,
  type DriverOptions,
  type FirefoxPreferences,
  popupDeadlineMs,
} from './driver.ts';
import { createOwnPages } from './firefox-pages.ts';
import {
  admitPopups,
  findExtensionId,
  findPageContext,
  findPopupContext,
  forgetSites,
  isEventPageRunning,
  openSidebar,
  pinToolbarButton,
  pressToolbarButton,
  readBadge,
  resetPreferences,
  setOffline,
  setPreferences,
  speak,
  stopEventPage,
} from './firefox-scripts.ts';
import { findBrowserWindow, type BrowserWindow } from './firefox-window.ts';

const quiet = {
  'app.normandy.enabled': false,
  'browser.aboutwelcome.enabled': false,
  'browser.region.network.url': '',
  'browser.topsites.contile.enabled': false,
  'datareporting.usage.uploadEnabled': false,
  'dom.push.connection.enabled': false,
  'extensions.systemAddon.update.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'termsofuse.bypassNotification': true,
  'toolkit.telemetry.enabled': false,
  'toolkit.telemetry.reportingpolicy.firstRun': false,
};

/** If Firefox forces colours, the colours determine the theme. */
const themes = {
  light: {
    'ui.systemUsesDarkTheme': 0,
    'browser.display.background_color': '#ffffff',
    'browser.display.foreground_color': '#000000',
    'browser.display.background_color.dark': '#ffffff',
    'browser.display.foreground_color.dark': '#000000',
  },
  dark: {
    'ui.systemUsesDarkTheme': 1,
    'browser.display.background_color': '#000000',
    'browser.display.foreground_color': '#ffffff',
    'browser.display.background_color.dark': '#000000',
    'browser.display.foreground_color.dark': '#ffffff',
  },
} as const;

const colourSources = {
  own: { 'browser.display.document_color_use': 0, 'browser.display.use_system_colors': true },
  forced: { 'browser.display.document_color_use': 2, 'browser.display.use_system_colors': false },
} as const;

/** Starts Firefox with the extension in it. */
export async function driveFirefox(
  options: DriverOptions,
  profileFolder: string,
  extensionId: string = randomUUID(),
): Promise<Driver> {
  const manifest = JSON.parse(await readFile(join(options.extensionDir, 'manifest.json'), 'utf8')) as {
    readonly action: { readonly default_popup: string };
    readonly browser_specific_settings: { readonly gecko: { readonly id: string } };
  };
  const geckoId = manifest.browser_specific_settings.gecko.id;
  const handleSignals = options.handleSignals ?? true;
  const browser = await launch({
    browser: 'firefox',
    executablePath: options.executablePath,
    headless: options.headless,
    networkEnabled: options.observesRequests ?? true,
    userDataDir: profileFolder,
    defaultViewport: null,
    handleSIGINT: handleSignals,
    handleSIGTERM: handleSignals,
    handleSIGHUP: handleSignals,
    args: ['--remote-allow-system-access', '--width=1000', '--height=800'],
    env: { ...process.env, MOZ_HEADLESS_WIDTH: '1000', MOZ_HEADLESS_HEIGHT: '800' },
    extraPrefsFirefox: {
      ...quiet,
      'extensions.webextensions.uuids': JSON.stringify({ [geckoId]: extensionId }),
      ...options.firefoxPreferences,
    },
  });
  try {
    return await driveExtension(browser, options, geckoId, manifest.action.default_popup);
  } catch (error) {
    await browser.close();
    throw error;
  }
}

async function driveExtension(
  browser: Browser,
  { extensionDir, language, firefoxPreferences = {} }: DriverOptions,
  geckoId: string,
  popupPath: string,
): Promise<Driver> {
  const [home] = await browser.pages();
  if (home === undefined) throw new Error('Firefox has started without a tab.');
  const firefox = await findBrowserWindow(browser, await home.windowId());
  let spoken: string | undefined;
  async function setLanguage(next: string | undefined): Promise<void> {
    if (next === undefined || next === spoken) return;
    await firefox.run(speak, next);
    spoken = next;
  }

  /** Returns the host of the extension's pages. */
  async function install(dir: string): Promise<string> {
    await browser.installExtension(dir);
    await firefox.run(pinToolbarButton, geckoId);
    return firefox.run(findExtensionId, geckoId);
  }

  await firefox.run(admitPopups);
  await setLanguage(language);
  let extensionId = await install(extensionDir);
  const toUrl = (path: string) => `moz-extension://${extensionId}/${path}`;

  const preferences = createPreferences(firefox, firefoxPreferences);
  const ownPages = createOwnPages(firefox);

  async function findPopup(): Promise<Page | null> {
    const popupUrl = toUrl(popupPath);
    const context = await firefox.run(findPopupContext, popupUrl);
    return context === null ? null : ownPages.admit(context, popupUrl);
  }

  return {
    browser,
    home,
    get extensionId() {
      return extensionId;
    },
    findPopup,

    async pressToolbarButton() {
      return firefox.run(pressToolbarButton, geckoId, toUrl(popupPath), String(popupDeadlineMs));
    },

    async openSidePanel() {
      await firefox.run(openSidebar, geckoId);
    },

    async waitForOwnPage(path) {
      const url = toUrl(path);
      for (const deadline = Date.now() + popupDeadlineMs; Date.now() < deadline;) {
        const context = await firefox.run(findPageContext, url);
        if (context !== null) return ownPages.admit(context, url);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      throw new Error(`Firefox shows no page at ${url}.`);
    },

    async stopWorker() {
      await firefox.run(stopEventPage, geckoId);
    },

    readBadge: () => firefox.run(readBadge, geckoId),

    isWorkerRunning: () => firefox.run(isEventPageRunning, geckoId),

    setOffline: (isOffline) => firefox.run(setOffline, String(isOffline)),

    async replaceExtension(nextDir, settings = {}) {
      await browser.uninstallExtension(geckoId);
      await closeOtherPages(browser, home);
      await firefox.run(forgetSites);
      await preferences.reset();
      if (settings.firefoxPreferences !== undefined) await preferences.set(settings.firefoxPreferences);
      await setLanguage(settings.language ?? language);
      // Firefox gives the extension a new host, with no stored data.
      extensionId = await install(nextDir);
      // A sign-in window of the removed extension may have opened meanwhile.
      await closeAllBut(browser, home);
    },

    async setAppearance(_page, { theme, colours }) {
      await preferences.set({ ...themes[theme], ...colourSources[colours] });
    },

    withExtensionPage: (use) => ownPages.inTab(geckoId, toUrl('manifest.json'), use),
  };
}

interface Preferences {
  set(preferences: FirefoxPreferences): Promise<void>;
  /** Resets to its default each preference that the browser was started with, or that was set since the last reset. */
  reset(): Promise<void>;
}

function createPreferences(firefox: BrowserWindow, initial: FirefoxPreferences): Preferences {
  const changed = new Set(Object.keys(initial));
  return {
    async set(preferences) {
      for (const preference of Object.keys(preferences)) changed.add(preference);
      await firefox.run(setPreferences, JSON.stringify(preferences));
    },
    async reset() {
      await firefox.run(resetPreferences, JSON.stringify([...changed]));
      changed.clear();
    },
  };
}
