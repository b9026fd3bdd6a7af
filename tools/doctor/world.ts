// The doctor's network: requests as the extension sends them, with the `Origin` of a browser, to the hosts that the
// configuration names.

import { get as getPlain } from 'node:http';
import { get as getSecure } from 'node:https';
import { Readable } from 'node:stream';
import type { Provider } from '../../src/config/provider.ts';
import {
  type Environment,
  createProviderClient,
  type ProviderClient,
  createProviderClock,
} from '../../src/oidc/http.ts';

export type Fetch = Environment['fetch'];

/** The real network. */
export const network: Fetch = (url, init) =>
  init.mode === 'navigate' ? navigate(url, init) : fetch(url, init);

/** Why a request ended early: the doctor may not contact its host, or it was redirected. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError';
  readonly kind: 'not-contacted' | 'redirected';
  readonly address: string;

  constructor(kind: StoppedError['kind'], address: string) {
    super(kind);
    this.kind = kind;
    this.address = address;
  }
}

/** A network that reaches only some hosts of one provider, and remembers to which others it has sent nothing. */
export type Gate = ReturnType<typeof createGate>;

/**
 * Restricts the network to the hosts of `origins`. A discovery document can name any host, even one inside the caller's own
 * network, so what it names doesn't count: a request to another host fails with a {@link StoppedError}.
 */
export function createGate(send: Fetch, origins: readonly string[]) {
  const notContacted = new Set<string>();
  return {
    origins,
    notContacted,
    clock: createProviderClock(),
    fetch(url: string, init: RequestInit): Promise<Response> {
      const { origin } = new URL(url);
      if (origins.includes(origin)) return send(url, init);
      notContacted.add(origin);
      return Promise.reject(new StoppedError('not-contacted', origin));
    },
  };
}

const maxRedirects = 5;

/**
 * Creates a client whose POST requests have this `Origin`; null for none. A browser's GET requests have none. A redirect fails
 * with a {@link StoppedError}. In a client for pages, GET requests look like a user's, and follow redirects among the hosts
 * of the gate. One that leads to the redirect URI always leaves them. A client for a `window` asks for a page and not for data.
 */
export function createClient(
  gate: Gate,
  provider: Provider,
  origin: string | null = null,
  of?: 'pages' | 'window',
): ProviderClient {
  const world: Environment = {
    nowMs: () => Date.now(),
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
    isOnline: () => true,
    mayReach: () => Promise.resolve(true),
    async fetch(url, init) {
      const isPage = of !== undefined && init.method === 'GET';
      const headers = new Headers(init.headers);
      if (origin !== null && init.method === 'POST') headers.set('origin', origin);
      if (of === 'window') headers.set('accept', 'text/html,application/xhtml+xml,*/*;q=0.8');
      const sent: RequestInit = { ...init, headers, redirect: 'manual', ...(isPage && { mode: 'navigate' }) };
      for (let address = url, count = 0; ; count += 1) {
        const response = await gate.fetch(address, sent);
        const next = readRedirect(response, address);
        if (next === null || count === maxRedirects) return response;
        await response.body?.cancel();
        if (!isPage || !gate.origins.includes(new URL(next).origin))
          throw new StoppedError('redirected', next);
        address = next;
      }
    },
  };
  return createProviderClient(world, provider, gate.clock);
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
 * Opens a page as a browser does. Node's `fetch` always says that a script sends it (`Sec-Fetch-Mode: cors`), and some providers
 * respond to scripts differently.
 */
function navigate(url: string, { headers, signal }: RequestInit): Promise<Response> {
  const get = url.startsWith('https:') ? getSecure : getPlain;
  const sent = { ...Object.fromEntries(new Headers(headers)), ...navigation };
  return new Promise((resolve, reject) => {
    get(url, { headers: sent, ...(signal && { signal }) }, (incoming) => {
      const { statusCode: status = 0, headersDistinct } = incoming;
      try {
        const body = [204, 205, 304].includes(status) ? null : (Readable.toWeb(incoming) as ReadableStream);
        const received = Object.entries(headersDistinct).map(([name, values]) => [name, String(values)]);
        const response = new Response(body, { status, headers: Object.fromEntries(received) });
        resolve(Object.defineProperty(response, 'url', { value: url }));
      } catch (error) {
        incoming.destroy();
        reject(error as Error); // No status or header of HTTP.
      }
    }).on('error', reject);
  });
}
