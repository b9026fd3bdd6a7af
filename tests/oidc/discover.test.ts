import { expect, test } from 'vitest';
import { discover, requestKeys } from '../../src/oidc/discover.ts';
import { createScriptedProvider, issuer, type Script } from '../support/scripted-provider.ts';

const wellKnown = '/.well-known/openid-configuration';
const discovering = (script: Script) => discover(createScriptedProvider(script).client);

test('discover returns only the metadata that Latchkey uses', async () => {
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
  ['a trailing slash', `${issuer}/`],
  ['the default port', `${issuer}:443`],
  ['an upper-case host', 'https://PROVIDER.example'],
  ['http', 'http://provider.example'],
  ['another host', 'https://evil.example'],
])('discover rejects an issuer with %s and names both', async (_title, advertised) => {
  const refused = discovering({ metadata: { issuer: advertised } });
  await expect(refused).rejects.toMatchObject({ code: 'provider-misconfigured' });
  await expect(refused).rejects.toThrow(advertised);
  await expect(refused).rejects.toThrow(issuer);
});

test.each([
  ['no issuer', { issuer: undefined }],
  ['an issuer that is a number', { issuer: 7 }],
  ['no token endpoint', { token_endpoint: undefined }],
  ['no authorization endpoint', { authorization_endpoint: undefined }],
  ['no keys', { jwks_uri: undefined }],
  ['a token endpoint that is not a URL', { token_endpoint: 'token' }],
  ['an http token endpoint', { token_endpoint: 'http://provider.example/token' }],
  ['a javascript: authorization endpoint', { authorization_endpoint: 'javascript:alert(1)' }],
  ['a PAR endpoint that is not a URL', { pushed_authorization_request_endpoint: 'par' }],
  ['DPoP algorithms that are not a list', { dpop_signing_alg_values_supported: 'ES256' }],
  ['a list instead of a string', { token_endpoint: [`${issuer}/token`] }],
])('discover rejects metadata with %s', async (_title, metadata) => {
  await expect(discovering({ metadata })).rejects.toMatchObject({ code: 'provider-misconfigured' });
});

test.each([
  'token_endpoint',
  'jwks_uri',
  'userinfo_endpoint',
  'revocation_endpoint',
  'pushed_authorization_request_endpoint',
])('discover rejects a %s on a host that is not configured and names the host', async (endpoint) => {
  const metadata = { [endpoint]: 'https://elsewhere.example:8443/x' };
  await expect(discovering({ metadata })).rejects.toMatchObject({
    code: 'host-permission-missing',
    detail: 'elsewhere.example:8443',
  });
  const provider = { origins: ['https://elsewhere.example:8443'] };
  await expect(discovering({ metadata, provider })).resolves.toBeDefined();
});

test('discover rejects an endpoint on [::1], which cannot be configured, by its host', async () => {
  const metadata = { token_endpoint: 'http://[::1]:4455/token' };
  await expect(discovering({ metadata })).rejects.toMatchObject({
    code: 'host-permission-missing',
    detail: '[::1]:4455',
  });
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
])('discover keeps only the public-key algorithms of %j', async (advertised, kept) => {
  const metadata = await discovering({ metadata: { id_token_signing_alg_values_supported: advertised } });
  expect(metadata.id_token_signing_alg_values_supported).toEqual(kept);
});

test('configured metadata overrides the discovery document', async () => {
  const provider = { metadata: { token_endpoint: `${issuer}/other-token` } };
  expect(await discovering({ provider })).toMatchObject({ token_endpoint: `${issuer}/other-token` });
});

test('discover sends no request if all endpoints are configured', async () => {
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
  ['a 400 that looks like a document', Response.json({ issuer }, { status: 400 }), 'response-rejected'],
  ['500', new Response('no', { status: 500 }), 'provider-unreachable'],
  ['429', new Response('no', { status: 429 }), 'provider-unreachable'],
  ['a redirect', Response.redirect('https://provider.example/x'), 'provider-misconfigured'],
  [
    'a web page',
    new Response('<html>', { headers: { 'content-type': 'text/html' } }),
    'provider-unreachable',
  ],
  ['truncated JSON', new Response('{"issuer":'), 'response-rejected'],
  ['an empty body', new Response(''), 'response-rejected'],
  ['a list', Response.json([]), 'provider-misconfigured'],
  ['null', Response.json(null), 'provider-misconfigured'],
])('discover rejects %s with the matching problem code', async (_title, answer, code) => {
  await expect(discovering({ answers: { [wellKnown]: answer } })).rejects.toMatchObject({ code });
});

test('a provider on localhost may use http', async () => {
  const local = 'http://localhost:4455';
  const scripted = createScriptedProvider({ issuer: local, provider: { issuer: local } });
  await expect(scripted.signIn()).resolves.toMatchObject({ profile: { subject: 'ada' } });
});

test.each([[{}], [{ keys: 'x' }], [{ keys: [1] }], [{ keys: [{}] }], [[]], [null]])(
  'requestKeys rejects %j',
  async (keys) => {
    const { client } = createScriptedProvider({ answers: { '/keys': Response.json(keys) } });
    const metadata = await discover(client);
    await expect(requestKeys(client, metadata)).rejects.toMatchObject({ code: 'response-rejected' });
  },
);
