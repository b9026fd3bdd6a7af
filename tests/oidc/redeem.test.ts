import { expect, test } from 'vitest';
import { discover } from '../../src/oidc/discover.ts';
import { maxBodyBytes } from '../../src/oidc/body.ts';
import { requestUserInfo } from '../../src/oidc/redeem.ts';
import {
  createScriptedProvider,
  redirectUri,
  type Answer,
  type Script,
} from '../support/scripted-provider.ts';

const signIn = (script: Script) => createScriptedProvider(script).signIn();

test('the code is redeemed once, with the code verifier and the same redirect URI, without a client secret', async () => {
  const provider = createScriptedProvider();
  await provider.signIn();
  const [request, ...more] = provider.requests.filter(({ path }) => path === '/token');
  expect(more).toEqual([]);
  expect(Object.fromEntries(request?.parameters ?? [])).toEqual({
    grant_type: 'authorization_code',
    code: 'code-1',
    client_id: 'client',
    redirect_uri: redirectUri,
    code_verifier: expect.stringMatching(/^[\w-]{43}$/),
  });
  expect(request?.headers.has('authorization')).toBe(false);
});

test('a configured resource is also sent to the token endpoint', async () => {
  const provider = createScriptedProvider({ provider: { resource: 'https://api.example' } });
  await provider.signIn();
  const request = provider.requests.find(({ path }) => path === '/token');
  expect(request?.parameters.get('resource')).toBe('https://api.example');
});

const json = (body: unknown, status = 400) => Response.json(body, { status });

test.each<[string, Answer, string]>([
  ['invalid_grant', json({ error: 'invalid_grant' }), 'response-rejected'],
  ['invalid_client', json({ error: 'invalid_client' }, 401), 'provider-misconfigured'],
  ['unauthorized_client', json({ error: 'unauthorized_client' }), 'provider-misconfigured'],
  ['a 403 in a format of its own', json({ message: 'Invalid Origin' }, 403), 'provider-misconfigured'],
  ['a 400 without a body', new Response(null, { status: 400 }), 'response-rejected'],
  ['a 404', new Response('no', { status: 404 }), 'provider-misconfigured'],
  ['a 500', json({ error: 'invalid_grant' }, 500), 'provider-unreachable'],
  ['a 503', new Response('', { status: 503 }), 'provider-unreachable'],
  ['a 429', new Response('', { status: 429 }), 'provider-unreachable'],
  ['a redirect', Response.redirect('https://provider.example/'), 'provider-misconfigured'],
  [
    'a web page',
    new Response('<html>', { headers: { 'content-type': 'text/html' } }),
    'provider-unreachable',
  ],
  ['an empty body', new Response(''), 'response-rejected'],
  [
    'truncated JSON',
    new Response('{', { headers: { 'content-type': 'application/json' } }),
    'response-rejected',
  ],
  ['a list', json([], 200), 'response-rejected'],
  ['null', json(null, 200), 'response-rejected'],
  ['a megabyte of text', new Response('x'.repeat(2 ** 20)), 'response-rejected'],
  ['deeply nested JSON', new Response('['.repeat(maxBodyBytes - 1)), 'response-rejected'],
  ['a network error', () => Promise.reject(new TypeError('Failed to fetch')), 'provider-unreachable'],
])('a token endpoint that responds with %s signs no one in', async (_title, answer, code) => {
  await expect(signIn({ answers: { '/token': answer } })).rejects.toMatchObject({ code });
});

test.each<[string, Record<string, unknown>]>([
  ['no access token', { access_token: undefined }],
  ['an access token that is a number', { access_token: 7 }],
  ['an empty access token', { access_token: '' }],
  ['no token type', { token_type: undefined }],
  ['an unknown token type', { token_type: 'mac' }],
  ['an unrequested DPoP token', { token_type: 'DPoP' }],
  ['a negative lifetime', { expires_in: -1 }],
  ['a lifetime that is not a number', { expires_in: 'soon' }],
  ['a refresh token that is a number', { refresh_token: 7 }],
  ['a scope that is a list', { scope: ['openid'] }],
])('a token response with %s is rejected', async (_title, token) => {
  await expect(signIn({ token })).rejects.toMatchObject({ code: 'response-rejected' });
});

