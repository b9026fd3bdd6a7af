// The whole room against a real OpenID Provider.

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Provider } from '../../src/config/provider.ts';
import {
  createAuthorizationRequest,
  readAuthorizationResponse,
  type AuthorizationOptions,
} from '../../src/oidc/authorize.ts';
import { createProviderClient, type ProviderClient } from '../../src/oidc/provider-client.ts';
import { discover, requestKeys, type Keys, type Metadata } from '../../src/oidc/discover.ts';
import { generateDpopKey, wantsDpop } from '../../src/oidc/dpop.ts';
import { createEndSessionRequest, readEndSessionResponse, revokeToken } from '../../src/oidc/end.ts';
import type { KeySource } from '../../src/oidc/id-token.ts';
import { redeemCode, requestUserInfo } from '../../src/oidc/redeem.ts';
import { isInteractionRequired } from '../../src/oidc/rejection.ts';
import { renewTokens } from '../../src/oidc/renew.ts';
import type { TokenSet } from '../../src/oidc/tokens.ts';
import { HttpBrowser, signInOverHttp } from '../support/http-browser.ts';
import { marisol } from '../../tools/demo-provider/people.ts';
import { startDemoProvider, type DemoProvider } from '../../tools/demo-provider/provider.ts';
import { provider as scripted } from '../support/scripted-provider.ts';

const redirectUri = 'https://extension.chromiumapp.org/demo';

let demo: DemoProvider;
let client: ProviderClient;
let metadata: Metadata;
let keys: KeySource;

beforeEach(async () => {
  demo = await startDemoProvider({ redirectUris: [redirectUri] });
  client = connectWith({});
  metadata = await discover(client);
  let kept: Keys = await requestKeys(client, metadata);
  keys = {
    current: () => Promise.resolve(kept),
    refetch: async () => (kept = await requestKeys(client, metadata)),
  };
});

afterEach(() => demo.close());

function connectWith(change: Partial<Provider>): ProviderClient {
  return createProviderClient(
    {
      fetch,
      nowMs: Date.now,
      randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
      isOnline: () => true,
      mayReach: () => Promise.resolve(true),
    },
    { ...scripted, id: 'demo', issuer: demo.issuer, clientId: demo.clientId, ...change },
  );
}

async function signIn(
  options: Parameters<typeof signInOverHttp>[1] = {},
  wishes: AuthorizationOptions = {},
  dpopKey: CryptoKeyPair | null = null,
) {
  const request = await createAuthorizationRequest(client, metadata, redirectUri, wishes, dpopKey);
  const responseUrl = await signInOverHttp(request.url, options);
  const parameters = await readAuthorizationResponse(client, metadata, request, responseUrl);
  return redeemCode(client, metadata, keys, request, parameters, dpopKey);
}

async function renew(tokens: TokenSet, dpopKey: CryptoKeyPair | null = null) {
  const { refreshToken } = tokens;
  if (refreshToken === null) throw new Error('There is no refresh token.');
  const current = { ...tokens, refreshToken };
  const renewal = await renewTokens(client, metadata, keys, current, marisol.id, dpopKey);
  if (renewal.outcome !== 'renewed') throw renewal.problem;
  return renewal.tokens;
}

test('a person signs in, and is who the provider says', async () => {
  const { profile, tokens } = await signIn({ person: marisol.id });
  expect(profile).toEqual({
    providerId: 'demo',
    subject: marisol.id,
    name: 'Marisol Vega',
    email: 'marisol.vega@example.com',
    emailVerified: true,
    picture: `${demo.issuer}/people/marisol.svg`,
  });
  expect(tokens.refreshToken).toEqual(expect.any(String));
});

test('a person who declines has denied it', async () => {
  await expect(signIn({ answer: 'deny' })).rejects.toMatchObject({ code: 'denied' });
  await expect(signIn({ answer: 'cancel' })).rejects.toMatchObject({ code: 'denied' });
});

test('a code works once', async () => {
  const request = await createAuthorizationRequest(client, metadata, redirectUri);
  const responseUrl = await signInOverHttp(request.url);
  const parameters = await readAuthorizationResponse(client, metadata, request, responseUrl);
  await redeemCode(client, metadata, keys, request, parameters);
  const again = redeemCode(client, metadata, keys, request, parameters);
  await expect(again).rejects.toMatchObject({
    code: 'response-rejected',
    detail: expect.stringContaining('invalid_grant'),
  });
});

test('tokens are renewed, the refresh token rotates, and the API accepts the new access token', async () => {
  const { tokens } = await signIn({ person: marisol.id });
  const renewed = await renew(tokens);
  expect(renewed.refreshToken).not.toBe(tokens.refreshToken);
  const answer = await fetch(`${demo.issuer}/api/me`, {
    headers: { authorization: `Bearer ${renewed.accessToken}` },
  });
  expect(await answer.json()).toMatchObject({ sub: marisol.id });
});

test('a refresh token that was used, and the one that replaced it, end the session', async () => {
  const { tokens } = await signIn({ person: marisol.id });
  const renewed = await renew(tokens);
  await expect(renew(tokens)).rejects.toMatchObject({ code: 'expired' });
  await expect(renew(renewed)).rejects.toMatchObject({ code: 'expired' });
});

