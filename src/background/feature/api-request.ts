// One request to an API: what is sent with a session's token, and what the response says about that token.

import { FetchRefused } from '../../bridge/fetch/errors.ts';
import { toApiOrigins } from '../../config/origins.ts';
import type { ProviderClient } from '../../oidc/provider-client.ts';
import { isTokenRefused, requestResource } from '../../oidc/resource.ts';
import type { StoredSession } from '../record/record.ts';

/** Reads the whole body, so that it can be sent twice; null if it is empty. */
export async function readBody(request: Request): Promise<ArrayBuffer | null> {
  const body = await request.arrayBuffer();
  // An empty body would add a Content-Length header; no body does not.
  return body.byteLength === 0 ? null : body;
}

/** Sends the request once with the tokens of `session`. Throws {@link FetchRefused} `redirect-refused`. */
export async function send(
  client: ProviderClient,
  { tokens, dpopKey }: StoredSession,
  request: Request,
  body: ArrayBuffer | null,
  signal: AbortSignal,
): Promise<Response> {
  const { world, provider } = client;
  const { url, method, redirect, cache, integrity } = request;
  // A DPoP proof names one URL, and the browser would send the body and headers wherever a redirect leads.
  const isBound =
    tokens.type === 'DPoP' || (world.redirects !== 'confined' && (body !== null || hasOwnHeaders(request)));
  const stopsRedirect = isBound && redirect === 'follow';
  const response = await requestResource(client, tokens, dpopKey, request, (headers) =>
    world.fetch(url, {
      method,
      headers,
      body,
      signal,
      redirect: stopsRedirect ? 'manual' : redirect,
      // A response in the browser's cache may be another user's, so the API has to confirm it.
      cache: cache === 'default' || cache === 'force-cache' ? 'no-cache' : cache,
      integrity,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
    }),
  );
  if (stopsRedirect && response.type === 'opaqueredirect') {
    throw new FetchRefused(
      'redirect-refused',
      'The API redirects, and the body, the headers or the DPoP proof of the request are for one URL only. Request the final URL.',
    );
  }
  if (response.redirected && !toApiOrigins(provider).includes(new URL(response.url).origin)) {
    discard(response);
    throw new FetchRefused(
      'redirect-refused',
      `The API redirects to an origin that is not that of an API of the provider "${provider.id}".`,
    );
  }
  return response;
}

/** Headers that only describe the form of the request and its response. */
const formHeaders: readonly string[] = ['accept', 'accept-language', 'content-language', 'content-type'];

function hasOwnHeaders({ headers }: Request): boolean {
  return [...headers.keys()].some((name) => !formHeaders.includes(name));
}

/** Whether the API refused the token. After a redirect to another origin, the browser hasn't sent the token. */
export function isRefusedAt(origin: string, response: Response): boolean {
  return isTokenRefused(response) && !(response.redirected && new URL(response.url).origin !== origin);
}

/** Frees the connection of a response that no one will read. */
export function discard({ body }: Response): void {
  // Rejects if the connection broke already, which is fine.
  body?.cancel().catch(() => undefined);
}
