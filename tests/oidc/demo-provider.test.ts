// The protocol against a real OpenID Provider: what no test in a browser has.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Provider } from '../../src/config/provider.ts';
import { createProviderClient, type ProviderClient } from '../../src/oidc/http.ts';
import type { Metadata } from '../../src/oidc/discover.ts';
import { discover } from '../support/discover.ts';
import { generateDpopKey, wantsDpop } from '../../src/oidc/resource.ts';
import { revokeToken } from '../../src/oidc/end.ts';
import { idTokenFlow } from '../../src/parts/id-token.ts';
import { isTokenRefusal, oauthFlow, requestUser } from '../../src/parts/oauth.ts';
import { requestUserInfo } from '../../src/oidc/resource.ts';
import { renewTokens } from '../../src/oidc/renew.ts';
import { toApiToken, type AccessTokenSet, type TokenSet } from '../../src/oidc/tokens.ts';
import { signInOverHttp } from '../support/http-browser.ts';
import { marisol } from '../../tools/demo-provider/people.ts';
import { startDemoProvider, type DemoProvider } from '../../tools/demo-provider/provider.ts';
import { publishedKeys } from '../support/keys.ts';
import { createScriptedProvider, plainSettings } from '../support/scripted-provider.ts';
import { forTokens, signInBy, signInByCode, type RedeemedTokens } from '../support/sign-in.ts';

const redirectUri = 'https://extension.chromiumapp.org/demo';
const loopbackUri = 'http://127.0.0.1/mozoauth2/bae1b49efb3234f3878b25c10c1f5eced9e067f6/demo';

let demo: DemoProvider;
let client: ProviderClient;
let metadata: Metadata;

beforeEach(async () => {
  demo = await startDemoProvider({ redirectUris: [redirectUri, loopbackUri] });
  client = createClient({});
  metadata = await discover(client);
});

afterEach(() => demo.close());

function createClient(change: Partial<Provider>): ProviderClient {
  const { world, provider } = createScriptedProvider().client;
  const settings = { ...provider, id: 'demo', issuer: demo.issuer, clientId: demo.clientId, ...change };
  return createProviderClient({ ...world, fetch }, settings);
}

const open = (url: string) => signInOverHttp(url, { user: marisol.id });
const signIn = (dpopKey: CryptoKeyPair | null = null) => signInByCode(client, redirectUri, open, {}, dpopKey);

async function renew(
  { tokens, originalClaims: claims }: Pick<RedeemedTokens, 'tokens' | 'originalClaims'>,
  dpopKey: CryptoKeyPair | null = null,
) {
  const { refreshToken } = tokens;
  if (refreshToken === null) throw new Error('There is no refresh token.');
  const current = { ...tokens, refreshToken };
  const authentication = { subject: marisol.id, claims };
  const keys = publishedKeys(client, metadata);
  const renewal = await renewTokens(forTokens(client), metadata, keys, current, authentication, dpopKey);
  if (renewal.outcome !== 'renewed') throw renewal.problem;
  return renewal.tokens;
}

/** Calls the API of the demo. */
const call = (path: string, tokens: TokenSet) =>
  fetch(demo.issuer + path, { headers: { authorization: `Bearer ${toApiToken(tokens)}` } });

test('a renewal rotates the refresh token, and its ID token fits that of the sign-in, auth_time included', async () => {
  client = createClient({ maxAgeSeconds: 60 });
  const signedIn = await signIn();
  expect(signedIn.originalClaims.authTimeSeconds).toEqual(expect.any(Number));
  const renewed = await renew(signedIn);
  expect(renewed.refreshToken).not.toBe(signedIn.tokens.refreshToken);
  expect(renewed.idToken).not.toBe(signedIn.tokens.idToken);
  expect(await (await call('/api/me', renewed)).json()).toMatchObject({ sub: marisol.id });
});

// tests/browser/id-token-response.test.ts has the next one, which comes silently.
test.each<[string, Partial<Provider>]>([
  ['in the request', {}],
  ['pushed ahead', { par: 'always' }],
  ['with a maximum age', { maxAgeSeconds: 60 }],
])('a user signs in with parameters %s, and the API takes the ID token', async (_title, change) => {
  client = createClient({ responseType: 'id_token', clientId: demo.idTokenClientId, ...change });
  const { profile, tokens } = await signInBy(idTokenFlow, client, redirectUri, open);
  expect(profile).toMatchObject({ subject: marisol.id, name: 'Marisol Vega', emailVerified: true });
  expect((await call('/api/me', tokens)).status).toBe(200);
  expect(demo.requests.map(({ path }) => path)).not.toContain('/token');
});

describe('with plain OAuth 2', () => {
  const startPlain = () => {
    const { authorization_endpoint, token_endpoint, revocation_endpoint } = metadata;
    client = createClient({
      scope: 'notes.read',
      metadata: {
        authorization_endpoint,
        token_endpoint: token_endpoint!,
        revocation_endpoint: revocation_endpoint!,
      },
      userApi: { ...plainSettings.userApi, url: `${demo.issuer}/api/me`, subject: 'sub' },
    });
  };

  test('a user signs in, and a revoked token is refused', async () => {
    startPlain();
    const { profile, tokens } = await signInBy(oauthFlow, client, redirectUri, open);
    expect(profile).toMatchObject({ subject: marisol.id, name: 'Marisol Vega' });
    await revokeToken(client, await discover(client), toApiToken(tokens), undefined, 'access_token');
    const error: unknown = await requestUser(client, tokens as AccessTokenSet).catch(
      (thrown: unknown) => thrown,
    );
    expect(isTokenRefusal(error)).toBe(true);
  });

  test('a code that was issued for another request cannot be redeemed', async () => {
    startPlain();
    const other = await oauthFlow.createRequest(client, metadata, redirectUri, {}, null);
    const injected = new URL(await open(other.url));
    const redeemed = signInBy(oauthFlow, client, redirectUri, (url) => {
      injected.searchParams.set('state', new URL(url).searchParams.get('state') ?? '');
      return injected.href;
    });
    const detail = expect.stringContaining('invalid_grant') as string;
    await expect(redeemed).rejects.toMatchObject({ code: 'response-rejected', detail });
  });
});

test('a pushed request whose loopback redirect URI is in the URL as well ends there', async () => {
  client = createClient({ par: 'always' });
  const { profile } = await signInByCode(client, loopbackUri, (url) => {
    expect(new URL(url).searchParams.get('redirect_uri')).toBe(loopbackUri);
    return open(url);
  });
  expect(profile.subject).toBe(marisol.id);
});

test.each(['off', 'always'] as const)(
  'DPoP tokens are redeemed, used and renewed with their key, with par %s',
  async (par) => {
    client = createClient({ par, dpop: 'required' });
    expect(wantsDpop(client.provider, metadata)).toBe(true);
    const dpopKey = await generateDpopKey();
    const signedIn = await signIn(dpopKey);
    const { tokens, claims } = signedIn;
    const profile = await requestUserInfo(client, metadata, tokens, claims, dpopKey);
    expect(profile).toMatchObject({ name: 'Marisol Vega' });
    const renewed = await renew(signedIn, dpopKey);
    expect([tokens.type, renewed.type]).toEqual(['DPoP', 'DPoP']);
    const stolen = renew({ ...signedIn, tokens: renewed }, await generateDpopKey());
    await expect(stolen).rejects.toMatchObject({ code: 'expired' });
  },
);
