// Functions that run in Firefox's own window, with the browser's rights. Each is sent as text, so it can't use other
// names of this file. It also keeps no function in a variable, because the compiler wraps those in a helper that does
// not exist there.

// Firefox doesn't document the parts of it that these use.

interface BrowserElement extends Element {
  readonly currentURI: { readonly spec: string };
  readonly browsingContext: object;
  permanentKey?: object;
}

interface BrowserTab {
  readonly linkedBrowser: BrowserElement;
}

declare const Ci: {
  readonly nsIWebProgressListener: Readonly<Record<'STATE_STOP' | 'STATE_IS_WINDOW', number>>;
};
declare const CustomizableUI: {
  readonly AREA_NAVBAR: string;
  getPlacementOfWidget(id: string): { readonly area: string } | null;
  addWidgetToArea(id: string, area: string): void;
};
declare const gBrowser: {
  readonly tabs: readonly BrowserTab[];
  addTab(url: string, options: object): BrowserTab;
  removeTab(tab: BrowserTab): void;
  addTabsProgressListener(listener: object): void;
  removeTabsProgressListener(listener: object): void;
};
declare const Services: {
  readonly cache2: { clear(): void };
  readonly io: { offline: boolean };
  readonly prefs: {
    setBoolPref(name: string, value: boolean): void;
    setIntPref(name: string, value: number): void;
    setStringPref(name: string, value: string): void;
    clearUserPref(name: string): void;
  };
  readonly cookies: { removeAll(): void };
  readonly focus: { readonly activeWindow: Window | null };
  readonly locale: { availableLocales: readonly string[]; requestedLocales: readonly string[] };
  readonly obs: {
    addObserver(observer: object, topic: string): void;
    removeObserver(observer: object, topic: string): void;
    notifyObservers(subject: null, topic: string): void;
  };
};
declare const WebExtensionPolicy: {
  getByID(id: string): {
    readonly mozExtensionHostname: string;
    readonly extension: {
      readonly principal: object;
      readonly backgroundState: 'starting' | 'running' | 'suspending' | 'stopped';
      terminateBackground(options: Readonly<Record<string, boolean>>): Promise<void>;
    };
  };
};
// Those of `prelude` in firefox.ts.
declare const NavigableManager: {
  getBrowserById(id: string): BrowserElement | null;
  getIdForBrowser(browser: BrowserElement): string;
};
declare const actions: {
  /** Undefined while the extension starts. */
  browserActionFor(
    extension: object,
  ): { readonly id: string; triggerAction(window: Window): void } | undefined;
  sidebarActionFor(extension: object): { open(window: Window): void };
};
declare const findSidebars: () => BrowserElement[];
declare const findPopups: () => BrowserElement[];
declare const findShownPopup: (url: string) => BrowserElement | undefined;
declare const toContext: (browser: BrowserElement) => string;

/** Makes BiDi find the popups and the sidebar of extensions; by default it searches only the tabs. */
export function admitPopups(): void {
  const amongTabs = NavigableManager.getBrowserById.bind(NavigableManager);
  NavigableManager.getBrowserById = (id) =>
    amongTabs(id) ??
    [...findPopups(), ...findSidebars()].find(
      (browser) => NavigableManager.getIdForBrowser(browser) === id,
    ) ??
    null;
}

/** Sets the browser's language, even one without a language pack. */
export function speak(language: string): void {
  Services.locale.availableLocales = [...new Set([language, ...Services.locale.availableLocales])];
  Services.locale.requestedLocales = [language];
}

/** Returns the host in the address of the extension's pages. */
export function findExtensionId(geckoId: string): string {
  return WebExtensionPolicy.getByID(geckoId).mozExtensionHostname;
}

/** Sets preferences, from an object as JSON. */
export function setPreferences(preferences: string): void {
  for (const [name, value] of Object.entries(JSON.parse(preferences) as object)) {
    if (typeof value === 'boolean') Services.prefs.setBoolPref(name, value);
    else if (typeof value === 'number') Services.prefs.setIntPref(name, value);
    else Services.prefs.setStringPref(name, String(value));
  }
}

/** Removes all cookies and cached responses, and resets preferences to their defaults, from a list of names as JSON. */
export function forget(preferences: string): void {
  Services.cookies.removeAll();
  Services.cache2.clear();
  for (const name of JSON.parse(preferences) as string[]) Services.prefs.clearUserPref(name);
}

/** Returns the BiDi context id of the open popup, or null. */
export function findPopupContext(popupUrl: string): string | null {
  const popup = findShownPopup(popupUrl);
  return popup === undefined ? null : toContext(popup);
}

/** Returns the BiDi context id of the page at this address, in a tab or in the sidebar, or null. */
export function findPageContext(url: string): string | null {
  const page = [...Array.from(gBrowser.tabs, ({ linkedBrowser }) => linkedBrowser), ...findSidebars()].find(
    (browser) => browser.currentURI.spec === url,
  );
  return page === undefined ? null : toContext(page);
}

