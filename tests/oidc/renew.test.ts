import { expect, test } from 'vitest';
import { discover, requestKeys, type Keys } from '../../src/oidc/discover.ts';
import { revokeToken } from '../../src/oidc/end.ts';
import { AnotherSubject, renewTokens } from '../../src/oidc/renew.ts';
import { ProblemError } from '../../src/session/problem.ts';
import {
  createScriptedProvider,
  createSigningKey,
  type Answer,
  type Script,
  type ScriptedProvider,
} from '../support/scripted-provider.ts';

const tokens = { accessToken: 'access-0', expiresAtMs: 0, refreshToken: 'refresh-0', idToken: 'id-0' };

async function renewWith({ client }: ScriptedProvider, current?: Keys) {
  const metadata = await discover(client);
  const refetch = () => requestKeys(client, metadata);
  const keys = { current: async () => current ?? refetch(), refetch };
  return renewTokens(client, metadata, keys, tokens, 'ada');
}

async function renew(script: Script) {
  const provider = createScriptedProvider(script);
  return { provider, renewed: await renewWith(provider) };
}

const withoutIdToken = { id_token: undefined };

test('a refresh token is redeemed as a public client, and replaced', async () => {
  const { provider, renewed } = await renew({ token: withoutIdToken });
  expect(Object.fromEntries(provider.requests.at(-1)?.parameters ?? [])).toEqual({
    grant_type: 'refresh_token',
    refresh_token: 'refresh-0',
    client_id: 'client',
  });
  expect(renewed).toMatchObject({ accessToken: 'access-1', refreshToken: 'refresh-1', idToken: 'id-0' });
});

test('a refresh token that is not replaced is kept', async () => {
  const { renewed } = await renew({ token: { ...withoutIdToken, refresh_token: undefined } });
  expect(renewed.refreshToken).toBe('refresh-0');
});

test('a renewed ID token of the same person is verified and kept', async () => {
  const { renewed } = await renew({ claims: { nonce: undefined } });
  expect(renewed.idToken).toMatch(/^ey/);
});

const stranger = await createSigningKey('key-1');
test.each<[string, Script]>([
  ['another issuer', { claims: { iss: 'https://evil.example' } }],
  ['another audience', { claims: { aud: 'another' } }],
  ['another signature', { signingKey: stranger, publishedKeys: () => [] }],
])('a renewed ID token with %s is rejected', async (_title, script) => {
  await expect(renew(script)).rejects.toMatchObject({ code: 'response-rejected' });
});

const failing = () => Promise.reject(new TypeError('Failed to fetch'));
const withoutKeys: [string, Answer][] = [
  ['cannot be reached', failing],
  ['are out of order', new Response('', { status: 503 })],
  ['are a web page', new Response('<html>', { headers: { 'content-type': 'text/html' } })],
  ['are beyond a network that is gone', () => Promise.reject(new ProblemError('offline'))],
  ['do not come in time', () => Promise.reject(new ProblemError('timed-out'))],
];

test.each(withoutKeys)(
  'a rotated refresh token is kept while the keys %s, and the ID token is not',
  async (_title, answer) => {
    const { renewed } = await renew({ claims: { nonce: undefined }, answers: { '/keys': answer } });
    expect(renewed).toMatchObject({ accessToken: 'access-1', refreshToken: 'refresh-1', idToken: 'id-0' });
  },
);

test('a rotated refresh token is kept when the keys have changed and the new ones cannot be had', async () => {
  const provider = createScriptedProvider({
    signingKey: await createSigningKey('key-2'),
    answers: { '/keys': failing },
  });
  const renewed = await renewWith(provider, { keys: [stranger.jwk as Keys['keys'][number]] });
  expect(renewed).toMatchObject({ refreshToken: 'refresh-1', idToken: 'id-0' });
});

test.each<[string, Script, string]>([
  ['of another person', { claims: { sub: 'eve' } }, 'response-rejected'],
  ['of another audience', { claims: { aud: 'another' } }, 'response-rejected'],
  ['of another access token', { claims: { at_hash: 'x' } }, 'response-rejected'],
  ['of a person who is not let in', { provider: { allowed: { hd: ['acme.example'] } } }, 'not-permitted'],
])('an ID token %s is refused while the keys cannot be had as well', async (_title, script, code) => {
  await expect(renew({ ...script, answers: { '/keys': failing } })).rejects.toMatchObject({ code });
});

test('keys that are no keys verify nothing', async () => {
  const answers = { '/keys': Response.json({ keys: 'x' }) };
  await expect(renew({ answers })).rejects.toMatchObject({ code: 'response-rejected' });
});

test('a renewal for another person is told apart, and its tokens are revoked', async () => {
  const provider = createScriptedProvider({ claims: { sub: 'eve' } });
  const refused = renewWith(provider);
  await expect(refused).rejects.toBeInstanceOf(AnotherSubject);
  await expect(refused).rejects.toMatchObject({
    code: 'response-rejected',
    detail: 'renewal: another subject [sub]',
  });
  await expect.poll(() => provider.paths().at(-1)).toBe('/revoke');
  expect(provider.requests.at(-1)?.parameters.get('token')).toBe('refresh-1');
});

test('a person who is not let in any more is told so, and the tokens are revoked', async () => {
  const provider = createScriptedProvider({
    provider: { allowed: { groups: ['staff'] } },
    claims: { groups: ['guests'] },
    token: { refresh_token: undefined },
  });
  await expect(renewWith(provider)).rejects.toMatchObject({ code: 'not-permitted' });
  await expect.poll(() => provider.paths().at(-1)).toBe('/revoke');
  expect(provider.requests.at(-1)?.parameters.get('token')).toBe('refresh-0');
});

