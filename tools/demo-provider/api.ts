// The demo provider's protected API: the caller's identity, and the kinds of responses that a client must handle. It
// deliberately sends no CORS headers and answers no preflight, so only an extension with the host permission can read
// its responses.

import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { AccessToken, Provider } from 'oidc-provider';
import { authenticate } from './api-authentication.ts';
import { billsResource, demandConfirmation } from './bills.ts';
import { findPerson } from './people.ts';

/** Resolves when this many milliseconds have passed. */
export type Pass = (ms: number) => Promise<void>;

interface ApiOwner {
  /** Issues the tokens that the API accepts. */
  readonly provider: Provider;
  readonly issuer: string;
  readonly pass: Pass;
}

interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly caller: AccessToken;
  readonly query: URLSearchParams;
  readonly pass: Pass;
}

interface Route {
  readonly method: string;
  /** The API that the token must be for; missing if it takes those that are for none. */
  readonly audience?: string;
  answer(call: Call): Promise<void> | void;
}

const routes: Readonly<Record<string, Route>> = {
  /** The caller. */
  '/api/me': {
    method: 'GET',
    answer: ({ response, caller }) =>
      sendJson(response, 200, {
        sub: caller.accountId,
        name: findPerson(caller.accountId)?.name ?? null,
        client_id: caller.clientId,
        scope: caller.scope ?? '',
      }),
  },
  /** The request: its headers without the token, the size of its body, and the body's SHA-256. */
  '/api/echo': {
    method: 'POST',
    async answer({ request, response }) {
      const { authorization: _token, dpop: _proof, ...headers } = request.headers;
      const hash = createHash('sha256');
      let bytes = 0;
      for await (const chunk of request) {
        hash.update(chunk as Buffer);
        bytes += (chunk as Buffer).byteLength;
      }
      const contentType = request.headers['content-type'] ?? null;
      const body = { bytes, contentType, sha256: hash.digest('hex') };
      sendJson(response, 200, { method: request.method, headers, ...body });
    },
  },
  /** `size` bytes, at the speed of the reader. */
  '/api/bytes': {
    method: 'GET',
    async answer({ response, query }) {
      const size = readNumber(query, 'size');
      response.writeHead(200, {
        'content-type': 'application/octet-stream',
        'content-length': size,
        'cache-control': 'no-store',
      });
      await pipeline(Readable.from(generateBytes(size)), response);
    },
  },
  /** Sends nothing, not even headers, for `ms` milliseconds. */
  '/api/slow': {
    method: 'GET',
    async answer({ response, query, pass }) {
      const ms = readNumber(query, 'ms');
      await pass(ms);
      sendJson(response, 200, { ms });
    },
  },
  /** Requires a token with the scope `scope`. */
  '/api/scoped': {
    method: 'GET',
    answer({ response, caller, query }) {
      const scope = query.get('scope') ?? '';
      if (caller.scope?.split(' ').includes(scope)) return sendJson(response, 200, { scope });
      const error = 'insufficient_scope';
      const challenge = `Bearer error="${error}", scope="${scope.replace(/[^!#-[\]-~ ]/g, '')}"`;
      return sendJson(response, 403, { error }, { 'www-authenticate': challenge });
    },
  },
  /** The bills of the caller, whose token is for this API alone. */
  '/api/bills': {
    method: 'GET',
    audience: billsResource,
    answer: ({ response, caller }) =>
      sendJson(response, 200, { sub: caller.accountId, scope: caller.scope ?? '', bills: ['42 €'] }),
  },
  /** The same, and the caller has just confirmed who they are. */
  '/api/bills/details': {
    method: 'GET',
    audience: billsResource,
    answer({ response, caller }) {
      const challenge = demandConfirmation(caller);
      if (challenge === null) return sendJson(response, 200, { details: ['42 € for a lock'] });
      const error = 'insufficient_user_authentication';
      return sendJson(response, 401, { error }, { 'www-authenticate': challenge });
    },
  },
  /** Redirects to `to`, which may be on any host. */
  '/api/redirect': {
    method: 'GET',
    answer({ request, response, query }) {
      const to = new URL(query.get('to') ?? '', `http://${request.headers.host}`);
      response.writeHead(302, { location: to.href }).end();
    },
  },
};

const statusPath = /^\/api\/status\/([2-9]\d\d)$/;

/** Responds with the status in the path. */
const statusRoute: Route = {
  method: 'GET',
  answer({ request, response }) {
    const status = Number(statusPath.exec(pathOf(request))?.[1]);
    sendJson(response, status, { status });
  },
};

/**
 * Serves the {@link routes} and `/api/status/<NNN>`. Each requires an access token of this provider, as Bearer or, if it
 * is bound to a key, as DPoP. An ID token of the client that gets no access token counts as one.
 */
export async function answerApi(
  { provider, issuer, pass }: ApiOwner,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = pathOf(request);
  const route = statusPath.test(path) ? statusRoute : routes[path];
  if (route === undefined) return sendJson(response, 404, { error: 'not_found' });
  if (request.method !== route.method)
    return sendJson(response, 405, { error: 'method_not_allowed' }, { allow: route.method });

  const found = await authenticate(provider, `http://${request.headers.host}${path}`, request);
  const isForThis = found === null || typeof found === 'string' || found.aud === route.audience;
  const caller = isForThis ? found : 'invalid_token';
  if (caller === null || typeof caller === 'string') {
    const error = caller === null ? '' : `, error="${caller}"`;
    const challenge = ['Bearer', 'DPoP'].map((scheme) => `${scheme} realm="${issuer}"${error}`).join(', ');
    return sendJson(response, 401, { error: caller ?? 'unauthorized' }, { 'www-authenticate': challenge });
  }
  const query = new URL(request.url ?? '', issuer).searchParams;
  try {
    await route.answer({ request, response, caller, query, pass });
  } catch (error) {
    if (!(error instanceof BadQuery)) throw error;
    sendJson(response, 400, { error: 'bad_query', error_description: error.message });
  }
}

class BadQuery extends Error {}

function readNumber(query: URLSearchParams, name: string): number {
  const value = query.get(name) ?? '';
  if (!/^\d{1,10}$/.test(value)) throw new BadQuery(`The query needs ${name}=<a whole number>.`);
  return Number(value);
}

/** Yields the same `size` bytes each time, in pieces of 64 kB. */
function* generateBytes(size: number): Generator<Uint8Array> {
  const piece = Uint8Array.from({ length: 64 * 1024 }, (_, index) => index % 251);
  for (let sent = 0; sent < size; sent += piece.byteLength) {
    yield piece.subarray(0, Math.min(piece.byteLength, size - sent));
  }
}

/** A request's path, without its query. */
export function pathOf(request: IncomingMessage): string {
  return (request.url ?? '/').replace(/\?.*$/s, '');
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers });
  response.end(JSON.stringify(body));
}
