// The demo provider: an OpenID Provider on this computer, for `npm start` and for the tests. It is a real one,
// with two made-up people, one public client and one protected API, and it keeps everything in memory.

import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerApi, pathOf } from './api.ts';
import { Consents, answerInteraction } from './interaction.ts';
import { type Loopback, listenOnLoopback } from './loopback.ts';
import { errorPage, pageHeaders } from './pages.ts';
import { findPerson } from './people.ts';
import { InteractionNotFound, clientId, createProtocol, generateSigningKey } from './protocol.ts';
import { createStore } from './store.ts';

export interface DemoProviderOptions {
  /** The port on the loopback interface. Default 0: a free one. */
  readonly port?: number;
  /** Where the client may be answered, at sign-in and after sign-out. Default none: nobody can sign in. */
  readonly redirectUris?: readonly string[];
  /** How long an access token lives. Default five minutes. */
  readonly accessTokenSeconds?: number;
  /** How long a refresh token lives; each rotation begins anew. Default 14 days. */
  readonly refreshTokenSeconds?: number;
  /** Whether ID tokens carry name, e-mail and picture. Default true; if false, UserInfo alone tells them. */
  readonly profileInIdToken?: boolean;
  /** Whether pages of other origins may read the answers. Default true; if false, only who has a permission may. */
  readonly cors?: boolean;
}

/** A request that the demo provider has answered. */
interface AnsweredRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
  /** Of a token request. */
  readonly grantType?: string;
  /** The request's `Origin` header. */
  readonly origin?: string;
  /** The request's `Cookie` header. */
  readonly cookie?: string;
}

export interface DemoProvider {
  /** `http://localhost:<port>` */
  readonly issuer: string;
  readonly clientId: typeof clientId;
  /** Every request answered so far, in the order of the answers. */
  readonly requests: readonly AnsweredRequest[];
  /** Every token that was issued: access, refresh and ID tokens, to search other places for. */
  readonly issuedTokens: readonly string[];
  /** Signs with a new key from now on. The older ones stay published, for the ID tokens they signed. */
  rotateSigningKeys(): Promise<void>;
  /** Stops at once, open connections included. */
  close(): Promise<void>;
}

/**
 * Starts a demo provider of its own: nothing is shared with another one in the same process.
 *
 * @throws Error that names the port and what to do, if the port is taken.
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
  const redirectUris = options.redirectUris ?? [];
  const formTargets = redirectUris.map((uri) => new URL(uri).origin);
  const settings = {
    issuer,
    redirectUris,
    accessTokenSeconds: options.accessTokenSeconds ?? 5 * 60,
    refreshTokenSeconds: options.refreshTokenSeconds ?? 14 * 24 * 60 * 60,
    profileInIdToken: options.profileInIdToken ?? true,
  };
  const signingKeys = [await generateSigningKey()];
  const state = {
    store: createStore(),
    consents: new Consents(),
    cookieKeys: [randomBytes(32).toString('base64url')],
    signingKeys,
    offlineChallenges: new Set(),
  };
  const grantTypes = new WeakMap<IncomingMessage, string>();
  const requests: AnsweredRequest[] = [];
  const issuedTokens: string[] = [];
  let { protocol, answerProtocol } = build();

  function build() {
    const built = createProtocol(settings, state);
    built.use(async (context, next) => {
      await next();
      const grantType = context.oidc?.params?.['grant_type'];
      if (typeof grantType !== 'string') return;
      grantTypes.set(context.req, grantType);
      for (const name of ['access_token', 'refresh_token', 'id_token']) {
        const token = (context.body as Readonly<Record<string, unknown>>)[name];
        if (typeof token === 'string') issuedTokens.push(token);
      }
    });
    return { protocol: built, answerProtocol: built.callback() };
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = pathOf(request);
    if (path.startsWith('/api/')) return answerApi(protocol, issuer, request, response);
    if (path.startsWith('/people/')) return answerPortrait(path, response);
    if (path.startsWith('/interaction/')) {
      return answerInteraction(protocol, state, formTargets, request, response);
    }
    return answerProtocol(request, response);
  }

  loopback.serve((request, response) => {
    if (options.cors === false) leaveOutCors(response);
    response.once('finish', () => requests.push(toRecord(request, response, grantTypes.get(request))));
    answer(request, response).catch((error: unknown) => answerFailure(error, response, formTargets));
  });

  return {
    issuer,
    clientId,
    requests,
    issuedTokens,
    async rotateSigningKeys() {
      signingKeys.unshift(await generateSigningKey());
      ({ protocol, answerProtocol } = build());
    },
    close: loopback.close,
  };
}

function leaveOutCors(response: ServerResponse): void {
  const setHeader = response.setHeader.bind(response);
  response.setHeader = (name, value) =>
    name.toLowerCase().startsWith('access-control-') ? response : setHeader(name, value);
}

function answerPortrait(path: string, response: ServerResponse): void {
  const id = /^\/people\/(\w+)\.svg$/.exec(path)?.[1];
  const portrait = findPerson(id ?? '')?.portrait;
  if (!portrait) return void response.writeHead(404).end();
  response
    .writeHead(200, { 'content-type': 'image/svg+xml', 'x-content-type-options': 'nosniff' })
    .end(portrait);
}

function answerFailure(error: unknown, response: ServerResponse, formTargets: readonly string[]): void {
  // Whoever asked has gone in the middle of the request; there is nobody to tell.
  if (response.destroyed) return;
  const isOver = error instanceof InteractionNotFound;
  if (!isOver) console.error(error);
  if (response.headersSent) return void response.destroy();
  response
    .writeHead(isOver ? 400 : 500, pageHeaders(formTargets))
    .end(
      isOver
        ? errorPage('This sign-in is over', 'It was answered already, or it took too long. Sign in again.')
        : errorPage('This did not work', 'The demo provider failed. Its terminal says why.'),
    );
}

function toRecord(
  request: IncomingMessage,
  response: ServerResponse,
  grantType: string | undefined,
): AnsweredRequest {
  const { origin, cookie } = request.headers;
  return {
    method: request.method ?? '',
    path: pathOf(request),
    status: response.statusCode,
    ...(grantType === undefined ? {} : { grantType }),
    ...(origin === undefined ? {} : { origin }),
    ...(cookie === undefined ? {} : { cookie }),
  };
}
