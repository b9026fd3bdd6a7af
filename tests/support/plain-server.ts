// A provider of plain OAuth 2 on this computer, which shares no code with the demo provider: PKCE, a page that asks for consent,
// tokens, their revocation, and an API that says who has signed in.

import { text as readText } from 'node:stream/consumers';
import type { IncomingMessage, ServerResponse } from 'node:http';
import OAuth2Server from '@node-oauth/oauth2-server';
import { listenOnLoopback } from '../../tools/demo-provider/loopback.ts';

/**
 * - `github`: tokens have neither a lifetime nor a refresh token, and errors come with status 200.
 * - `standard`: tokens have both, and errors come as RFC 6749 says.
 */
export type PlainShape = 'github' | 'standard';

export type PlainServer = Awaited<ReturnType<typeof startPlainServer>>;

const user = { id: 1815, login: 'ada', name: 'Ada Lovelace' };

export async function startPlainServer(clientId: string, redirectUris: readonly string[], shape: PlainShape) {
  const loopback = await listenOnLoopback(0);
  const origin = `http://localhost:${loopback.port}`;
  const model = createModel(clientId, redirectUris, shape);
  const server = new OAuth2Server({
    model,
    requireClientAuthentication: { authorization_code: false, refresh_token: false },
    authenticateHandler: { handle: () => user },
  });

  const answerToken = async (request: IncomingMessage, response: ServerResponse) => {
    const body: unknown = Object.fromEntries(new URLSearchParams(await readText(request)));
    const answer = new OAuth2Server.Response();
    await server.token(toRequest(request, body), answer).catch(() => undefined);
    const status = shape === 'github' ? 200 : (answer.status ?? 500);
    sendJson(response, status, answer.body as object);
  };

  const answerConsent = async (request: IncomingMessage, response: ServerResponse) => {
    const answer = new OAuth2Server.Response();
    await server.authorize(toRequest(request, {}), answer).catch(() => undefined);
    response.writeHead(302, { location: answer.get('location') as string }).end();
  };

  const routes: Readonly<
    Record<string, (request: IncomingMessage, response: ServerResponse) => Promise<void> | void>
  > = {
    '/authorize'({ url = '' }, response) {
      response.setHeader('content-type', 'text/html');
      response.end(
        `<a id="allow" href="${url.replace('/authorize', '/allow').replaceAll('&', '&amp;')}">Allow</a>`,
      );
    },
    '/allow': answerConsent,
    '/token': answerToken,
    '/user'({ headers }, response) {
      const token = headers.authorization?.replace(/^Bearer /, '') ?? '';
      if (model.working.has(token)) sendJson(response, 200, user);
      else sendJson(response, 401, { message: 'Bad credentials' });
    },
    async '/revoke'(request, response) {
      model.revoke(new URLSearchParams(await readText(request)).get('token') ?? '');
      response.end();
    },
  };
  loopback.serve((request, response) => {
    const { pathname } = new URL(request.url ?? '', origin);
    const answer = routes[pathname];
    if (answer === undefined) response.writeHead(404).end();
    else void answer(request, response);
  });

  return {
    origin,
    /** The members of a provider's configuration for this server. */
    configuration: {
      scope: 'read:user',
      origins: [origin],
      metadata: {
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        revocation_endpoint: `${origin}/revoke`,
      },
      userApi: { url: `${origin}/user`, subject: 'id', name: 'name' },
    },
    /** The access tokens that work. */
    working: () => [...model.working.keys()],
    close: loopback.close,
  };
}

type NewCode = Parameters<OAuth2Server.AuthorizationCodeModel['saveAuthorizationCode']>[0];

function createModel(clientId: string, redirectUris: readonly string[], shape: PlainShape) {
  const client = {
    id: clientId,
    redirectUris: [...redirectUris],
    grants: ['authorization_code', 'refresh_token'],
  };
  const codes = new Map<string, OAuth2Server.AuthorizationCode>();
  /** By access token. */
  const working = new Map<string, OAuth2Server.Token>();
  const findByRefreshToken = (refreshToken: string) =>
    [...working.values()].find((token) => token.refreshToken === refreshToken);
  const revoke = (token: string) =>
    working.delete(working.has(token) ? token : (findByRefreshToken(token)?.accessToken ?? ''));
  const model = {
    getClient: (id: string) => Promise.resolve(id === clientId && client),
    saveAuthorizationCode(code: NewCode) {
      const saved = { ...code, client, user };
      codes.set(code.authorizationCode, saved);
      return Promise.resolve(saved);
    },
    getAuthorizationCode: (code: string) => Promise.resolve(codes.get(code)),
    revokeAuthorizationCode: ({ authorizationCode }: OAuth2Server.AuthorizationCode) =>
      Promise.resolve(codes.delete(authorizationCode)),
    validateScope: (_user: unknown, _client: unknown, scope: string[] = []) => Promise.resolve(scope),
    saveToken(token: OAuth2Server.Token) {
      const saved = { ...token, client, user };
      working.set(token.accessToken, saved);
      const { refreshToken: _refresh, accessTokenExpiresAt: _expiry, ...unlimited } = saved;
      return Promise.resolve(shape === 'github' ? unlimited : saved);
    },
    getAccessToken: (token: string) => Promise.resolve(working.get(token)),
    getRefreshToken: (token: string) =>
      Promise.resolve(findByRefreshToken(token) as OAuth2Server.RefreshToken),
    revokeToken: ({ refreshToken }: OAuth2Server.RefreshToken) => Promise.resolve(revoke(refreshToken)),
  };
  return { ...model, working, revoke };
}

function toRequest({ url = '', method = '', headers }: IncomingMessage, body: unknown): OAuth2Server.Request {
  const query = Object.fromEntries(new URL(url, 'http://localhost').searchParams);
  return new OAuth2Server.Request({ headers: headers as Record<string, string>, method, query, body });
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
