// Drives the extension in Firefox, over WebDriver BiDi.
//
// BiDi knows only tabs with web pages: it has no id for the toolbar popup, and does not report the extension's own
// pages. So the functions of firefox-scripts.ts run in the browser's own window, which Firefox allows with system access.
// They press the toolbar button, give the popup an id that BiDi understands, and stop the event page. This file then
// reports those pages to puppeteer.

import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launch, type Browser, type Page, type Target } from 'puppeteer-core';
import {
  closeAllBut,
  closeOtherPages,
  type Driver,
  type DriverOptions,
  type FirefoxPreferences,
  popupDeadlineMs,
} from './driver.ts';
import {
  admitPopups,
  closeTab,
  findExtensionId,
  findPageContext,
  findPopupContext,
  forgetSites,
  openSidebar,
  openTab,
  pinToolbarButton,
  pressToolbarButton,
  resetPreferences,
  setPreferences,
  speak,
  stopEventPage,
  waitUntilClosed,
} from './firefox-scripts.ts';

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

  /** Names of the preferences to reset. */
  const changed = new Set(Object.keys(firefoxPreferences));

  async function setPreferencesFor(preferences: FirefoxPreferences): Promise<void> {
    for (const preference of Object.keys(preferences)) changed.add(preference);
    await firefox.run(setPreferences, JSON.stringify(preferences));
  }

  // Open popups, and other pages of the extension that it opened itself, by their BiDi context id.
  const pages = new Map<string, Promise<Page>>();

  async function findPopup(): Promise<Page | null> {
    const popupUrl = toUrl(popupPath);
    const context = await firefox.run(findPopupContext, popupUrl);
    return context === null ? null : admit(context, popupUrl);
  }

  function admit(context: string, url: string): Promise<Page> {
    const known = pages.get(context);
    if (known !== undefined) return known;
    const page = firefox.announce(context, url);
    pages.set(context, page);
    void withdrawWhenClosed(context);
    return page;
  }

  async function withdrawWhenClosed(context: string): Promise<void> {
    try {
      while (!(await firefox.run(waitUntilClosed, context)));
    } catch {
      // The browser has closed, and the page with it.
    }
    pages.delete(context);
    firefox.withdraw(context);
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
        if (context !== null) return admit(context, url);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      throw new Error(`Firefox shows no page at ${url}.`);
    },

    async stopWorker() {
      await firefox.run(stopEventPage, geckoId);
    },

    async replaceExtension(nextDir, settings = {}) {
      await browser.uninstallExtension(geckoId);
      await closeOtherPages(browser, home);
      await firefox.run(forgetSites);
      await firefox.run(resetPreferences, JSON.stringify([...changed]));
      changed.clear();
      if (settings.firefoxPreferences !== undefined) await setPreferencesFor(settings.firefoxPreferences);
      await setLanguage(settings.language ?? language);
      // Firefox gives the extension a new host, with no stored data.
      extensionId = await install(nextDir);
      // A sign-in window of the removed extension may have opened meanwhile.
      await closeAllBut(browser, home);
    },

    async setAppearance(_page, { theme, colours }) {
      await setPreferencesFor({ ...themes[theme], ...colourSources[colours] });
    },

    async withExtensionPage(use) {
      const url = toUrl('manifest.json');
      const context = await firefox.run(openTab, geckoId, url);
      const page = await firefox.announce(context, url);
      try {
        return await use(page);
      } finally {
        await firefox.run(closeTab, context);
        firefox.withdraw(context);
      }
    },
  };
}

/** Firefox's own window, which holds the tabs. */
interface BrowserWindow {
  /** Runs a function in it with the browser's rights. The function is sent as text and cannot use this file's names. */
  run<Result extends string | boolean | null | void>(
    run: (...parameters: string[]) => Result | Promise<Result>,
    ...parameters: string[]
  ): Promise<Result>;
  /** Creates a page for a context that BiDi knows but does not report. */
  announce(context: string, url: string): Promise<Page>;
  withdraw(context: string): void;
}

/** A part of puppeteer's connection that its published types leave out. */
interface BidiConnection {
  send(method: string, parameters: object): Promise<{ readonly result: unknown }>;
  emit(event: string, parameters: object): void;
}

async function findBrowserWindow(browser: Browser, windowId: string): Promise<BrowserWindow> {
  const { connection } = browser as Browser & { readonly connection: BidiConnection };
  const tree = (await connection.send('browsingContext.getTree', { 'moz:scope': 'chrome' })).result as {
    readonly contexts: readonly { readonly context: string; readonly clientWindow: string }[];
  };
  const window = tree.contexts.find(({ clientWindow }) => clientWindow === windowId);
  if (window === undefined) throw new Error('Firefox does not give access to its own window.');

  return {
    async run<Result>(run: (...parameters: string[]) => Result | Promise<Result>, ...parameters: string[]) {
      const { result } = await connection.send('script.callFunction', {
        functionDeclaration: run.toString(),
        arguments: parameters.map((value) => ({ type: 'string', value })),
        target: { context: window.context },
        awaitPromise: true,
      });
      const answer = result as
        | { readonly type: 'success'; readonly result: { readonly type: string; readonly value?: unknown } }
        | { readonly type: 'exception'; readonly exceptionDetails: { readonly text: string } };
      if (answer.type === 'exception') throw new Error(`Firefox: ${answer.exceptionDetails.text}`);
      // Strings and booleans have a value; null and undefined do not.
      return (answer.result.value ?? null) as Result;
    },

    async announce(context, url) {
      const created: Target[] = [];
      browser.once('targetcreated', (target) => created.push(target));
      connection.emit('browsingContext.contextCreated', {
        context,
        url,
        clientWindow: windowId,
        userContext: 'default',
        parent: null,
        originalOpener: null,
        children: null,
      });
      const page = await created[0]?.page();
      if (!page) throw new Error(`Puppeteer made no page of ${url}.`);
      return page;
    },

    withdraw(context) {
      connection.emit('browsingContext.contextDestroyed', { context });
    },
  };
}
