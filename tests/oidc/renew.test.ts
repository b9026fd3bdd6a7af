import { expect, test } from 'vitest';
import { discover, requestKeys } from '../../src/oidc/discover.ts';
import { revokeToken } from '../../src/oidc/end.ts';
import { renewTokens } from '../../src/oidc/renew.ts';
import { createScriptedProvider, createSigningKey, type Answer, type Script } from './scripted-provider.ts';

const tokens = { accessToken: 'access-0', expiresAtMs: 0, refreshToken: 'refresh-0', idToken: 'id-0' };

async function renew(script: Script) {
  const provider = createScriptedProvider(script);
  const metadata = await discover(provider.connection);
  const ask = () => requestKeys(provider.connection, metadata);
  const keys = { current: ask, refetch: ask };
  return { provider, renewed: await renewTokens(provider.connection, metadata, keys, tokens, 'ada') };
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
  ['another subject', { claims: { sub: 'eve' } }],
  ['another issuer', { claims: { iss: 'https://evil.example' } }],
  ['another audience', { claims: { aud: 'another' } }],
  ['another signature', { signingKey: stranger, publishedKeys: () => [] }],
])('a renewed ID token with %s is rejected', async (_title, script) => {
  await expect(renew(script)).rejects.toMatchObject({ code: 'response-rejected' });
});

const json = (body: unknown, status = 400) => Response.json(body, { status });
test.each<[string, Answer, string]>([
  ['invalid_grant', json({ error: 'invalid_grant' }), 'expired'],
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

async function revoke(script: Script) {
  const provider = createScriptedProvider(script);
  await revokeToken(provider.connection, await discover(provider.connection), 'refresh-0');
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
])('a revocation that is answered with %s is told as %s', async (_title, answer, code) => {
  await expect(revoke({ answers: { '/revoke': answer } })).rejects.toMatchObject({ code });
});