test('a revoked refresh token is refused', async () => {
  const { tokens } = await signIn({ person: marisol.id });
  await revokeToken(client, metadata, tokens.refreshToken ?? '');
  await expect(renew(tokens)).rejects.toMatchObject({ code: 'expired' });
});

test('a token that the provider does not know counts as revoked', async () => {
  await expect(revokeToken(client, metadata, 'never-issued')).resolves.toBeUndefined();
});

test('UserInfo is of the same person', async () => {
  const { tokens, claims } = await signIn({ person: marisol.id });
  expect(await requestUserInfo(client, metadata, tokens, claims)).toMatchObject({ name: 'Marisol Vega' });
});

test('keys that were rotated between two sign-ins are fetched again', async () => {
  await signIn();
  await demo.rotateSigningKeys();
  await expect(signIn()).resolves.toBeDefined();
});

test('a person who is signed in at the provider chooses again when asked to', async () => {
  const browser = new HttpBrowser();
  await signIn({ browser, person: marisol.id });
  const before = demo.requests.length;
  const { profile } = await signIn({ browser, person: 'asa' }, { prompt: 'select_account' });
  expect(profile.subject).toBe('asa');
  expect(demo.requests.length).toBeGreaterThan(before);
});

test('a silent request signs in who is signed in at the provider, and nobody else', async () => {
  const browser = new HttpBrowser();
  const refused = await signIn({ browser }, { prompt: 'none' }).catch((error: unknown) => error);
  expect(isInteractionRequired(refused)).toBe(true);
  const { tokens } = await signIn({ browser, person: marisol.id });
  const { profile } = await signIn({ browser }, { prompt: 'none', idTokenHint: tokens.idToken ?? '' });
  expect(profile.subject).toBe(marisol.id);
});

test('a pushed request signs in, with a refresh token', async () => {
  client = connectWith({ par: 'always' });
  const { profile, tokens } = await signIn({ person: marisol.id });
  expect(profile.subject).toBe(marisol.id);
  expect(tokens.refreshToken).toEqual(expect.any(String));
  expect(demo.requests).toContainEqual(expect.objectContaining({ path: '/par', status: 201 }));
});

test('the age of the sign-in is told and accepted', async () => {
  client = connectWith({ maxAgeSeconds: 60 });
  const { claims } = await signIn({ person: marisol.id });
  expect(claims['auth_time']).toEqual(expect.any(Number));
});

test.each(['off', 'always'] as const)(
  'bound tokens are redeemed, used and renewed with the key, with pushing %s',
  async (par) => {
    client = connectWith({ par, dpop: 'required' });
    expect(wantsDpop(client.provider, metadata)).toBe(true);
    const dpopKey = await generateDpopKey();
    const { tokens, claims } = await signIn({ person: marisol.id }, {}, dpopKey);
    expect(tokens.type).toBe('DPoP');
    const profile = await requestUserInfo(client, metadata, tokens, claims, dpopKey);
    expect(profile).toMatchObject({ name: 'Marisol Vega' });
    const renewed = await renew(tokens, dpopKey);
    expect(renewed.type).toBe('DPoP');
    await expect(renew(renewed, await generateDpopKey())).rejects.toMatchObject({ code: 'expired' });
  },
);

test('a code that was asked for with one key is not redeemed with another', async () => {
  client = connectWith({ dpop: 'required' });
  const [one, other] = [await generateDpopKey(), await generateDpopKey()];
  const request = await createAuthorizationRequest(client, metadata, redirectUri, {}, one);
  const responseUrl = await signInOverHttp(request.url);
  const parameters = await readAuthorizationResponse(client, metadata, request, responseUrl);
  await expect(redeemCode(client, metadata, keys, request, parameters, other)).rejects.toMatchObject({
    code: 'response-rejected',
  });
});

test('bound tokens are of no use without the key', async () => {
  client = connectWith({ dpop: 'auto' });
  const { tokens, claims } = await signIn({ person: marisol.id }, {}, await generateDpopKey());
  const stolen = requestUserInfo(client, metadata, { ...tokens, type: 'Bearer' }, claims);
  await expect(stolen).rejects.toMatchObject({ code: 'response-rejected' });
});

test("the provider's own session is ended in a window, and it says so", async () => {
  const browser = new HttpBrowser();
  const { tokens } = await signIn({ browser, person: marisol.id });
  const request = createEndSessionRequest(client, metadata, { idToken: tokens.idToken, redirectUri });
  if (request === null) throw new Error('The demo provider offers no end of the session.');
  const question = await browser.open(request.url);
  const { url } = await browser.press(question, 'logout');
  expect(readEndSessionResponse(request, redirectUri, url)).toBe('confirmed');
  await expect(signIn({ browser }, { prompt: 'none' })).rejects.toSatisfy(isInteractionRequired);
});

test('no exchange carries a cookie', async () => {
  const { tokens, claims } = await signIn({ person: marisol.id });
  await requestUserInfo(client, metadata, tokens, claims);
  await revokeToken(client, metadata, (await renew(tokens)).refreshToken ?? '');
  const exchanges = demo.requests.filter(({ path }) =>
    ['/token', '/jwks', '/userinfo', '/revoke'].includes(path),
  );
  expect(exchanges.map(({ path }) => path)).toEqual(['/jwks', '/token', '/userinfo', '/token', '/revoke']);
  expect(exchanges.filter(({ cookie }) => cookie !== undefined)).toEqual([]);
});
