// What runs in the window of Firefox itself, with the browser's own rights. Each function goes there as text: it
// sees nothing of this file, and holds no function in a variable, because what would keep that one's name is not there.

interface BrowserElement extends Element {
  readonly currentURI: { readonly spec: string };
  readonly browsingContext: object;
  permanentKey?: object;
}

interface BrowserTab {
  readonly linkedBrowser: BrowserElement;
}

declare const ChromeUtils: {
  importESModule(url: 'chrome://remote/content/shared/NavigableManager.sys.mjs'): {
    readonly NavigableManager: {
      getBrowserById(id: string): BrowserElement | null;
      getIdForBrowser(browser: BrowserElement): string;
    };
  };
  importESModule(url: 'resource://gre/modules/ExtensionParent.sys.mjs'): {
    readonly ExtensionParent: {
      readonly apiManager: {
        readonly global: {
          browserActionFor(extension: object): { triggerAction(window: Window): void };
        };
      };
    };
  };
};
declare const WebExtensionPolicy: {
  getByID(id: string): {
    readonly mozExtensionHostname: string;
    readonly extension: {
      readonly principal: object;
      terminateBackground(options: Readonly<Record<string, boolean>>): Promise<void>;
    };
  };
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
  readonly cookies: { removeAll(): void };
  readonly focus: { readonly activeWindow: Window | null };
  readonly locale: { availableLocales: readonly string[]; requestedLocales: readonly string[] };
  readonly obs: {
    addObserver(observer: object, topic: string): void;
    removeObserver(observer: object, topic: string): void;
  };
};
declare const Ci: {
  readonly nsIWebProgressListener: Readonly<Record<'STATE_STOP' | 'STATE_IS_WINDOW', number>>;
};

/** BiDi looks for what it is told to act on among the tabs: from now on also among the popups of extensions. */
export function admitPopups(): void {
  const { NavigableManager } = ChromeUtils.importESModule(
    'chrome://remote/content/shared/NavigableManager.sys.mjs',
  );
  const amongTabs = NavigableManager.getBrowserById.bind(NavigableManager);
  NavigableManager.getBrowserById = (id) =>
    amongTabs(id) ??
    Array.from(document.querySelectorAll<BrowserElement>('browser.webextension-popup-browser')).find(
      (browser) => NavigableManager.getIdForBrowser(browser) === id,
    ) ??
    null;
}

/** Makes a language the browser's own, also one that it has no language pack of. */
export function speak(language: string): void {
  Services.locale.availableLocales = [language, ...Services.locale.availableLocales];
  Services.locale.requestedLocales = [language];
}

/** The host in the address of the extension's pages. */
export function findExtensionId(geckoId: string): string {
  return WebExtensionPolicy.getByID(geckoId).mozExtensionHostname;
}

/** Removes all cookies and cached responses. */
export function forgetSites(): void {
  Services.cookies.removeAll();
  Services.cache2.clear();
}

/** BiDi's name for the popup that is open, or null. */
export function findPopupContext(popupUrl: string): string | null {
  const popup = Array.from(
    document.querySelectorAll<BrowserElement>(
      'browser.webextension-popup-browser:not(.webextension-preload-browser)',
    ),
  ).find((browser) => browser.currentURI.spec.startsWith(popupUrl));
  if (popup === undefined) return null;
  // A tab has this key by itself; BiDi names what has one.
  popup.permanentKey ??= {};
  return ChromeUtils.importESModule(
    'chrome://remote/content/shared/NavigableManager.sys.mjs',
  ).NavigableManager.getIdForBrowser(popup);
}

/** True once the popup is gone; false if it is still there after a minute, because a command may not take for ever. */
export function waitUntilClosed(context: string): Promise<boolean> {
  const popup = ChromeUtils.importESModule(
    'chrome://remote/content/shared/NavigableManager.sys.mjs',
  ).NavigableManager.getBrowserById(context);
  if (popup === null) return Promise.resolve(true);
  const { browsingContext } = popup;
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
 * Does what a click on the extension's button does, and waits until a popup has opened. It waits for one that is
 * just opening, which a click would close, and for its own window to come to the front, before which a click would
 * be lost.
 */
export async function pressToolbarButton(geckoId: string, deadlineMs: string): Promise<void> {
  const { ExtensionParent } = ChromeUtils.importESModule('resource://gre/modules/ExtensionParent.sys.mjs');
  let isPressed = false;
  for (const endsAtMs = Date.now() + Number(deadlineMs); Date.now() < endsAtMs;) {
    const view = document.querySelector('.webextension-popup-browser');
    if (view?.classList.contains('webextension-preload-browser') === false) return;
    if (!isPressed && view === null && Services.focus.activeWindow === window) {
      isPressed = true;
      const { extension } = WebExtensionPolicy.getByID(geckoId);
      ExtensionParent.apiManager.global.browserActionFor(extension).triggerAction(window);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Stops the extension's background page, whatever it is doing. */
export function stopEventPage(geckoId: string): Promise<void> {
  return WebExtensionPolicy.getByID(geckoId).extension.terminateBackground({
    ignoreDevToolsAttached: true,
    disableResetIdleForTest: true,
  });
}

/** Opens a tab behind the others with the extension's own rights, and gives BiDi's name for it. */
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
  return ChromeUtils.importESModule(
    'chrome://remote/content/shared/NavigableManager.sys.mjs',
  ).NavigableManager.getIdForBrowser(tab.linkedBrowser);
}

export function closeTab(context: string): void {
  const { NavigableManager } = ChromeUtils.importESModule(
    'chrome://remote/content/shared/NavigableManager.sys.mjs',
  );
  for (const tab of Array.from(gBrowser.tabs)) {
    if (NavigableManager.getIdForBrowser(tab.linkedBrowser) === context) gBrowser.removeTab(tab);
  }
}
