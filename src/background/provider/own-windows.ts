// Finds the windows that the browser opened for our flows. `launchWebAuthFlow` does not return its window, and any page
// may open a window at the same moment, so a window is ours only if it proves to be.

import { parseUrl } from '../../session/secure-url.ts';

/** A tab as the browser reports it. It has no URL if the extension may not see its host. */
export interface Tab {
  readonly windowId?: number | undefined;
  readonly url?: string | undefined;
}

/** The marks that the window of one flow shows, and no other window does. */
export interface Evidence {
  /** The `state` of the request: an unguessable string of our own. */
  readonly state: string;
  /** The reference to a pushed request (RFC 9126). The provider chose it, so it counts at the provider only. */
  readonly requestUri: string | null;
  /** The origin of the page that the flow opens. */
  readonly origin: string;
}

/** The window of one flow. The flow compares it by identity, so each flow creates its own. */
export interface OwnWindow {
  readonly evidence: Evidence;
}

/**
 * A window that proved to be a flow's. `mark`: its URL carries the request's `state` or `request_uri`. `place`: it shows
 * a page of the origin that the flow opened, and no other window has appeared since the flow began.
 */
interface KnownWindow {
  readonly id: number;
  readonly proof: 'mark' | 'place';
}

export interface OwnWindows {
  /** Begins to look for the window of a flow that starts now. */
  expect(window: OwnWindow): void;
  /** Stops looking for the window, because its flow has ended. */
  forget(window: OwnWindow): void;
  /**
   * Looks at all tabs now. A window is known by its place only if its flow is still wanted, and only while no other flow
   * is waiting for a window.
   */
  look(): Promise<void>;
  /** The window's id, once it is known; it stays known after {@link forget}. */
  idOf(window: OwnWindow): number | null;
  /** Looks whether a window has appeared that may be the one of `window`, without proof. */
  mayBeOpen(window: OwnWindow): Promise<boolean>;
  onCreated(id: number): void;
  onRemoved(id: number): void;
}

/** When to look after a window has appeared: Firefox shows it before its page has loaded. */
const looksAfterMs = [0, 300, 1_500, 5_000];

/**
 * `queryTabs` returns the tabs of all popup windows. `isWanted` says whether the flow of a window is still wanted. `onFound`
 * is called with the window's id each time one becomes known.
 */
export function createOwnWindows(
  queryTabs: () => Promise<readonly Tab[]>,
  isWanted: (window: OwnWindow) => boolean,
  onFound: (window: OwnWindow, id: number) => void,
): OwnWindows {
  const expected = new Set<OwnWindow>();
  const known = new WeakMap<OwnWindow, KnownWindow>();
  /** Popup windows that have appeared while a flow was waiting for its own. */
  const newcomers = new Set<number>();

  const idOf = (window: OwnWindow) => known.get(window)?.id ?? null;

  const unclaimed = () => {
    const claimed = new Set([...expected].map(idOf));
    return [...newcomers].filter((id) => !claimed.has(id));
  };
  const waiting = () => [...expected].filter((window) => !known.has(window));

  const findByMark = (tabs: readonly Tab[]) => {
    for (const window of expected) {
      if (known.get(window)?.proof === 'mark') continue;
      const tab = tabs.find(({ url }) => url !== undefined && hasMark(url, window.evidence));
      if (tab?.windowId === undefined) continue;
      known.set(window, { id: tab.windowId, proof: 'mark' });
      onFound(window, tab.windowId);
    }
  };

  const findByPlace = (tabs: readonly Tab[]) => {
    const isAtProvider = (id: number, { origin }: Evidence) =>
      tabs.some(({ windowId, url }) => windowId === id && toOrigin(url) === origin);
    for (const window of expected) {
      // A second window at the provider may as well be ours.
      const isInDoubt = unclaimed().some((id) => isAtProvider(id, window.evidence));
      if (known.get(window)?.proof === 'place' && isInDoubt) known.delete(window);
    }
    const [window, ...others] = waiting();
    const [newcomer, ...more] = unclaimed();
    if (window === undefined || others.length > 0 || !isWanted(window)) return;
    if (newcomer === undefined || more.length > 0 || !isAtProvider(newcomer, window.evidence)) return;
    known.set(window, { id: newcomer, proof: 'place' });
    onFound(window, newcomer);
  };

  const look = async () => {
    if (expected.size === 0) return;
    // Without tabs nothing is proven, and nothing is touched.
    const tabs = await queryTabs().catch(() => []);
    findByMark(tabs);
    findByPlace(tabs);
  };

  return {
    look,
    expect: (window) => void expected.add(window),
    forget(window) {
      expected.delete(window);
      const id = idOf(window);
      if (id !== null) newcomers.delete(id);
      if (expected.size === 0) newcomers.clear();
    },
    idOf,
    async mayBeOpen(window) {
      const isInDoubt = () => expected.has(window) && !known.has(window) && unclaimed().length > 0;
      // One that has just appeared may prove to be ours by now.
      if (isInDoubt()) await look();
      return isInDoubt();
    },
    onCreated(id) {
      if (expected.size === 0) return;
      newcomers.add(id);
      for (const delayMs of looksAfterMs) setTimeout(() => void look(), delayMs);
    },
    onRemoved(id) {
      newcomers.delete(id);
      for (const window of expected) if (idOf(window) === id) known.delete(window);
    },
  };
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
