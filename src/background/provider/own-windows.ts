// Finds the windows that the browser opened for our flows. `launchWebAuthFlow` does not return its window, and any page
// may open a window at the same moment, so a window is ours only if it proves to be.

import { parseUrl } from '../../session/secure-url.ts';

/** A tab as the browser reports it. It has no URL if the extension may not see its host. */
export interface Tab {
  readonly windowId?: number | undefined;
  readonly url?: string | undefined;
}

/** The marks that the window of one flow shows, and no other window does. It stands for its flow, so each flow has its own. */
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
interface KnownWindow {
  readonly id: number;
  readonly proof: 'mark' | 'place';
}

export interface OwnWindows {
  /** Begins to look for the window of a flow that starts now. */
  expect(flow: Evidence): void;
  /** Forgets the flow, which has ended, or whose window is being closed. */
  forget(flow: Evidence): void;
  /**
   * Looks at all tabs now. A window is known by its place only if its flow is `wanted`, and only while no other flow is waiting for
   * a window.
   */
  look(wanted: Evidence | null): Promise<void>;
  /** The id of a running flow's window; null until it is known. */
  idOf(flow: Evidence): number | null;
  /** Looks whether a window has appeared that may be the one of this flow, which is wanted, without proof. */
  mayBeOpen(flow: Evidence): Promise<boolean>;
  onCreated(id: number): void;
  onRemoved(id: number): void;
}

/** When to look after a window has appeared: Firefox shows it before its page has loaded. */
const looksAfterMs = [0, 300, 1_500, 5_000];

/**
 * `queryTabs` returns the tabs of all popup windows, and `findWanted` the flow that is wanted. `onKnown` is called with the window's
 * id each time that a flow's window becomes known, and with null if it's gone, or in doubt again.
 */
export function createOwnWindows(
  queryTabs: () => Promise<readonly Tab[]>,
  findWanted: () => Evidence | null,
  onKnown: (flow: Evidence, id: number | null) => void,
): OwnWindows {
  /** The running flows, with their windows once they are known. */
  const flows = new Map<Evidence, KnownWindow | null>();
  /** Popup windows that have appeared while a flow was waiting for its own. */
  const newcomers = new Set<number>();

  const unclaimed = () => {
    const claimed = new Set([...flows.values()].map((known) => known?.id));
    return [...newcomers].filter((id) => !claimed.has(id));
  };

  const set = (flow: Evidence, known: KnownWindow | null) => {
    flows.set(flow, known);
    onKnown(flow, known?.id ?? null);
  };

  const findByMark = (tabs: readonly Tab[]) => {
    for (const [flow, known] of flows) {
      if (known?.proof === 'mark') continue;
      const tab = tabs.find(({ url }) => url !== undefined && hasMark(url, flow));
      if (tab?.windowId !== undefined) set(flow, { id: tab.windowId, proof: 'mark' });
    }
  };

  const findByPlace = (tabs: readonly Tab[], wanted: Evidence | null) => {
    const isAtProvider = (id: number, { origin }: Evidence) =>
      tabs.some(({ windowId, url }) => windowId === id && toOrigin(url) === origin);
    for (const [flow, known] of flows) {
      // A second window at the provider may as well be ours.
      const isInDoubt = unclaimed().some((id) => isAtProvider(id, flow));
      if (known?.proof === 'place' && isInDoubt) set(flow, null);
    }
    const [[flow] = [null], ...others] = [...flows].filter(([, known]) => known === null);
    const [newcomer, ...more] = unclaimed();
    if (flow === null || flow !== wanted || others.length > 0) return;
    if (newcomer === undefined || more.length > 0 || !isAtProvider(newcomer, flow)) return;
    set(flow, { id: newcomer, proof: 'place' });
  };

  const look = async (wanted: Evidence | null) => {
    if (flows.size === 0) return;
    // Without tabs nothing is proven, and nothing is touched.
    const tabs = await queryTabs().catch(() => []);
    findByMark(tabs);
    findByPlace(tabs, wanted);
  };

  const idOf = (flow: Evidence) => flows.get(flow)?.id ?? null;

  return {
    look,
    expect: (flow) => void flows.set(flow, null),
    forget(flow) {
      const id = idOf(flow);
      flows.delete(flow);
      if (id !== null) newcomers.delete(id);
      if (flows.size === 0) newcomers.clear();
    },
    idOf,
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
      for (const flow of flows.keys()) if (idOf(flow) === id) set(flow, null);
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
