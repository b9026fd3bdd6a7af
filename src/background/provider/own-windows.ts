// Finds the windows that the browser opened for our flows. `launchWebAuthFlow` doesn't return its window, and any page may open one
// at the same moment, so a window counts as ours only with proof.

import { parseUrl } from '../../session/secure-url.ts';

/** A tab as the browser reports it. It has no URL if the extension may not see its host. */
export interface Tab {
  readonly id?: number | undefined;
  readonly windowId?: number | undefined;
  readonly url?: string | undefined;
}

/** The proof that a window is one flow's. It also identifies the flow, so each flow has an object of its own. */
export interface Evidence {
  /** The `state` of the request: an unguessable string of our own. */
  readonly state: string;
  /** The reference to a pushed request (RFC 9126). The provider chose it, so it counts at the provider only. */
  readonly requestUri: string | null;
  /** The origin of the page that the flow opens. */
  readonly origin: string;
}

/**
 * A window that proved to be a flow's. `mark`: its URL carries the request's `state` or `request_uri`. `place`: it shows
 * a page of the origin that the flow opened, and no other window has appeared since the flow began.
 */
export interface KnownWindow {
  readonly id: number;
  readonly tabId: number | undefined;
  readonly proof: 'mark' | 'place';
}

/** Whether a flow's window was seen: it was `ours`, or it may have been (`likely`); null if none had appeared. */
export type Appearance = 'ours' | 'likely' | null;

export interface OwnWindows {
  /** Begins to look for the window of a flow that starts now. */
  expect(flow: Evidence): void;
  /** Forgets the flow, which has ended, or whose window is being closed. */
  forget(flow: Evidence): void;
  /** Whether the flow's window has been seen, even if it's gone. */
  appearanceOf(flow: Evidence): Appearance;
  /**
   * Looks at all tabs now. A window is known by its place only if its flow is `wanted`, and only while no other flow is waiting for
   * a window.
   */
  look(wanted: Evidence | null): Promise<void>;
  /** A running flow's window; null until it is known. */
  find(flow: Evidence): KnownWindow | null;
  /**
   * The id of the flow's tab, if its window is gone and the tab isn't: the user has moved the tab to a different window. Otherwise
   * null.
   */
  findMovedTab(flow: Evidence): Promise<number | null>;
  /** Notes that the flow's tab has its own window again. */
  rehouse(flow: Evidence, known: KnownWindow): void;
  /** Whether a window has appeared that may be this flow's, though nothing proves it. The flow must be the wanted one. */
  mayBeOpen(flow: Evidence): Promise<boolean>;
  onCreated(id: number): void;
  onRemoved(id: number): void;
}

/** When to look after a window has appeared: Firefox shows it before its page has loaded. */
const looksAfterMs = [0, 300, 1_500, 5_000];

/**
 * `queryTabs` returns the tabs of all windows, or of those of type popup, and `findWanted` the flow that is wanted. `onKnown` is
 * called each time that a flow's window becomes known, and with null if it's gone, or in doubt again; `onGone` too if it's gone.
 */
