// The doctor's network: requests as the extension sends them, with the `Origin` of a browser, and redirects in sight.

import type { World } from '../../src/oidc/exchange.ts';

export type Fetch = World['fetch'];

/** A world that remembers the redirects it got. */
export interface DoctorWorld extends World {
  /** Where the last response redirected to, as an absolute URL; null if it did not. */
  readonly redirectedTo: () => string | null;
}

export interface WorldParts {
  readonly fetch: Fetch;
  readonly nowMs: () => number;
}

/** The real network. */
export const network: WorldParts = { fetch: (url, init) => fetch(url, init), nowMs: () => Date.now() };

/** Creates a world whose POST requests have this `Origin`; null for none. A browser's GET requests have none. */
export function createDoctorWorld({ fetch: send, nowMs }: WorldParts, origin: string | null): DoctorWorld {
  let redirectedTo: string | null = null;
  return {
    ...surroundings(nowMs),
    redirectedTo: () => redirectedTo,
    async fetch(url, init) {
      const headers = new Headers(init.headers);
      if (origin !== null && init.method === 'POST') headers.set('origin', origin);
      redirectedTo = null;
      const response = await send(url, { ...init, headers, redirect: 'manual' });
      redirectedTo = readRedirect(response, url);
      return response;
    },
  };
}

/** More would be a loop. */
const maxRedirects = 5;

/**
 * Creates a world for a page, whose GET requests follow redirects among `origins`. A redirect that leaves them is not
 * followed: the request fails, and `redirectedTo` says where it led. One that leads to the redirect URI always leaves
 * them.
 */
export function createPageWorld(parts: WorldParts, origin: string, origins: readonly string[]): DoctorWorld {
  const world = createDoctorWorld(parts, origin);
  return {
    ...world,
    async fetch(url, init) {
      let response = await world.fetch(url, init);
      for (let count = 0; init.method === 'GET' && count < maxRedirects; count += 1) {
        const next = world.redirectedTo();
        if (next === null) return response;
        await response.body?.cancel();
        if (!origins.includes(new URL(next).origin)) throw new Error('The redirect leads elsewhere.');
        response = await world.fetch(next, init);
      }
      return response;
    },
  };
}

function surroundings(nowMs: () => number): Omit<World, 'fetch'> {
  return {
    nowMs,
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
    isOnline: () => true,
    mayReach: () => Promise.resolve(true),
  };
}

function readRedirect({ status, headers }: Response, url: string): string | null {
  const location = headers.get('location');
  if (status < 300 || status >= 400 || location === null) return null;
  try {
    return new URL(location, url).href;
  } catch {
    return null; // Nowhere: the response is judged by its status.
  }
}
