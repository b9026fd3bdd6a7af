// Opens the popup again when a sign-in has ended, because the sign-in window closed it.

import type { Toolbar } from './toolbar.ts';

/** The parts of the browser that this uses. Chromium has `getContexts`; Firefox's event page has `getViews`. */
export interface ReopenPopupBrowser {
  readonly action: {
    openPopup(): Promise<void>;
  };
  readonly runtime: {
    getContexts?(filter: { contextTypes: ('POPUP' | 'TAB' | 'SIDE_PANEL')[] }): Promise<readonly unknown[]>;
  };
  readonly extension?: { getViews?(): readonly unknown[] };
}

export interface ReopenPopup {
  /** Opens the popup unless a page of the extension is open. If the browser refuses, the toolbar asks for a click. */
  show(): void;
}

export function createReopenPopup(browser: ReopenPopupBrowser, toolbar: Toolbar): ReopenPopup {
  const isPageOpen = async () => {
    const contexts = await browser.runtime.getContexts?.({ contextTypes: ['POPUP', 'TAB', 'SIDE_PANEL'] });
    if (contexts !== undefined) return contexts.length > 0;
    // The event page is one of the views itself.
    return (browser.extension?.getViews?.() ?? []).length > 1;
  };

  const openPopup = async () => {
    if (!(await isPageOpen())) await browser.action.openPopup();
  };

  return {
    show() {
      openPopup().catch(() => toolbar.askToLook());
    },
  };
}
