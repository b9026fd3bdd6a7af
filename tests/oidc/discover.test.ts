import { expect, test } from 'vitest';
import { discover, requestKeys } from '../../src/oidc/discover.ts';
import { createScriptedProvider, issuer, type Script } from '../support/scripted-provider.ts';

const wellKnown = '/.well-known/openid-configuration';
const discovering = (script: Script) => discover(createScriptedProvider(script).client);

test('discovery keeps what is used and nothing else', async () => {
  const metadata = await discovering({
    metadata: { something_else: 'x', op_policy_uri: 'https://a.example' },
  });
  expect(metadata).toEqual({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    userinfo_endpoint: `${issuer}/userinfo`,
    revocation_endpoint: `${issuer}/revoke`,
    id_token_signing_alg_values_supported: ['ES256'],
    authorization_response_iss_parameter_supported: true,
  });
});

test.each([
  ['a slash more', `${issuer}/`],
  ['the default port', `${issuer}:443`],
  ['an upper-case host', 'https://PROVIDER.example'],
  ['http', 'http://provider.example'],
  ['another host', 'https://evil.example'],
])('an issuer with %s is refused, and both are named', async (_title, found) => {
  const refused = discovering({ metadata: { issuer: found } });
  await expect(refused).rejects.toMatchObject({ code: 'provider-misconfigured' });
  await expect(refused).rejects.toThrow(found);
  await expect(refused).rejects.toThrow(issuer);
});

test.each([
  ['no issuer', { issuer: undefined }],
  ['an issuer that is a number', { issuer: 7 }],
  ['no token endpoint', { token_endpoint: undefined }],
  ['no authorization endpoint', { authorization_endpoint: undefined }],
  ['no keys', { jwks_uri: undefined }],
  ['a token endpoint that is no URL', { token_endpoint: 'token' }],
  ['an http token endpoint', { token_endpoint: 'http://provider.example/token' }],
  ['a javascript: authorization endpoint', { authorization_endpoint: 'javascript:alert(1)' }],
  ['a push endpoint that is no URL', { pushed_authorization_request_endpoint: 'par' }],
  ['DPoP algorithms that are no list', { dpop_signing_alg_values_supported: 'ES256' }],
  ['a list where a text belongs', { token_endpoint: [`${issuer}/token`] }],
])('metadata with %s is refused', async (_title, metadata) => {
  await expect(discovering({ metadata })).rejects.toMatchObject({ code: 'provider-misconfigured' });
});

test.each([
  'token_endpoint',
  'jwks_uri',
  'userinfo_endpoint',
  'revocation_endpoint',
  'pushed_authorization_request_endpoint',
])('a %s on a host that is not configured is refused by that host', async (endpoint) => {
  const metadata = { [endpoint]: 'https://elsewhere.example:8443/x' };
  await expect(discovering({ metadata })).rejects.toMatchObject({
    code: 'host-permission-missing',
    detail: 'elsewhere.example:8443',
  });
  const provider = { origins: ['https://elsewhere.example:8443'] };
  await expect(discovering({ metadata, provider })).resolves.toBeDefined();
});

test.each([
  [['none'], ['RS256']],
  [['none', 'HS256', 'RS256'], ['RS256']],
  [['HS256', 'hs512', 'None'], ['RS256']],
  [
    ['ES256', 'PS256'],
    ['ES256', 'PS256'],
  ],
  [
    ['nonesuch', 'RHS256'],
    ['nonesuch', 'RHS256'],
  ],
  [undefined, ['RS256']],
])('of the algorithms %j only those with a public key are kept', async (advertised, kept) => {
  const metadata = await discovering({ metadata: { id_token_signing_alg_values_supported: advertised } });
  expect(metadata.id_token_signing_alg_values_supported).toEqual(kept);
});

test('configured metadata overrides what discovery says', async () => {
  const provider = { metadata: { token_endpoint: `${issuer}/other-token` } };
  expect(await discovering({ provider })).toMatchObject({ token_endpoint: `${issuer}/other-token` });
});

test('a provider whose endpoints are all configured is not asked', async () => {
  const scripted = createScriptedProvider({
    provider: {
      metadata: {
        authorization_endpoint: `${issuer}/a`,
        token_endpoint: `${issuer}/t`,
        jwks_uri: `${issuer}/k`,
      },
    },
  });
  expect(await discover(scripted.client)).toMatchObject({ issuer, token_endpoint: `${issuer}/t` });
  expect(scripted.paths()).toEqual([]);
});

test.each<[string, Response, string]>([
  ['404', new Response('no', { status: 404 }), 'provider-misconfigured'],
  ['403', new Response('no', { status: 403 }), 'provider-misconfigured'],
  ['a refusal that reads like an answer', Response.json({ issuer }, { status: 400 }), 'response-rejected'],
  ['500', new Response('no', { status: 500 }), 'provider-unreachable'],
  ['429', new Response('no', { status: 429 }), 'provider-unreachable'],
  ['a redirect', Response.redirect('https://provider.example/x'), 'provider-misconfigured'],
  [
    'a web page',
    new Response('<html>', { headers: { 'content-type': 'text/html' } }),
    'provider-unreachable',
  ],
  ['half of its JSON', new Response('{"issuer":'), 'response-rejected'],
  ['an empty body', new Response(''), 'response-rejected'],
  ['a list', Response.json([]), 'provider-misconfigured'],
  ['null', Response.json(null), 'provider-misconfigured'],
])('a provider that answers discovery with %s is told as such', async (_title, answer, code) => {
  await expect(discovering({ answers: { [wellKnown]: answer } })).rejects.toMatchObject({ code });
});

test('a provider on this computer is asked over http', async () => {
  const local = 'http://localhost:4455';
  const scripted = createScriptedProvider({ issuer: local, provider: { issuer: local } });
  await expect(scripted.signIn()).resolves.toMatchObject({ profile: { subject: 'ada' } });
});

test.each([[{}], [{ keys: 'x' }], [{ keys: [1] }], [{ keys: [{}] }], [[]], [null]])(
  'keys that are %j are rejected',
  async (keys) => {
    const { client } = createScriptedProvider({ answers: { '/keys': Response.json(keys) } });
    const metadata = await discover(client);
    await expect(requestKeys(client, metadata)).rejects.toMatchObject({ code: 'response-rejected' });
  },
);
