// A provider of plain OAuth 2 that shares no code with the others of the tests: PKCE, consent, tokens, their revocation, and
// an API that says who has signed in.

import OAuth2Server from '@node-oauth/oauth2-server';
import { readForm, toWorld } from './scripted-provider.ts';

/**
 * - `github`: tokens have neither a lifetime nor a refresh token, and errors come with status 200.
 * - `standard`: tokens have both, and errors come as RFC 6749 says.
 */
export type PlainShape = 'github' | 'standard';

const issuer = 'https://plain.example';
const user = { id: 1815, login: 'ada', name: 'Ada Lovelace' };

/** The members of a provider's configuration for the server. */
export const plainConfiguration = {
  issuer,
  scope: 'read:user',
  metadata: {
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    revocation_endpoint: `${issuer}/revoke`,
  },
  userApi: { url: `${issuer}/user`, subject: 'id', name: 'name' },
};

export function createPlainServer(clientId: string, redirectUris: readonly string[], shape: PlainShape) {
  const model = createModel(clientId, redirectUris, shape);
  const server = new OAuth2Server({
    model,
    requireClientAuthentication: { authorization_code: false, refresh_token: false },
    authenticateHandler: { handle: () => user },
  });

  const world = toWorld(async (url, init) => {
    const form = readForm(init);
    switch (new URL(url).pathname) {
      case '/token': {
        const answer = new OAuth2Server.Response();
        const headers = {
          'content-type': 'application/x-www-form-urlencoded',
          'content-length': String(form.toString().length),
        };
        const body = Object.fromEntries(form);
        const request = new OAuth2Server.Request({ headers, method: 'POST', query: {}, body });
        await server.token(request, answer).catch(() => undefined);
        return Response.json(answer.body, { status: shape === 'github' ? 200 : (answer.status ?? 500) });
      }
      case '/user': {
        const token = new Headers(init.headers).get('authorization')?.replace(/^Bearer /, '') ?? '';
        return model.working.has(token) ? Response.json(user) : new Response('', { status: 401 });
      }
      case '/revoke':
        model.revoke(form.get('token') ?? '');
        return new Response();
      default:
        return new Response('', { status: 404 });
    }
  });

  return {
    world,
    /** Allows what the address of the sign-in page asks for. Resolves with where the window ends. */
    async allow(url: string): Promise<string> {
      const query = Object.fromEntries(new URL(url).searchParams);
      const answer = new OAuth2Server.Response();
      await server.authorize(new OAuth2Server.Request({ headers: {}, method: 'GET', query }), answer);
      return answer.get('location') as string;
    },
    /** The access tokens that work. */
    working: () => [...model.working.keys()],
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