/** Opens the extension's sidebar in this window. */
export function openSidebar(geckoId: string): void {
  const { extension } = WebExtensionPolicy.getByID(geckoId);
  actions.sidebarActionFor(extension).open(window);
}

/** Resolves with true once the page is closed, or with false after a minute: a BiDi command must not run forever. */
export function waitUntilClosed(context: string): Promise<boolean> {
  const page = NavigableManager.getBrowserById(context);
  if (page === null) return Promise.resolve(true);
  const { browsingContext } = page;
  return new Promise((resolve) => {
    const observer = {
      observe(subject: object) {
        if (subject === browsingContext) resolve(true);
      },
    };
    Services.obs.addObserver(observer, 'browsing-context-discarded');
    setTimeout(() => {
      Services.obs.removeObserver(observer, 'browsing-context-discarded');
      resolve(false);
    }, 60_000);
  });
}

/**
 * Pins the extension's button to the toolbar, as a user does. From the panel of all extensions a popup opens only after
 * that panel, and a click is lost while the panel is still closing.
 */
export function pinToolbarButton(geckoId: string): void {
  const { extension } = WebExtensionPolicy.getByID(geckoId);
  const { id } = actions.browserActionFor(extension)!;
  if (CustomizableUI.getPlacementOfWidget(id)?.area === CustomizableUI.AREA_NAVBAR) return;
  CustomizableUI.addWidgetToArea(id, CustomizableUI.AREA_NAVBAR);
}

/**
 * Acts like a click on the extension's button, and waits until a popup shows its page. If a popup is just opening, it
 * only waits, because a click would close it. It clicks only while its own window is in front; another click would be
 * lost. Returns null, or what Firefox shows if no popup has opened in time.
 */
export async function pressToolbarButton(
  geckoId: string,
  popupUrl: string,
  deadlineMs: string,
): Promise<string | null> {
  let nextPressAtMs = 0;
  for (const endsAtMs = Date.now() + Number(deadlineMs); Date.now() < endsAtMs;) {
    if (findShownPopup(popupUrl) !== undefined) return null;
    const isFree = findPopups().length === 0 && Services.focus.activeWindow === window;
    if (isFree && Date.now() >= nextPressAtMs) {
      nextPressAtMs = Date.now() + 2_000;
      const { extension } = WebExtensionPolicy.getByID(geckoId);
      // An extension that is just starting, as after an update, has no button yet.
      actions.browserActionFor(extension)?.triggerAction(window);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return JSON.stringify({
    activeWindow: Services.focus.activeWindow?.location.href ?? null,
    popups: findPopups().map((browser) => `${browser.className}: ${browser.currentURI.spec}`),
  });
}

/** Stops the extension's background page, even while it is busy. */
export function stopEventPage(geckoId: string): Promise<void> {
  return WebExtensionPolicy.getByID(geckoId).extension.terminateBackground({
    ignoreDevToolsAttached: true,
    disableResetIdleForTest: true,
  });
}

/** Does what "Work Offline" in the menu does, for addresses of this computer too. */
export function setOffline(isOffline: string): void {
  Services.prefs.setBoolPref('network.disable-localhost-when-offline', true);
  Services.io.offline = isOffline === 'true';
  // Firefox would keep the connections to this computer.
  Services.obs.notifyObservers(null, 'net:prune-all-connections');
}

export function isEventPageRunning(geckoId: string): boolean {
  return WebExtensionPolicy.getByID(geckoId).extension.backgroundState !== 'stopped';
}

/** Opens a background tab with the extension's rights, and returns its BiDi context id. */
export async function openTab(geckoId: string, url: string): Promise<string> {
  const tab = gBrowser.addTab(url, {
    triggeringPrincipal: WebExtensionPolicy.getByID(geckoId).extension.principal,
  });
  await new Promise<void>((resolve) => {
    const { STATE_STOP, STATE_IS_WINDOW } = Ci.nsIWebProgressListener;
    const listener = {
      onStateChange(browser: BrowserElement, _progress: object, _request: object, state: number) {
        if (browser !== tab.linkedBrowser || browser.currentURI.spec !== url) return;
        if (!(state & STATE_STOP) || !(state & STATE_IS_WINDOW)) return;
        gBrowser.removeTabsProgressListener(listener);
        resolve();
      },
    };
    gBrowser.addTabsProgressListener(listener);
  });
  return NavigableManager.getIdForBrowser(tab.linkedBrowser);
}

export function closeTab(context: string): void {
  for (const tab of Array.from(gBrowser.tabs)) {
    if (NavigableManager.getIdForBrowser(tab.linkedBrowser) === context) gBrowser.removeTab(tab);
  }
}