test('a renewal without an ID token does not ask again who is let in', async () => {
  const script = { provider: { allowed: { groups: ['staff'] } }, token: withoutIdToken };
  await expect(renew(script)).resolves.toBeDefined();
});

const json = (body: unknown, status = 400) => Response.json(body, { status });
test.each<[string, Answer, string]>([
  ['invalid_grant', json({ error: 'invalid_grant' }), 'expired'],
  ['an error of its own', json({ error: 'bad_refresh_token' }), 'expired'],
  ['an error of a silent request', json({ error: 'login_required' }), 'expired'],
  ['access_denied', json({ error: 'access_denied' }, 401), 'expired'],
  [
    'a challenge',
    new Response(null, { status: 401, headers: { 'www-authenticate': 'Bearer error="invalid_token"' } }),
    'expired',
  ],
  ['a 400 without a body', new Response(null, { status: 400 }), 'expired'],
  ['a 401 without a body', new Response(null, { status: 401 }), 'expired'],
  ['a 400 in words', new Response('Bad Request', { status: 400 }), 'expired'],
  ['a 400 of its own form', json({ message: 'token is not active' }), 'expired'],
  ['a 400 that is null', json(null), 'expired'],
  ['an error that is a number', json({ error: 7 }), 'expired'],
  ['invalid_request', json({ error: 'invalid_request' }), 'provider-misconfigured'],
  ['invalid_scope', json({ error: 'invalid_scope' }), 'provider-misconfigured'],
  ['unauthorized_client', json({ error: 'unauthorized_client' }, 401), 'provider-misconfigured'],
  [
    'invalid_client and a challenge',
    Response.json(
      { error: 'invalid_client' },
      { status: 401, headers: { 'www-authenticate': 'Basic realm="x"' } },
    ),
    'response-rejected',
  ],
  ['a proof refused', json({ error: 'invalid_dpop_proof' }), 'response-rejected'],
  ['temporarily_unavailable', json({ error: 'temporarily_unavailable' }), 'provider-unreachable'],
  ['a 403', json({ error: 'invalid_grant' }, 403), 'response-rejected'],
  ['a 404', new Response(null, { status: 404 }), 'provider-misconfigured'],
  ['a 405', new Response(null, { status: 405 }), 'response-rejected'],
  [
    'a web page with a 400',
    new Response('<html>', { status: 400, headers: { 'content-type': 'text/html; charset=utf-8' } }),
    'provider-unreachable',
  ],
  ['invalid_grant with a 500', json({ error: 'invalid_grant' }, 500), 'provider-unreachable'],
  ['invalid_client', json({ error: 'invalid_client' }, 401), 'provider-misconfigured'],
  ['a 503', new Response('', { status: 503 }), 'provider-unreachable'],
  ['too many requests', new Response('', { status: 429 }), 'provider-unreachable'],
  [
    'a web page',
    new Response('<html>', { headers: { 'content-type': 'text/html' } }),
    'provider-unreachable',
  ],
  ['a network error', () => Promise.reject(new TypeError('Failed to fetch')), 'provider-unreachable'],
])('a renewal that is answered with %s is %s', async (_title, answer, code) => {
  await expect(renew({ answers: { '/token': answer } })).rejects.toMatchObject({ code });
});

test.each<[string, Answer, string]>([
  ['the provider', json({ error: 'invalid_grant' }), 'renewal: HTTP 400'],
  ['the provider, without a word', new Response(null, { status: 401 }), 'renewal: HTTP 401'],
])(
  'a refusal by %s is told by its status, and what was refused stays with it',
  async (_title, answer, detail) => {
    const refused = renew({ answers: { '/token': answer } });
    await expect(refused).rejects.toMatchObject({ code: 'expired', detail, cause: expect.any(Error) });
  },
);

test('a fault of the registration is told by its name', async () => {
  const refused = renew({ answers: { '/token': json({ error: 'invalid_client' }, 401) } });
  await expect(refused).rejects.toMatchObject({ detail: 'renewal: invalid_client' });
});

async function revoke(script: Script) {
  const provider = createScriptedProvider(script);
  await revokeToken(provider.client, await discover(provider.client), 'refresh-0');
  return provider;
}

test('a revocation names the token and its kind, as a public client', async () => {
  const provider = await revoke({});
  expect(Object.fromEntries(provider.requests.at(-1)?.parameters ?? [])).toEqual({
    token: 'refresh-0',
    token_type_hint: 'refresh_token',
    client_id: 'client',
  });
});

test('a provider without a revocation endpoint is not asked', async () => {
  const provider = await revoke({ metadata: { revocation_endpoint: undefined } });
  expect(provider.paths()).not.toContain('/revoke');
});

test.each<[string, Answer, string]>([
  ['a 503', new Response('', { status: 503 }), 'provider-unreachable'],
  ['unsupported_token_type', json({ error: 'unsupported_token_type' }), 'response-rejected'],
])('a revocation that is answered with %s is told', async (_title, answer, code) => {
  await expect(revoke({ answers: { '/revoke': answer } })).rejects.toMatchObject({ code });
});

test('a revocation that is refused is told by the word of the provider', async () => {
  const refused = revoke({ answers: { '/revoke': json({ error: 'unsupported_token_type' }) } });
  await expect(refused).rejects.toMatchObject({ detail: 'revocation: unsupported_token_type' });
});
