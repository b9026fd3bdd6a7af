// Firefox's own window, over WebDriver BiDi: functions that run in it, and pages that only it knows.

import type { Browser, Page, Target } from 'puppeteer-core';

/** Firefox's own window, which holds the tabs. */
export interface BrowserWindow {
  /** Runs a function in it with the browser's rights. The function is sent as text and cannot use the names of its file. */
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

/** The names that each function finds in the window, beside those of Firefox itself. */
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

/** Finds the window with this id. Throws if Firefox gives no access to it. */
export async function findBrowserWindow(browser: Browser, windowId: string): Promise<BrowserWindow> {
  const { connection } = browser as Browser & { readonly connection: BidiConnection };
  const tree = (await connection.send('browsingContext.getTree', { 'moz:scope': 'chrome' })).result as {
    readonly contexts: readonly { readonly context: string; readonly clientWindow: string }[];
  };
  const window = tree.contexts.find(({ clientWindow }) => clientWindow === windowId);
  if (window === undefined) throw new Error('Firefox does not give access to its own window.');

  return {
    async run<Result>(run: (...parameters: string[]) => Result | Promise<Result>, ...parameters: string[]) {
      const { result } = await connection.send('script.callFunction', {
        functionDeclaration: `(...parameters) => { ${prelude} return (${run})(...parameters); }`,
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
