// The doctor's network: requests as the extension sends them, with the `Origin` of a browser and redirects in sight, to the
// hosts that the configuration names.

import { get as getPlain } from 'node:http';
import { get as getSecure } from 'node:https';
import { Readable } from 'node:stream';
import type { World } from '../../src/oidc/exchange.ts';

export type Fetch = World['fetch'];

export interface WorldParts {
  readonly fetch: Fetch;
  readonly nowMs: () => number;
}

/** The real network. */
export const network: WorldParts = {
  fetch: (url, init) => (init.mode === 'navigate' ? navigate(url, init) : fetch(url, init)),
  nowMs: () => Date.now(),
};

/** Why a request was not sent. */
export class NotContactedError extends Error {
  override readonly name = 'NotContactedError';
}

/** A network that reaches only some hosts, and remembers to which others it has sent nothing. */
export interface Gate extends WorldParts {
  readonly origins: readonly string[];
  readonly notContacted: ReadonlySet<string>;
}

/**
 * Restricts the network to the hosts of `origins`. A discovery document can name any host, inside the network of the person
 * who asks too, so it does not open the gate: the request fails with a {@link NotContactedError}.
 */
export function createGate({ fetch: send, nowMs }: WorldParts, origins: readonly string[]): Gate {
  const notContacted = new Set<string>();
  return {
    nowMs,
    origins,
    notContacted,
    fetch(url, init) {
      const { origin } = new URL(url);
      if (origins.includes(origin)) return send(url, init);
      notContacted.add(origin);
      return Promise.reject(new NotContactedError(origin));
    },
  };
}

/** A world that remembers the redirects it got. */
export interface DoctorWorld extends World {
  /** Where the last response redirected to, as an absolute URL; null if it did not. */
  readonly redirectedTo: () => string | null;
}

/** Creates a world whose POST requests have this `Origin`; null for none. A browser's GET requests have none. */
export function createDoctorWorld({ fetch: send, nowMs }: Gate, origin: string | null = null): DoctorWorld {
  let redirectedTo: string | null = null;
  return {
    nowMs,
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
    isOnline: () => true,
    mayReach: () => Promise.resolve(true),
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

/** The form of a page: `any` may be data, which names an error exactly; `html` is for people. */
export type PageForm = 'any' | 'html';

/**
 * Creates a world for a page: its GET requests look like a person's, and follow redirects among the hosts of the gate. A
 * redirect that leaves them is not followed: the request fails, and `redirectedTo` says where it led. One that leads to the
 * redirect URI always leaves them.
 */
export function createPageWorld(gate: Gate, origin: string, form: PageForm): DoctorWorld {
  const world = createDoctorWorld(gate, origin);
  return {
    ...world,
    async fetch(url, init) {
      if (init.method !== 'GET') return world.fetch(url, init);
      const html = form === 'html' && { headers: { accept: 'text/html' } };
      const opening = { ...init, ...html, mode: 'navigate' } as const;
      let response = await world.fetch(url, opening);
      for (let count = 0; count < maxRedirects; count += 1) {
        const next = world.redirectedTo();
        if (next === null) return response;
        await response.body?.cancel();
        if (!gate.origins.includes(new URL(next).origin)) throw new Error('The redirect leads elsewhere.');
        response = await world.fetch(next, opening);
      }
      return response;
    },
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

/** The headers with which a browser opens a page in a new window. */
const navigation = {
  'sec-fetch-dest': 'document',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-site': 'none',
  'sec-fetch-user': '?1',
  'upgrade-insecure-requests': '1',
  'user-agent': 'Mozilla/5.0',
};

/**
 * Opens a page as a browser does. Node's `fetch` always says that it is a script's (`Sec-Fetch-Mode: cors`), and a script
 * gets another answer from some providers.
 */
function navigate(url: string, { headers, signal }: RequestInit): Promise<Response> {
  const get = url.startsWith('https:') ? getSecure : getPlain;
  const sent = { ...Object.fromEntries(new Headers(headers)), ...navigation };
  return new Promise((resolve, reject) => {
    get(url, { headers: sent, ...(signal && { signal }) }, (incoming) => {
      const { statusCode: status = 0, rawHeaders } = incoming;
      const names = rawHeaders.filter((_text, index) => index % 2 === 0);
      const received = names.map((name, index) => [name, rawHeaders[index * 2 + 1] ?? ''] as const);
      try {
        const body = [204, 205, 304].includes(status) ? null : (Readable.toWeb(incoming) as ReadableStream);
        const response = new Response(body, { status, headers: received.map(([...pair]) => pair) });
        resolve(Object.defineProperty(response, 'url', { value: url }));
      } catch (error) {
        incoming.destroy();
        reject(error as Error); // No status or header of HTTP.
      }
    }).on('error', reject);
  });
}
