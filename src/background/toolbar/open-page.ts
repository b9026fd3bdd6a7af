// Finds out whether a page of the extension is open: its popup, a tab or a side panel.

/** The parts of the browser that this uses. An older Firefox has no `getContexts`; Firefox's event page has `getViews`. */
export interface PagesBrowser {
  readonly runtime: {
    getContexts?(filter: { contextTypes: ('POPUP' | 'TAB' | 'SIDE_PANEL')[] }): Promise<readonly unknown[]>;
  };
  readonly extension?: { getViews?(): readonly unknown[] };
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
