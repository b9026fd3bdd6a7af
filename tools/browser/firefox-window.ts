// Firefox's own window, over WebDriver BiDi: functions that run in it, and the extension's pages, which only it knows.

import type { Browser, Page, Target } from 'puppeteer-core';
import { closeTab, openTab, waitUntilClosed } from './firefox-scripts.ts';

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

/** Finds Firefox's own window, which holds the tabs, by its id. Throws if Firefox gives no access to it. */
export async function findBrowserWindow(browser: Browser, windowId: string) {
  const { connection } = browser as Browser & { readonly connection: BidiConnection };
  const tree = (await connection.send('browsingContext.getTree', { 'moz:scope': 'chrome' })).result as {
    readonly contexts: readonly { readonly context: string; readonly clientWindow: string }[];
  };
  const window = tree.contexts.find(({ clientWindow }) => clientWindow === windowId);
  if (window === undefined) throw new Error('Firefox does not give access to its own window.');
  const target = { context: window.context };

  /** Runs a function in it with the browser's rights. The function is sent as text and cannot use the names of its file. */
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
    // Strings and booleans have a value; null and undefined do not.
    return (answer.result.value ?? null) as Result;
  }

  // BiDi does not report the extension's own pages, so they are reported to puppeteer here.

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
