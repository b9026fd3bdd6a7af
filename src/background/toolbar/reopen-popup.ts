// Opens the popup again when a sign-in has ended, because the sign-in window closed it.

import type { Toolbar } from './toolbar.ts';

/** The parts of the browser that tell its pages. An older Firefox has no `getContexts`; Firefox's event page has `getViews`. */
export interface PagesBrowser {
  readonly runtime: {
    getContexts?(filter: { contextTypes: ('POPUP' | 'TAB' | 'SIDE_PANEL')[] }): Promise<readonly unknown[]>;
  };
  readonly extension?: { getViews?(): readonly unknown[] };
}

/** The parts of the browser that this uses. */
export interface ReopenPopupBrowser extends PagesBrowser {
  readonly action: {
    openPopup(): Promise<void>;
  };
}

export interface ReopenPopup {
  /**
   * Opens the popup unless a page of the extension is open. If the browser refuses, the toolbar asks for a click.
   * Resolves when the popup is open, or cannot be opened. Never rejects.
   */
  show(): Promise<void>;
}

export function createReopenPopup(browser: ReopenPopupBrowser, toolbar: Toolbar): ReopenPopup {
  return {
    async show() {
      try {
        if (!(await isPageOpen(browser))) await browser.action.openPopup();
      } catch {
        toolbar.requestAttention();
      }
    },
  };
}

/**
 * Whether a page of the extension is open, even in a background tab. Firefox reports its sidebar as a side panel.
 * Chromium does not report an options page that it shows inside its own page. Rejects as the browser's API does.
 */
export async function isPageOpen({ runtime, extension }: PagesBrowser): Promise<boolean> {
  const contexts = await runtime.getContexts?.({ contextTypes: ['POPUP', 'TAB', 'SIDE_PANEL'] });
  if (contexts !== undefined) return contexts.length > 0;
  // The event page is one of the views itself.
  return (extension?.getViews?.() ?? []).length > 1;
}
