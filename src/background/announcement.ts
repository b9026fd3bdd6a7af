// Shows the person how a sign-in ended: the sign-in window took the popup's place, so the popup comes back.

/** The parts of the browser that are used here. Chromium has `getContexts`; Firefox's event page has `getViews`. */
export interface AnnouncementBrowser {
  readonly action: {
    openPopup(): Promise<void>;
    setBadgeText(details: { text: string }): Promise<void>;
  };
  readonly runtime: {
    getContexts?(filter: { contextTypes: ('POPUP' | 'TAB' | 'SIDE_PANEL')[] }): Promise<readonly unknown[]>;
  };
  readonly extension?: { getViews?(): readonly unknown[] };
}

export interface Announcement {
  /** Opens the popup, unless a page of the extension is open; where the browser refuses, a badge asks for a click. */
  show(): void;
  /** Takes the badge away, because somebody looks. */
  clear(): void;
}

export function createAnnouncement(browser: AnnouncementBrowser): Announcement {
  const isPageOpen = async () => {
    const contexts = await browser.runtime.getContexts?.({ contextTypes: ['POPUP', 'TAB', 'SIDE_PANEL'] });
    if (contexts !== undefined) return contexts.length > 0;
    // One of the views is the event page itself.
    return (browser.extension?.getViews?.() ?? []).length > 1;
  };

  const setBadge = (text: string) => {
    // A badge is all that would be missing.
    browser.action.setBadgeText({ text }).catch(() => undefined);
  };

  const openPopup = async () => {
    if (!(await isPageOpen())) await browser.action.openPopup();
  };

  return {
    show() {
      openPopup().catch(() => setBadge('!'));
    },
    clear() {
      setBadge('');
    },
  };
}
