// Drives the extension in Firefox, over WebDriver BiDi.
//
// BiDi knows only tabs with web pages: it has no id for the toolbar popup, and doesn't report the extension's own
// pages. So the functions of firefox-scripts.ts run in the browser's own window, which Firefox allows with system access.
// They press the toolbar button, give the popup an id that BiDi understands, and stop the event page. `findBrowserWindow` then
// reports those pages to puppeteer.

import { randomUUID } from 'node:crypto';
import type { Browser, LaunchOptions, Page, Target } from 'puppeteer-core';
import {
  closeAllBut,
  closeOtherPages,
  launchDriver,
  popupDeadlineMs,
  readBuiltManifest,
  type Driver,
  type DriverOptions,
  type FirefoxPreferences,
} from './driver.ts';
import {
  admitPopups,
  findExtensionId,
  findPageContext,
  findPopupContext,
  forget,
  isEventPageRunning,
  openSidebar,
  pinToolbarButton,
  pressToolbarButton,
  setOffline,
  setPreferences,
  speak,
  stopEventPage,
  closeTab,
  openTab,
  waitUntilClosed,
} from './firefox-scripts.ts';

/** If Firefox forces colors, the colors determine the theme. */
const toTheme = (systemUsesDarkTheme: 0 | 1, ground: string, ink: string, link: string) => ({
  'ui.systemUsesDarkTheme': systemUsesDarkTheme,
  'browser.display.background_color': ground,
  'browser.display.background_color.dark': ground,
  'browser.display.foreground_color': ink,
  'browser.display.foreground_color.dark': ink,
  'browser.anchor_color': link,
  'browser.anchor_color.dark': link,
});
const themes = {
  light: toTheme(0, '#ffffff', '#000000', '#0000ee'),
  dark: toTheme(1, '#000000', '#ffffff', '#ffff00'),
};

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
  const manifest = await readBuiltManifest(options.extensionDir);
  const geckoId = manifest.browser_specific_settings.gecko.id;
  const own: LaunchOptions = {
    browser: 'firefox',
    args: ['--remote-allow-system-access', '--width=1000', '--height=800'],
    env: { ...process.env, MOZ_HEADLESS_WIDTH: '1000', MOZ_HEADLESS_HEIGHT: '800' },
    extraPrefsFirefox: {
      'extensions.webextensions.uuids': JSON.stringify({ [geckoId]: extensionId }),
      ...options.firefoxPreferences,
    },
  };
  return launchDriver(options, profileFolder, own, (browser, home) =>
    driveExtension(browser, home, options, geckoId, manifest.action.default_popup),
  );
}

