import { describe, expect, test } from 'vitest';
import type { Provider } from '../../src/config/provider.ts';
import { discover } from '../support/discover.ts';
import { generateDpopKey } from '../../src/oidc/resource.ts';

import { oauthFlow, uncheckedLifetimeSeconds } from '../../src/parts/oauth.ts';
import { unknownLifetimeSeconds } from '../../src/oidc/tokens.ts';
import { noKeys } from '../support/keys.ts';
import {
  createScriptedProvider,
  issuer,
  plainSettings,
  plainToken,
  plainUser,
  redirectUri,
  type Answer,
  type Script,
} from '../support/scripted-provider.ts';
import { finishSignIn } from '../support/sign-in.ts';

function setUp(script: Script = {}, change: Partial<Provider> = {}) {
  const token = { ...plainToken, ...script.token };
  const provider = createScriptedProvider({ ...script, token, provider: { ...plainSettings, ...change } });
  const { client } = provider;
  const createRequest = async (key: CryptoKeyPair | null = null) => {
    const metadata = await discover(client);
    return { metadata, request: await oauthFlow.createRequest(client, metadata, redirectUri, {}, key) };
  };
  const signIn = async (key: CryptoKeyPair | null = null) => {
    const { metadata, request } = await createRequest(key);
    const approved = new URL(provider.approve(request.url));
    const responseUrl = script.redirect?.(approved) ?? approved.href;
    return finishSignIn(oauthFlow, client, metadata, noKeys, request, responseUrl, key);
  };
  return { provider, createRequest, signIn };
}

