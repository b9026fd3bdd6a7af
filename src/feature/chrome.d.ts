// Types the global `chrome` like `browser` of src/bridge/browser.ts, for code that Chrome's documentation shows. If you
// install @types/chrome, delete this file.

/** The promises of the API, and the side panel, which Firefox doesn't have. */
declare const chrome: typeof import('webextension-polyfill') & {
  readonly sidePanel?: {
    open(options: { readonly tabId?: number; readonly windowId?: number }): Promise<void>;
    setOptions(options: {
      readonly tabId?: number;
      readonly path?: string;
      readonly enabled?: boolean;
    }): Promise<void>;
    setPanelBehavior(behavior: { readonly openPanelOnActionClick?: boolean }): Promise<void>;
  };
};