async function driveExtension(
  browser: Browser,
  home: Page,
  { extensionDir, language, firefoxPreferences = {} }: DriverOptions,
  geckoId: string,
  popupPath: string,
): Promise<Driver> {
  const firefox = await findBrowserWindow(browser, await home.windowId());
  async function install(dir: string): Promise<string> {
    await browser.installExtension(dir);
    await firefox.run(pinToolbarButton, geckoId);
    return firefox.run(findExtensionId, geckoId);
  }

  await firefox.run(admitPopups);
  if (language !== undefined) await firefox.run(speak, language);
  let extensionId = await install(extensionDir);
  const toUrl = (path: string) => `moz-extension://${extensionId}/${path}`;

  /** The preferences to reset: those that the browser was started with, or that were set since. */
  const changed = new Set(Object.keys(firefoxPreferences));
  async function setPreferencesUntilReset(preferences: FirefoxPreferences): Promise<void> {
    for (const preference of Object.keys(preferences)) changed.add(preference);
    await firefox.run(setPreferences, JSON.stringify(preferences));
  }

  async function findPopup(): Promise<Page | null> {
    const popupUrl = toUrl(popupPath);
    const context = await firefox.run(findPopupContext, popupUrl);
    return context === null ? null : firefox.admit(context, popupUrl);
  }

  return {
    browser,
    home,
    get extensionId() {
      return extensionId;
    },
    findPopup,

    pressToolbarButton: () =>
      firefox.run(pressToolbarButton, geckoId, toUrl(popupPath), String(popupDeadlineMs)),

    openSidePanel: () => firefox.run(openSidebar, geckoId),

    async waitForOwnPage(path) {
      const url = toUrl(path);
      for (const deadline = Date.now() + popupDeadlineMs; Date.now() < deadline;) {
        const context = await firefox.run(findPageContext, url);
        if (context !== null) return firefox.admit(context, url);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      throw new Error(`Firefox shows no page at ${url}.`);
    },

    stopWorker: () => firefox.run(stopEventPage, geckoId),
    isWorkerRunning: () => firefox.run(isEventPageRunning, geckoId),
    setOffline: (isOffline) => firefox.run(setOffline, String(isOffline)),

    async replaceExtension(nextDir, settings = {}) {
      await browser.uninstallExtension(geckoId);
      await closeOtherPages(browser, home);
      await firefox.run(forget, JSON.stringify([...changed]));
      changed.clear();
      await setPreferencesUntilReset(settings.firefoxPreferences ?? {});
      const spoken = settings.language ?? language;
      if (spoken !== undefined) await firefox.run(speak, spoken);
      // Firefox gives the extension a new host, with no stored data.
      extensionId = await install(nextDir);
      // A sign-in window of the removed extension may have opened in the meantime.
      await closeAllBut(browser, home);
    },

    setAppearance: (_page, { theme, colours }) =>
      setPreferencesUntilReset({ ...themes[theme], ...colourSources[colours] }),

    withExtensionPage: (use) => firefox.inTab(geckoId, toUrl('manifest.json'), use),
  };
}

/** A part of puppeteer's connection that its published types leave out. */
interface BidiConnection {
  send(method: string, parameters: object): Promise<{ readonly result: unknown }>;
  emit(event: string, parameters: object): void;
}

/** The names that each function finds in the window, in addition to those of Firefox itself. */
const prelude = `
  const { NavigableManager } = ChromeUtils.importESModule('chrome://remote/content/shared/NavigableManager.sys.mjs');
  const { ExtensionParent } = ChromeUtils.importESModule('resource://gre/modules/ExtensionParent.sys.mjs');
  const actions = ExtensionParent.apiManager.global;
  const findSidebars = () =>
    Array.from(SidebarController.browser.contentDocument?.querySelectorAll('#webext-panels-browser') ?? []);
  const findPopups = () => Array.from(document.querySelectorAll('browser.webextension-popup-browser'));
  const findShownPopup = (url) =>
    findPopups().find(({ classList, currentURI }) =>
      !classList.contains('webextension-preload-browser') && currentURI.spec.startsWith(url));
  // BiDi assigns ids to browsers with this key. Tabs have it; popups need it set.
  const toContext = (browser) => {
    browser.permanentKey ??= {};
    return NavigableManager.getIdForBrowser(browser);
  };
`;

/** Finds Firefox's own window, which holds the tabs, by its id. Throws if Firefox gives no access to it. */
export async function findBrowserWindow(browser: Browser, windowId: string) {
  const { connection } = browser as Browser & { readonly connection: BidiConnection };
  const tree = (await connection.send('browsingContext.getTree', { 'moz:scope': 'chrome' })).result as {
    readonly contexts: readonly { readonly context: string; readonly clientWindow: string }[];
  };
  const window = tree.contexts.find(({ clientWindow }) => clientWindow === windowId);
  if (window === undefined) throw new Error("Firefox doesn't give access to its own window.");
  const target = { context: window.context };

  /** Runs a function in it with the browser's rights. The function is sent as text and can't use the names of its file. */
  async function run<Result extends string | boolean | null | void>(
    action: (...parameters: string[]) => Result | Promise<Result>,
    ...parameters: string[]
  ): Promise<Result> {
    const { result } = await connection.send('script.callFunction', {
      functionDeclaration: `(...parameters) => { ${prelude} return (${action})(...parameters); }`,
      arguments: parameters.map((value) => ({ type: 'string', value })),
      target,
      awaitPromise: true,
    });
    const answer = result as
      | { readonly type: 'success'; readonly result: { readonly type: string; readonly value?: unknown } }
      | { readonly type: 'exception'; readonly exceptionDetails: { readonly text: string } };
    if (answer.type === 'exception') throw new Error(`Firefox: ${answer.exceptionDetails.text}`);
    // Strings and booleans have a value; null and undefined don't.
    return (answer.result.value ?? null) as Result;
  }

  // BiDi doesn't report the extension's own pages, so they are reported to puppeteer here.

  async function announce(context: string, url: string): Promise<Page> {
    const created: Target[] = [];
    browser.once('targetcreated', (found) => created.push(found));
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
  }

  const withdraw = (context: string) => connection.emit('browsingContext.contextDestroyed', { context });

  /** Those that the extension opened itself, by their BiDi context id. */
  const ownPages = new Map<string, Promise<Page>>();

  async function withdrawWhenClosed(context: string): Promise<void> {
    try {
      while (!(await run(waitUntilClosed, context)));
    } catch {
      // The browser has closed, and the page with it.
    }
    ownPages.delete(context);
    withdraw(context);
  }

  return {
    run,

    /** The page of an open popup, or of another page that the extension opened itself, by its BiDi context id. */
    admit(context: string, url: string): Promise<Page> {
      const known = ownPages.get(context);
      if (known !== undefined) return known;
      const page = announce(context, url);
      ownPages.set(context, page);
      void withdrawWhenClosed(context);
      return page;
    },

    /** Opens `url` with the extension's rights in a background tab, and closes it after `use`. */
    async inTab<Result>(geckoId: string, url: string, use: (page: Page) => Promise<Result>): Promise<Result> {
      const context = await run(openTab, geckoId, url);
      try {
        return await use(await announce(context, url));
      } finally {
        await run(closeTab, context);
        withdraw(context);
      }
    },
  };
}
