// The demo provider: a real OpenID Provider on this computer, for `npm start` and for the tests, with two fictional
// people, one public client and one protected API. It keeps everything in memory.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { answerApi, type Tasks } from './api.ts';
import {
  clientId,
  deviceClientId,
  idTokenClientId,
  InteractionNotFound,
  createProtocol,
  type ProtocolSettings,
} from './protocol.ts';
import { answerInteraction } from './interaction.ts';
import { type Loopback, listenOnLoopback } from './loopback.ts';
import { pageHeaders, errorPage } from './pages.ts';
import { findUser } from './people.ts';

export interface DemoProviderOptions extends ProtocolSettings {
  /** The port on the loopback interface. Default 0: a free port. */
  readonly port?: number;
  /** The delay before each response, in milliseconds, as from a provider that is far away. Default 0. */
  readonly delayMs?: number;
  /** Whether the protocol's endpoints send CORS headers. Default true; if false, reading them needs a host permission. */
  readonly cors?: boolean;
}

interface AnsweredRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
  /** When the request arrived, before any delay, and when its response was sent; in milliseconds since the epoch. */
  readonly arrivedAtMs: number;
  readonly answeredAtMs: number;
  /** Only for a token request. */
  readonly grantType: string | undefined;
  /** The request's headers of this name. */
  readonly origin: string | undefined;
  readonly cookie: string | undefined;
}

export interface DemoProvider {
  /** `http://localhost:<port>` */
  readonly issuer: string;
  readonly clientId: typeof clientId;
  /** The client whose sign-in page responds with an ID token. */
  readonly idTokenClientId: typeof idTokenClientId;
  /** A client that signs people in with a code alone (RFC 8628). */
  readonly deviceClientId: typeof deviceClientId;
  /** All requests so far, in the order of their responses. */
  readonly requests: readonly AnsweredRequest[];
  /** All issued access, refresh and ID tokens, so that a test can search for them elsewhere. */
  readonly issuedTokens: readonly string[];
  /** Stops at once and closes open connections. */
  close(): Promise<void>;
}

/**
 * Starts a demo provider. It shares nothing with others in the same process.
 *
 * Throws a `PortTakenError`.
 */
export async function startDemoProvider(options: DemoProviderOptions = {}): Promise<DemoProvider> {
  const loopback = await listenOnLoopback(options.port ?? 0);
  try {
    return await serve(loopback, options);
  } catch (error) {
    await loopback.close();
    throw error;
  }
}

async function serve(loopback: Loopback, options: DemoProviderOptions): Promise<DemoProvider> {
  const issuer = `http://localhost:${loopback.port}`;
  const { delayMs, cors = true } = options;
  const state = { consents: new Map(), offlineChallenges: new Set() };
  const protocol = await createProtocol(issuer, options, state);
  const grantTypes = new WeakMap<IncomingMessage, string>();
  const requests: AnsweredRequest[] = [];
  const tasks: Tasks = new Map();
  const issuedTokens: string[] = [];
  protocol.use(async (context, next) => {
    await next();
    const grantType = context.oidc?.params?.['grant_type'];
    if (typeof grantType !== 'string') return;
    grantTypes.set(context.req, grantType);
    for (const name of ['access_token', 'refresh_token', 'id_token']) {
      const token = (context.body as Readonly<Record<string, unknown>>)[name];
      if (typeof token === 'string') issuedTokens.push(token);
    }
  });
  protocol.on('authorization.success', (_context, response) => {
    // A code that was entered has no response.
    const token = response?.['id_token'];
    if (typeof token === 'string') issuedTokens.push(token);
  });
  const answerProtocol = protocol.callback();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (delayMs !== undefined) await setTimeout(delayMs);
    const path = pathOf(request);
    if (path.startsWith('/api/')) return answerApi(protocol, issuer, tasks, request, response);
    if (path.startsWith('/people/')) return answerPortrait(path, response);
    if (path.startsWith('/interaction/')) {
      return answerInteraction(protocol, state, request, response);
    }
    return answerProtocol(request, response);
  }

  loopback.serve((request, response) => {
    if (!cors) suppressCors(response);
    const arrivedAtMs = epochMs();
    response.once('finish', () => {
      const { origin, cookie } = request.headers;
      requests.push({
        method: request.method ?? '',
        path: pathOf(request),
        status: response.statusCode,
        arrivedAtMs,
        answeredAtMs: epochMs(),
        grantType: grantTypes.get(request),
        origin,
        cookie,
      });
    });
    answer(request, response).catch((error: unknown) => answerFailure(error, response));
  });

  const { close } = loopback;
  return { issuer, clientId, idTokenClientId, deviceClientId, requests, issuedTokens, close };
}

function suppressCors(response: ServerResponse): void {
  const setHeader = response.setHeader.bind(response);
  response.setHeader = (name, value) =>
    name.toLowerCase().startsWith('access-control-') ? response : setHeader(name, value);
}

function answerPortrait(path: string, response: ServerResponse): void {
  const id = /^\/people\/(\w+)\.svg$/.exec(path)?.[1];
  const portrait = findUser(id ?? '')?.portrait;
  if (!portrait) return void response.writeHead(404).end();
  response
    .writeHead(200, { 'content-type': 'image/svg+xml', 'x-content-type-options': 'nosniff' })
    .end(portrait);
}

function answerFailure(error: unknown, response: ServerResponse): void {
  // The client closed the connection during the request, so no one gets a response.
  if (response.destroyed) return;
  const isOver = error instanceof InteractionNotFound;
  if (!isOver) console.error(error);
  if (response.headersSent) return void response.destroy();
  const [status, title, text] = isOver
    ? [400, 'This sign-in is over', 'It was already completed, or it took too long. Sign in again.']
    : [500, "This didn't work", 'The demo provider failed. Its terminal says why.'];
  response.writeHead(status, pageHeaders).end(errorPage(title, text));
}

function pathOf(request: IncomingMessage): string {
  return (request.url ?? '/').replace(/\?.*$/s, '');
}

/** The time with fractions of a millisecond, to compare with a page's `performance.timeOrigin + performance.now()`. */
export function epochMs(): number {
  return performance.timeOrigin + performance.now();
}
