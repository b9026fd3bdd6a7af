import { expect, test } from 'vitest';
import { discover, requestKeys } from '../../src/oidc/discover.ts';
import { createScriptedProvider, issuer, type Script } from '../support/scripted-provider.ts';

const wellKnown = '/.well-known/openid-configuration';
const discovering = (script: Script) => discover(createScriptedProvider(script).client);
const signIn = (script: Script) => createScriptedProvider(script).signIn();

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
])('discover rejects an issuer with %s and names the configured one', async (_title, advertised) => {
  const refused = discovering({ metadata: { issuer: advertised } });
  await expect(refused).rejects.toMatchObject({ code: 'provider-misconfigured' });
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
  ['DPoP algorithms that are not a list', { dpop_signing_alg_values_supported: 'ES256' }],
  ['a list instead of a string', { token_endpoint: [`${issuer}/token`] }],
])('discover rejects metadata with %s', async (_title, metadata) => {
  await expect(discovering({ metadata })).rejects.toMatchObject({ code: 'provider-misconfigured' });
});

const elsewhere = 'https://elsewhere.example:8443';

test.each([
  ['no token endpoint', undefined],
  ['a token endpoint on a host without permission', `${elsewhere}/token`],
  ['a token endpoint that is no URL', 'token'],
])('discover accepts metadata with %s where the answer is an ID token, and drops it', async (_title, url) => {
  const provider = { responseType: 'id_token' } as const;
  const metadata = await discovering({ provider, metadata: { token_endpoint: url } });
  expect(metadata).not.toHaveProperty('token_endpoint');
  expect(metadata.jwks_uri).toBe(`${issuer}/keys`);
});

test('discovery is not needed where the answer is an ID token if the sign-in page and the keys are configured', async () => {
  const metadata = { authorization_endpoint: `${issuer}/authorize`, jwks_uri: `${issuer}/keys` };
  for (const [responseType, paths] of [
    ['id_token', []],
    ['code', [wellKnown]],
  ] as const) {
    const scripted = createScriptedProvider({ provider: { responseType, metadata } });
    await discover(scripted.client);
    expect(scripted.paths()).toEqual(paths);
  }
});

const withElsewhere = { origins: [elsewhere] };
const pushed = { pushed_authorization_request_endpoint: `${elsewhere}/par` };

test.each<[string, Script]>([
  ['token_endpoint', { metadata: { token_endpoint: `${elsewhere}/x` } }],
  ['jwks_uri', { metadata: { jwks_uri: `${elsewhere}/x` } }],
  [
    'pushed_authorization_request_endpoint',
    { metadata: { ...pushed, require_pushed_authorization_requests: true } },
  ],
  ['pushed_authorization_request_endpoint', { metadata: pushed, provider: { par: 'always' } }],
])('discover rejects a needed %s on a host that is not configured and names it', async (name, script) => {
  await expect(discovering(script)).rejects.toMatchObject({
    code: 'host-permission-missing',
    detail: `discovery: ${name} is on a host that is not in the configuration`,
  });
  const provider = { ...script.provider, ...withElsewhere };
  await expect(discovering({ ...script, provider })).resolves.toBeDefined();
});

test.each<[string, string, Script]>([
  ['a UserInfo endpoint', 'userinfo_endpoint', {}],
  ['a revocation endpoint', 'revocation_endpoint', {}],
  ['a PAR endpoint', 'pushed_authorization_request_endpoint', {}],
  [
    'a PAR endpoint that is never used',
    'pushed_authorization_request_endpoint',
    { metadata: { require_pushed_authorization_requests: true }, provider: { par: 'off' } },
  ],
])('%s on a host that is not configured is left out, and named', async (_title, endpoint, script) => {
  const metadata = { ...script.metadata, [endpoint]: `${elsewhere}/x` };
  const without = await discovering({ ...script, metadata });
  expect(without).not.toHaveProperty(endpoint);
  expect(without.leftOutEndpoints).toEqual([endpoint]);
  const provider = { ...script.provider, ...withElsewhere };
  const complete = await discovering({ ...script, metadata, provider });
  expect(complete).toMatchObject({ [endpoint]: `${elsewhere}/x` });
  expect(complete).not.toHaveProperty('leftOutEndpoints');
});