export function createOwnWindows(
  queryTabs: (filter: { windowType?: 'popup' }) => Promise<readonly Tab[]>,
  findWanted: () => Evidence | null,
  onKnown: (flow: Evidence, known: KnownWindow | null) => void,
  onGone: (flow: Evidence) => void,
): OwnWindows {
  /** The running flows, with their windows once they are known. */
  const flows = new Map<Evidence, KnownWindow | null>();
  /** The windows of flows that are gone. */
  const gone = new WeakMap<Evidence, KnownWindow>();
  /** Popup windows that have appeared while a flow was waiting for its own. */
  const newcomers = new Set<number>();

  const unclaimed = () => {
    const claimed = new Set([...flows.values()].map((known) => known?.id));
    return [...newcomers].filter((id) => !claimed.has(id));
  };

  const set = (flow: Evidence, known: KnownWindow | null) => {
    flows.set(flow, known);
    onKnown(flow, known);
  };

  const findByMark = (tabs: readonly Tab[]) => {
    for (const [flow, known] of flows) {
      if (known?.proof === 'mark') continue;
      const tab = tabs.find(({ url }) => url !== undefined && hasMark(url, flow));
      if (tab?.windowId !== undefined) set(flow, { id: tab.windowId, tabId: tab.id, proof: 'mark' });
    }
  };

  const findByPlace = (tabs: readonly Tab[], wanted: Evidence | null) => {
    for (const [flow, known] of flows) {
      // A second window at the provider may as well be ours.
      const isInDoubt = unclaimed().some((id) => findAt(tabs, id, flow));
      if (known?.proof === 'place' && isInDoubt) set(flow, null);
    }
    const [[flow] = [null], ...others] = [...flows].filter(([, known]) => known === null);
    const [newcomer, ...more] = unclaimed();
    if (flow === null || flow !== wanted || others.length > 0) return;
    if (newcomer === undefined || more.length > 0) return;
    const tab = findAt(tabs, newcomer, flow);
    if (tab) set(flow, { id: newcomer, tabId: tab.id, proof: 'place' });
  };

  const look = async (wanted: Evidence | null) => {
    if (flows.size === 0) return;
    // Without a list of tabs nothing is proven, so no window is touched.
    const tabs = await queryTabs({ windowType: 'popup' }).catch(() => []);
    findByMark(tabs);
    findByPlace(tabs, wanted);
  };

  const find = (flow: Evidence) => flows.get(flow) ?? null;

  return {
    look,
    expect: (flow) => void flows.set(flow, null),
    forget(flow) {
      const known = find(flow);
      flows.delete(flow);
      if (known !== null) newcomers.delete(known.id);
      if (flows.size === 0) newcomers.clear();
    },
    appearanceOf(flow) {
      if (find(flow) !== null || gone.has(flow)) return 'ours';
      return flows.has(flow) && unclaimed().length === 1 ? 'likely' : null;
    },
    find,
    async findMovedTab(flow) {
      const tabId = gone.get(flow)?.tabId;
      const tabs = tabId === undefined ? [] : await queryTabs({}).catch(() => []);
      return tabs.find(({ id }) => id === tabId)?.id ?? null;
    },
    rehouse(flow, known) {
      newcomers.delete(known.id);
      if (flows.has(flow)) set(flow, known);
    },
    async mayBeOpen(flow) {
      const isInDoubt = () => flows.get(flow) === null && unclaimed().length > 0;
      // One that has just appeared may prove to be ours by now.
      if (isInDoubt()) await look(flow);
      return isInDoubt();
    },
    onCreated(id) {
      if (flows.size === 0) return;
      newcomers.add(id);
      for (const delayMs of looksAfterMs) setTimeout(() => void look(findWanted()), delayMs);
    },
    onRemoved(id) {
      newcomers.delete(id);
      for (const [flow, known] of flows) {
        if (known?.id !== id) continue;
        gone.set(flow, known);
        set(flow, null);
        onGone(flow);
      }
    },
  };
}

/** The tab of a window, if it shows a page of the origin that the flow opened. */
function findAt(tabs: readonly Tab[], id: number, { origin }: Evidence): Tab | undefined {
  return tabs.find(({ windowId, url }) => windowId === id && toOrigin(url) === origin);
}

function hasMark(url: string, { state, requestUri, origin }: Evidence): boolean {
  // Some providers carry the whole request inside a parameter of their own page.
  if (url.includes(state)) return true;
  if (requestUri === null || toOrigin(url) !== origin) return false;
  return new URL(url).searchParams.get('request_uri') === requestUri;
}

function toOrigin(url: string | undefined): string | null {
  return url === undefined ? null : (parseUrl(url)?.origin ?? null);
}