test.each(['bearer', 'BEARER', 'Bearer'])('the token type %s is accepted as Bearer', async (token_type) => {
  await expect(signIn({ token: { token_type } })).resolves.toBeDefined();
});

test('a token response with unknown members is accepted', async () => {
  await expect(signIn({ token: { session_state: 'x', ext: { deep: [1] } } })).resolves.toBeDefined();
});

test.each([
  ['openid notes.read', 'openid notes.read'],
  [undefined, null],
])('the granted scope %j is returned as %j', async (scope, grantedScope) => {
  await expect(signIn({ token: { scope } })).resolves.toMatchObject({ grantedScope });
});

test('a sign-in succeeds without a refresh token', async () => {
  await expect(signIn({ token: { refresh_token: undefined } })).resolves.toMatchObject({
    tokens: { refreshToken: null },
  });
});

async function complete(script: Script) {
  const provider = createScriptedProvider(script);
  const { tokens, claims } = await provider.signIn();
  const profile = await requestUserInfo(provider.client, await discover(provider.client), tokens, claims);
  return { profile, provider };
}

test('UserInfo adds missing claims but cannot change those of the ID token', async () => {
  const userInfo = { sub: 'ada', name: 'Eve', picture: 'https://pictures.example/ada.png' };
  const { profile, provider } = await complete({ answers: { '/userinfo': userInfo } });
  expect(profile).toMatchObject({ name: 'Ada Lovelace', picture: 'https://pictures.example/ada.png' });
  expect(provider.requests.at(-1)?.headers.get('authorization')).toBe('Bearer access-1');
});

test.each([
  ['ada@example.com', true],
  ['another@example.com', false],
])('UserInfo with email_verified for %s verifies the email of the ID token: %s', async (email, verified) => {
  const { profile } = await complete({
    claims: { email_verified: undefined },
    answers: { '/userinfo': { sub: 'ada', email, email_verified: true } },
  });
  expect(profile).toMatchObject({ email: 'ada@example.com', emailVerified: verified });
});

test.each([
  [true, undefined, false],
  [true, false, false],
  [false, true, true],
  [undefined, true, true],
])(
  'an ID token with email_verified %j and no email does not say whether that of UserInfo, with %j, is verified: %s',
  async (signed, told, verified) => {
    const { profile } = await complete({
      claims: { email: undefined, email_verified: signed },
      answers: { '/userinfo': { sub: 'ada', email: 'eve@example.com', email_verified: told } },
    });
    expect(profile).toMatchObject({ email: 'eve@example.com', emailVerified: verified });
  },
);

test('UserInfo cannot verify an email that the ID token calls unverified', async () => {
  const { profile } = await complete({
    claims: { email_verified: false },
    answers: { '/userinfo': { sub: 'ada', email: 'ada@example.com', email_verified: true } },
  });
  expect(profile).toMatchObject({ email: 'ada@example.com', emailVerified: false });
});

test('distributed claims are not fetched', async () => {
  const { profile, provider } = await complete({
    claims: { email: undefined, email_verified: undefined },
    answers: {
      '/userinfo': {
        sub: 'ada',
        _claim_names: { email: 'src1' },
        _claim_sources: { src1: { endpoint: 'https://claims.example/', access_token: 'x' } },
      },
    },
  });
  expect(profile.email).toBeNull();
  expect(provider.paths().at(-1)).toBe('/userinfo');
});

test.each<[string, Answer]>([
  ['another subject', { sub: 'eve', picture: 'https://pictures.example/eve.png' }],
  ['no subject', { picture: 'https://pictures.example/eve.png' }],
  ['a subject that is a number', { sub: 7 }],
  ['a web page', new Response('<html>', { headers: { 'content-type': 'text/html' } })],
  [
    'a challenge',
    new Response(null, { status: 401, headers: { 'www-authenticate': 'Bearer error="invalid_token"' } }),
  ],
  [
    'an unrequested signed response',
    new Response('x.y.z', { headers: { 'content-type': 'application/jwt' } }),
  ],
])('UserInfo with %s is discarded', async (_title, answer) => {
  await expect(complete({ answers: { '/userinfo': answer } })).rejects.toMatchObject({
    code: expect.any(String),
  });
});