test.each([
  ['userinfo_endpoint', 'http://provider.example/me'],
  ['revocation_endpoint', ''],
  ['end_session_endpoint', '/logout'],
  ['end_session_endpoint', 'javascript:alert(1)'],
  ['pushed_authorization_request_endpoint', 7],
])('a %s that is %j is left out, and named', async (endpoint, address) => {
  const metadata = await discovering({ metadata: { [endpoint]: address } });
  expect(metadata).not.toHaveProperty(endpoint);
  expect(metadata.leftOutEndpoints).toEqual([endpoint]);
});

test('a required PAR endpoint that is not a URL stops the sign-in', async () => {
  const metadata = {
    pushed_authorization_request_endpoint: 'par',
    require_pushed_authorization_requests: true,
  };
  await expect(signIn({ metadata })).rejects.toMatchObject({ code: 'provider-misconfigured' });
});

test('a logout page on a host that is not configured is kept, because it opens in a window', async () => {
  const metadata = { end_session_endpoint: `${elsewhere}/logout` };
  expect(await discovering({ metadata })).toMatchObject(metadata);
});

test('a sign-in succeeds without an endpoint that is left out', async () => {
  const metadata = { userinfo_endpoint: `${elsewhere}/me`, revocation_endpoint: `${elsewhere}/revoke` };
  await expect(signIn({ metadata })).resolves.toMatchObject({ profile: { subject: 'ada' } });
});

const optional = [
  'userinfo_endpoint',
  'revocation_endpoint',
  'end_session_endpoint',
  'pushed_authorization_request_endpoint',
];

test.each(optional)('a %s that is configured as null is not used', async (endpoint) => {
  const metadata = { [endpoint]: `${issuer}/x` };
  expect(await discovering({ metadata })).toHaveProperty(endpoint);
  const unused = await discovering({ metadata, provider: { metadata: { [endpoint]: null } } });
  expect(unused).not.toHaveProperty(endpoint);
  expect(unused).not.toHaveProperty('leftOutEndpoints');
});

test.each(optional)('a %s that is null in the discovery document counts as missing', async (endpoint) => {
  expect(await discovering({ metadata: { [endpoint]: null } })).not.toHaveProperty(endpoint);
});

test('discover rejects a token endpoint that is null', async () => {
  const refused = discovering({ metadata: { token_endpoint: null } });
  await expect(refused).rejects.toMatchObject({ code: 'provider-misconfigured' });
});

test('endpoints that are configured without discovery may be null', async () => {
  const metadata = {
    authorization_endpoint: `${issuer}/a`,
    token_endpoint: `${issuer}/t`,
    jwks_uri: `${issuer}/k`,
    revocation_endpoint: null,
  };
  const scripted = createScriptedProvider({ provider: { metadata } });
  expect(await discover(scripted.client)).not.toHaveProperty('revocation_endpoint');
  expect(scripted.paths()).toEqual([]);
});

test('discover rejects an endpoint on [::1], which cannot be configured', async () => {
  const metadata = { token_endpoint: 'http://[::1]:4455/token' };
  await expect(discovering({ metadata })).rejects.toMatchObject({
    code: 'host-permission-missing',
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

test('the discovery document is read at discoveryUrl, and its issuer is checked as ever', async () => {
  const document = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
  };
  const answers = { '/policy/openid': (): Response => Response.json(document) };
  const provider = { discoveryUrl: `${elsewhere}/policy/openid?p=sign-in`, origins: [elsewhere] };
  const scripted = createScriptedProvider({ answers, provider });
  expect(await discover(scripted.client)).toMatchObject(document);
  expect(scripted.requests.map(({ url }) => url)).toEqual([provider.discoveryUrl]);
  document.issuer = elsewhere;
  await expect(discover(scripted.client)).rejects.toMatchObject({ code: 'provider-misconfigured' });
});

test('a discoveryUrl at which nothing is found is named', async () => {
  const refused = discovering({ provider: { discoveryUrl: `${issuer}/nothing?p=1` } });
  await expect(refused).rejects.toMatchObject({
    code: 'provider-misconfigured',
    detail: expect.stringMatching(/^discovery: HTTP 404 at .*\/nothing\?p=1$/),
  });
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
  ['a text', Response.json('issuer'), 'provider-misconfigured'],
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
