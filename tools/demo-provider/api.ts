// The demo provider's protected API: the caller's identity, and the kinds of responses that a client must handle. It
// deliberately sends no CORS headers and answers no preflight, so only an extension with the host permission can read
// its responses.

import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { EmbeddedJWK, calculateJwkThumbprint, jwtVerify } from 'jose';
import type { AccessToken, Provider } from 'oidc-provider';
import { findPerson } from './people.ts';
import { idTokenClientId } from './clients.ts';
import { maxTaskLength, type Tasks } from './tasks.ts';

/** Error codes of RFC 6750 (section 3.1) and RFC 9449 (section 7.1). */
type Refusal = 'invalid_token' | 'invalid_dpop_proof';

/** Resolves when this many milliseconds have passed. */
export type Pass = (ms: number) => Promise<void>;

interface ApiOwner {
  /** Issues the tokens that the API accepts. */
  readonly provider: Provider;
  readonly issuer: string;
  readonly pass: Pass;
  readonly tasks: Tasks;
}

interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly caller: AccessToken;
  readonly query: URLSearchParams;
  readonly pass: Pass;
  readonly tasks: Tasks;
}

/** What answers each method. */
type Route = Readonly<Record<string, (call: Call) => Promise<void> | void>>;

const routes: Readonly<Record<string, Route>> = {
  /** The caller. */
  '/api/me': {
    GET: ({ response, caller }) =>
      sendJson(response, 200, {
        sub: caller.accountId,
        name: findPerson(caller.accountId)?.name ?? null,
        client_id: caller.clientId,
        scope: caller.scope ?? '',
      }),
  },
  /** The caller's tasks, and one more with the `text` of a JSON object. */
  '/api/tasks': {
    GET: ({ response, caller, tasks }) => sendJson(response, 200, { tasks: tasks.listOf(caller.accountId) }),
    async POST({ request, response, caller, tasks }) {
      sendJson(response, 201, tasks.add(caller.accountId, await readTask(request)));
    },
  },
  /** The request: its headers without the token, the size of its body, and the body's SHA-256. */
  '/api/echo': {
    async POST({ request, response }) {
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
    async GET({ response, query }) {
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
    async GET({ response, query, pass }) {
      const ms = readNumber(query, 'ms');
      await pass(ms);
      sendJson(response, 200, { ms });
    },
  },
  /** Requires a token with the scope `scope`. */
  '/api/scoped': {
    GET({ response, caller, query }) {
      const scope = query.get('scope') ?? '';
      if (caller.scope?.split(' ').includes(scope)) return sendJson(response, 200, { scope });
      const error = 'insufficient_scope';
      const challenge = `Bearer error="${error}", scope="${scope.replace(/[^!#-[\]-~ ]/g, '')}"`;
      return sendJson(response, 403, { error }, { 'www-authenticate': challenge });
    },
  },
  /** Redirects to `to`, which may be on any host. */
  '/api/redirect': {
    GET({ request, response, query }) {
      const to = new URL(query.get('to') ?? '', `http://${request.headers.host}`);
      response.writeHead(302, { location: to.href }).end();
    },
  },
};

const statusPath = /^\/api\/status\/([2-9]\d\d)$/;

/** Responds with the status in the path. */
const statusRoute: Route = {
  GET({ request, response }) {
    const status = Number(statusPath.exec(pathOf(request))?.[1]);
    sendJson(response, status, { status });
  },
};

/**
 * Serves the {@link routes} and `/api/status/<NNN>`. Each requires an access token of this provider, as Bearer or, if it
 * is bound to a key, as DPoP. An ID token of the client that gets no access token counts as one.
 */
export async function answerApi(
  { provider, issuer, pass, tasks }: ApiOwner,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = pathOf(request);
  const route = statusPath.test(path) ? statusRoute : routes[path];
  if (route === undefined) return sendJson(response, 404, { error: 'not_found' });
  const answer = route[request.method ?? ''];
  if (answer === undefined)
    return sendJson(response, 405, { error: 'method_not_allowed' }, { allow: Object.keys(route).join(', ') });

  const caller = await authenticate(provider, `${issuer}${path}`, request);
  if (caller === null || typeof caller === 'string') {
    const error = caller === null ? '' : `, error="${caller}"`;
    const challenge = ['Bearer', 'DPoP'].map((scheme) => `${scheme} realm="${issuer}"${error}`).join(', ');
    return sendJson(response, 401, { error: caller ?? 'unauthorized' }, { 'www-authenticate': challenge });
  }
  const query = new URL(request.url ?? '', issuer).searchParams;
  try {
    await answer({ request, response, caller, query, pass, tasks });
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error;
    sendJson(response, 400, { error: 'bad_request', error_description: error.message });
  }
}

class BadRequest extends Error {}

function readNumber(query: URLSearchParams, name: string): number {
  const value = query.get(name) ?? '';
  if (!/^\d{1,10}$/.test(value)) throw new BadRequest(`The query needs ${name}=<a whole number>.`);
  return Number(value);
}

async function readTask(request: IncomingMessage): Promise<string> {
  const body = await json(request).catch(() => null);
  const { text } = Object(body) as { readonly text?: unknown };
  if (typeof text === 'string' && text.trim() !== '' && text.length <= maxTaskLength) return text.trim();
  throw new BadRequest(`The body needs a "text" of at most ${maxTaskLength} characters.`);
}

/** Yields the same `size` bytes each time, in pieces of 64 kB. */
function* generateBytes(size: number): Generator<Uint8Array> {
  const piece = Uint8Array.from({ length: 64 * 1024 }, (_, index) => index % 251);
  for (let sent = 0; sent < size; sent += piece.byteLength) {
    yield piece.subarray(0, Math.min(piece.byteLength, size - sent));
  }
}

/** The token that a request presents, the reason to reject it, or null if it presents none. */
async function authenticate(
  provider: Provider,
  url: string,
  request: IncomingMessage,
): Promise<AccessToken | Refusal | null> {
  const [, scheme, value] = /^(Bearer|DPoP) (.+)$/i.exec(request.headers.authorization ?? '') ?? [];
  if (scheme === undefined || value === undefined) return null;
  const token =
    (await provider.AccessToken.find(value)) ??
    (scheme.toLowerCase() === 'bearer' && (await readIdToken(provider, value)));
  if (!token || (token.jkt !== undefined) !== (scheme.toLowerCase() === 'dpop')) return 'invalid_token';
  if (token.jkt === undefined) return token;
  const proves = await isProof(request.headers['dpop'], {
    method: request.method,
    url,
    value,
    jkt: token.jkt,
  });
  return proves ? token : 'invalid_dpop_proof';
}

/** The caller that an ID token names, if it was issued to the client that gets nothing else. */
async function readIdToken(provider: Provider, value: string): Promise<AccessToken | null> {
  const client = await provider.Client.find(idTokenClientId);
  if (client === undefined) return null;
  try {
    const { payload } = await provider.IdToken.validate(value, client);
    const isExpired = Number(payload['exp']) < Date.now() / 1000 - clockToleranceSeconds;
    return isExpired ? null : { accountId: String(payload['sub']), clientId: idTokenClientId };
  } catch {
    // Any error means an invalid token; the caller receives invalid_token.
    return null;
  }
}

const clockToleranceSeconds = 5;

/** Whether `proof` is a fresh DPoP proof (RFC 9449, section 4.3) for this request, token and key. */
async function isProof(
  proof: string | string[] | undefined,
  of: {
    readonly method: string | undefined;
    readonly url: string;
    readonly value: string;
    readonly jkt: string;
  },
): Promise<boolean> {
  if (typeof proof !== 'string') return false;
  try {
    const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, {
      typ: 'dpop+jwt',
      maxTokenAge: '60s',
      clockTolerance: '5s',
      requiredClaims: ['jti'],
    });
    return (
      payload['htm'] === of.method &&
      payload['htu'] === of.url &&
      payload['ath'] === createHash('sha256').update(of.value).digest('base64url') &&
      protectedHeader.jwk !== undefined &&
      (await calculateJwkThumbprint(protectedHeader.jwk)) === of.jkt
    );
  } catch {
    // Any error of jose means an invalid proof; the caller receives invalid_dpop_proof.
    return false;
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
