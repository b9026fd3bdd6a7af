// Opens the popup again when a sign-in has ended, because the sign-in window closed it.

import { isPageOpen, type PagesBrowser } from './open-page.ts';
import type { Toolbar } from './toolbar.ts';

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
        toolbar.askToLook();
      }
    },
  };
}