test.each([['read:user'], ['']])(
  'the request of plain OAuth 2 has PKCE, state and a configured scope (%j) alone',
  async (scope) => {
    const { request } = await setUp({}, { scope }).createRequest();
    expect(Object.fromEntries(new URL(request.url).searchParams)).toEqual({
      client_id: 'client',
      redirect_uri: redirectUri,
      response_type: 'code',
      ...(scope !== '' && { scope }),
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
  },
);

describe('a sign-in with plain OAuth 2', () => {
  test('redeems the code with its verifier and asks the user API, and neither discovery nor keys nor UserInfo', async () => {
    const { provider, signIn } = setUp();
    expect(await signIn()).toMatchObject({
      issuer,
      profile: { subject: '1815', name: 'Ada Lovelace', email: 'ada@example.com', emailVerified: true },
      tokens: { type: 'Bearer', accessToken: 'access-1', refreshToken: 'refresh-1', idToken: null },
      originalClaims: null,
      grantedScope: null,
    });
    expect(provider.paths()).toEqual(['/token', '/user']);
    const [token] = provider.requests;
    expect(token?.headers.get('accept')).toBe('application/json');
    expect(Object.fromEntries(token?.parameters ?? [])).toEqual({
      grant_type: 'authorization_code',
      code: 'code-1',
      client_id: 'client',
      redirect_uri: redirectUri,
      code_verifier: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  test('binds the tokens to a key where that is wanted', async () => {
    const { provider, signIn } = setUp({}, { dpop: 'required' });
    expect((await signIn(await generateDpopKey())).tokens.type).toBe('DPoP');
    expect(provider.requests.map(({ headers }) => headers.has('dpop'))).toEqual([true, true]);
  });

  test('redeems the code once, though the user API refuses each proof', async () => {
    const headers = { 'www-authenticate': 'DPoP error="use_dpop_nonce"', 'dpop-nonce': 'nonce-1' };
    const answers = { '/user': new Response('', { status: 401, headers }) };
    const { provider, signIn } = setUp({ answers }, { dpop: 'required' });
    await expect(signIn(await generateDpopKey())).rejects.toMatchObject({ code: 'response-rejected' });
    expect(provider.paths()).toEqual(['/token', '/user', '/user']);
  });

  test('ignores the ID token, because nothing verifies it', async () => {
    const idToken = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJldmUifQ.';
    const { profile, tokens } = await setUp({ token: { id_token: idToken } }).signIn();
    expect([profile.subject, tokens.idToken]).toEqual(['1815', null]);
  });

  const no = undefined;
  test.each<[string, Record<string, unknown>, number]>([
    ['neither lifetime nor refresh token', { refresh_token: no, expires_in: no }, uncheckedLifetimeSeconds],
    ['null for both', { refresh_token: null, expires_in: null }, uncheckedLifetimeSeconds],
    ['a lifetime and no refresh token', { refresh_token: no, expires_in: 7200 }, 7200],
    ['a refresh token and no lifetime', { expires_in: no }, unknownLifetimeSeconds],
    ['a lifetime in a text', { expires_in: '7200' }, 7200],
  ])('with %s gives the token a lifetime', async (_title, token, seconds) => {
    const nowMs = Date.now();
    const { tokens } = await setUp({ token, nowMs: () => nowMs }).signIn();
    expect(tokens.expiresAtMs).toBe(nowMs + seconds * 1000);
  });

  // standard-answer.test.ts has the forms that an error may take.
  test.each<[string, Answer]>([
    ['an error with status 200', { error: 'bad_verification_code' }],
    ['neither token nor error', {}],
    ['an unknown token type', { access_token: 'a', token_type: 'mac' }],
    ['a token that no header can hold', { access_token: 'a\nb', token_type: 'Bearer' }],
    ['a token bound to a key that was not asked for', { access_token: 'a', token_type: 'DPoP' }],
  ])('fails if the token endpoint answers %s, and does not ask the user API', async (_title, answer) => {
    const { provider, signIn } = setUp({ answers: { '/token': answer } });
    await expect(signIn()).rejects.toMatchObject({ name: 'ProblemError', code: 'response-rejected' });
    expect(provider.paths()).toEqual(['/token']);
  });

  test.each<[string, Record<string, unknown>, object]>([
    ['refresh token', {}, { token: 'refresh-1', lifetimeSeconds: null }],
    ['access token', { refresh_token: undefined }, { token: 'access-1', lifetimeSeconds: 300 }],
  ])('hands over the %s before the user API fails', async (_title, token, arrival) => {
    const { provider, signIn } = setUp({ token, answers: { '/user': new Response('', { status: 503 }) } });
    await expect(signIn()).rejects.toMatchObject({ code: 'provider-unreachable' });
    expect(provider.arrivals).toMatchObject([{ ...arrival, subject: null }]);
  });

  test.each<[string, NonNullable<Script['redirect']>]>([
    ['another issuer', (url) => url.searchParams.set('iss', 'https://evil.example')],
    ['another state', (url) => url.searchParams.set('state', 'x')],
    ['a token', (url) => url.searchParams.set('access_token', 'x')],
    ['a fragment with parameters', (url) => `${url.href}#access_token=x`],
  ])('rejects a redirect with %s before the token endpoint is asked', async (_title, redirect) => {
    const { provider, signIn } = setUp({ redirect });
    await expect(signIn()).rejects.toMatchObject({ code: 'response-rejected' });
    expect(provider.paths()).toEqual([]);
  });
});

describe('the metadata document of plain OAuth 2 (RFC 8414)', () => {
  const path = '/.well-known/oauth-authorization-server';
  const document = {
    issuer,
    ...plainSettings.metadata,
    authorization_response_iss_parameter_supported: true,
  };

  test.each<[string, object]>([
    ['no keys', {}],
    ['keys on another host', { jwks_uri: 'https://keys.example/keys' }],
    ['UserInfo on another host', { userinfo_endpoint: 'https://me.example/' }],
  ])('with %s is enough for a sign-in', async (_title, members) => {
    const answers = { [path]: { ...document, ...members } };
    const { provider, signIn } = setUp({ answers }, { metadata: null, discoveryUrl: `${issuer}${path}` });
    expect((await signIn()).profile.name).toBe(plainUser.name);
    expect(provider.paths().at(0)).toBe(path);
    const metadata = await discover(provider.client);
    expect(metadata).not.toHaveProperty('jwks_uri');
    expect(metadata).not.toHaveProperty('leftOutEndpoints');
  });
});
