// The parts of Firefox's own window that its scripts use. Firefox does not document them.

export interface BrowserElement extends Element {
  readonly currentURI: { readonly spec: string };
  readonly browsingContext: object;
  permanentKey?: object;
}

interface BrowserTab {
  readonly linkedBrowser: BrowserElement;
}

export interface FirefoxPages {
  getBrowserById(id: string): BrowserElement | null;
  getIdForBrowser(browser: BrowserElement): string;
}

export interface FirefoxActions {
  /** Undefined while the extension starts. */
  browserActionFor(
    extension: object,
  ): { readonly id: string; triggerAction(window: Window): void } | undefined;
  sidebarActionFor(extension: object): { open(window: Window): void };
}

export interface FirefoxToolbars {
  readonly AREA_NAVBAR: string;
  getPlacementOfWidget(id: string): { readonly area: string } | null;
  addWidgetToArea(id: string, area: string): void;
  getWidget(id: string): { forWindow(window: Window): { readonly node: Element } };
}

export interface FirefoxExtensions {
  getByID(id: string): {
    readonly mozExtensionHostname: string;
    readonly extension: {
      readonly principal: object;
      readonly backgroundState: 'starting' | 'running' | 'suspending' | 'stopped';
      terminateBackground(options: Readonly<Record<string, boolean>>): Promise<void>;
    };
  };
}

export interface FirefoxTabs {
  readonly tabs: readonly BrowserTab[];
  addTab(url: string, options: object): BrowserTab;
  removeTab(tab: BrowserTab): void;
  addTabsProgressListener(listener: object): void;
  removeTabsProgressListener(listener: object): void;
}

export interface FirefoxServices {
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
}

export interface FirefoxConstants {
  readonly nsIWebProgressListener: Readonly<Record<'STATE_STOP' | 'STATE_IS_WINDOW', number>>;
}
