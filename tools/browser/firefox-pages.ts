// The extension's own pages in Firefox, which BiDi does not report: this file reports them to puppeteer.

import type { Page } from 'puppeteer-core';
import { closeTab, openTab, waitUntilClosed } from './firefox-scripts.ts';
import type { BrowserWindow } from './firefox-window.ts';

export interface OwnPages {
  /** The page of an open popup, or of another page that the extension opened itself, by its BiDi context id. */
  admit(context: string, url: string): Promise<Page>;
  /** Opens `url` with the extension's rights in a background tab, and closes it after `use`. */
  inTab<Result>(geckoId: string, url: string, use: (page: Page) => Promise<Result>): Promise<Result>;
}

export function createOwnPages(firefox: BrowserWindow): OwnPages {
  /** By their BiDi context id. */
  const pages = new Map<string, Promise<Page>>();

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
    admit(context, url) {
      const known = pages.get(context);
      if (known !== undefined) return known;
      const page = firefox.announce(context, url);
      pages.set(context, page);
      void withdrawWhenClosed(context);
      return page;
    },

    async inTab(geckoId, url, use) {
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
