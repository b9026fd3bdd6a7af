import { expect, test } from 'vitest';
import { requestKeys } from '../../src/oidc/discover.ts';
import { discover } from '../support/discover.ts';
import { createScriptedProvider, issuer, toMetadata, type Script } from '../support/scripted-provider.ts';

const wellKnown = '/.well-known/openid-configuration';
const elsewhere = 'https://elsewhere.example:8443';
const discovering = (script: Script) => discover(createScriptedProvider(script).client);

const page = 'authorization_endpoint';
/** The endpoints that a sign-in needs. */
const needed = { [page]: `${issuer}/a`, token_endpoint: `${issuer}/t`, jwks_uri: `${issuer}/k` };

test('discover asks for JSON, and returns only the metadata that Latchkey uses', async () => {
  const provider = createScriptedProvider({ metadata: { something_else: 'x', op_policy_uri: issuer } });
  expect(await discover(provider.client)).toEqual(toMetadata(issuer));
  expect(provider.requests[0]?.headers.get('accept')).toBe('application/json');
});

const otherIssuer = `its issuer is another one than ${issuer}, which is configured`;

test.each<[string, Record<string, unknown>, string]>([
  ['an issuer with a trailing slash', { issuer: `${issuer}/` }, otherIssuer],
  ['an issuer with an upper-case host', { issuer: 'https://PROVIDER.example' }, otherIssuer],
  ['an issuer without TLS', { issuer: 'http://provider.example' }, otherIssuer],
  ['an issuer on another host', { issuer: 'https://evil.example' }, otherIssuer],
  ['no issuer', { issuer: undefined }, 'issuer is missing'],
  ['an issuer that is a number', { issuer: 7 }, 'issuer has the wrong type'],
  ['no token endpoint', { token_endpoint: undefined }, 'token_endpoint is missing'],
  ['a token endpoint that is null', { token_endpoint: null }, 'token_endpoint is missing'],
  ['no authorization endpoint', { authorization_endpoint: undefined }, 'authorization_endpoint is missing'],
  ['no keys', { jwks_uri: undefined }, 'jwks_uri is missing'],
  ['an endpoint that is no URL', { token_endpoint: 'token' }, 'token_endpoint is not an https URL'],
  ['an endpoint without TLS', { jwks_uri: 'http://provider.example/' }, 'jwks_uri is not an https URL'],
  ['a script as an endpoint', { [page]: 'javascript:alert(1)' }, `${page} is not an https URL`],
  ['a list of endpoints', { token_endpoint: [`${issuer}/token`] }, 'token_endpoint has the wrong type'],
])('discover rejects metadata with %s', async (_title, metadata, detail) => {
  const problem = { code: 'provider-misconfigured', detail: `discovery: ${detail}` };
  await expect(discovering({ metadata })).rejects.toMatchObject(problem);
});

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

const { token_endpoint: _token, ...implicit } = needed;

test.each([
  ['not needed if every endpoint of a sign-in is configured', 'code', needed, []],
  ['not needed if others are null', 'code', { ...needed, revocation_endpoint: null }, []],
  ['not needed without a token endpoint where the answer is an ID token', 'id_token', implicit, []],
  ['needed without a token endpoint where the answer is a code', 'code', implicit, [wellKnown]],
] as const)('discovery is %s', async (_title, responseType, metadata, paths) => {
  const scripted = createScriptedProvider({ provider: { responseType, metadata } });
  const found = await discover(scripted.client);
  expect(found).toMatchObject({ issuer, ...implicit });
  expect('revocation_endpoint' in found).toBe(paths.length > 0);
  expect(scripted.paths()).toEqual(paths);
});

const withElsewhere = { origins: [elsewhere] };
const par = 'pushed_authorization_request_endpoint';
const isRequired = { require_pushed_authorization_requests: true };

test.each<[string, Script]>([
  ['token_endpoint', {}],
  ['jwks_uri', {}],
  [par, { metadata: isRequired }],
  [par, { provider: { par: 'always' } }],
])('discover rejects a needed %s on a host that is not configured and names it', async (name, script) => {
  const metadata = { ...script.metadata, [name]: `${elsewhere}/x` };
  const detail = `discovery: ${name} is on a host that is not in the configuration`;
  const problem = { code: 'host-permission-missing', detail };
  await expect(discovering({ ...script, metadata })).rejects.toMatchObject(problem);
  const provider = { ...script.provider, ...withElsewhere };
  await expect(discovering({ ...script, metadata, provider })).resolves.toBeDefined();
});

test('discover rejects an endpoint on [::1], which cannot be configured', async () => {
  const metadata = { token_endpoint: 'http://[::1]:4455/token' };
  await expect(discovering({ metadata })).rejects.toMatchObject({ code: 'host-permission-missing' });
});

test.each<[string, Script]>([
  ['userinfo_endpoint', {}],
  ['revocation_endpoint', {}],
  [par, {}],
  [par, { metadata: isRequired, provider: { par: 'off' } }],
])(
  'a %s on a host that is not configured is left out if it is not needed, and named',
  async (endpoint, script) => {
    const metadata = { ...script.metadata, [endpoint]: `${elsewhere}/x` };
    const without = await discovering({ ...script, metadata });
    expect(without).not.toHaveProperty(endpoint);
    expect(without.leftOutEndpoints).toEqual([endpoint]);
    const provider = { ...script.provider, ...withElsewhere };
    const complete = await discovering({ ...script, metadata, provider });
    expect(complete).toMatchObject({ [endpoint]: `${elsewhere}/x` });
    expect(complete).not.toHaveProperty('leftOutEndpoints');
  },
);

test.each([
  ['userinfo_endpoint', 'http://provider.example/me'],
  ['revocation_endpoint', ''],
  ['end_session_endpoint', 'javascript:alert(1)'],
  ['pushed_authorization_request_endpoint', 7],
])('a %s that is %j is left out, and named', async (endpoint, address) => {
  const metadata = await discovering({ metadata: { [endpoint]: address } });
  expect(metadata).not.toHaveProperty(endpoint);
  expect(metadata.leftOutEndpoints).toEqual([endpoint]);
});

test('a logout page on a host that is not configured is kept, because it opens in a window', async () => {
  const metadata = { end_session_endpoint: `${elsewhere}/logout` };
  expect(await discovering({ metadata })).toMatchObject(metadata);
});

test.each(['userinfo_endpoint', 'revocation_endpoint', 'end_session_endpoint', par])(
  'a %s that is null in the configuration or in the document is not used',
  async (endpoint) => {
    const metadata = { [endpoint]: `${issuer}/x` };
    expect(await discovering({ metadata })).toHaveProperty(endpoint);
    const unused = await discovering({ metadata, provider: { metadata: { [endpoint]: null } } });
    expect(unused).not.toHaveProperty(endpoint);
    expect(unused).not.toHaveProperty('leftOutEndpoints');
    expect(await discovering({ metadata: { [endpoint]: null } })).not.toHaveProperty(endpoint);
  },
);

test.each([
  ['none', 'RS256'],
  ['none HS256 RS256', 'RS256'],
  ['HS256 hs512 None', 'RS256'],
  ['ES256 nonesuch RHS256', 'ES256 nonesuch RHS256'],
  [undefined, 'RS256'],
])('discover keeps only the public-key algorithms of %j', async (advertised, kept) => {
  const algorithms = { id_token_signing_alg_values_supported: advertised?.split(' ') };
  const metadata = await discovering({ metadata: algorithms });
  expect(metadata.id_token_signing_alg_values_supported.join(' ')).toBe(kept);
});

test('configured metadata overrides the discovery document', async () => {
  const provider = { metadata: { token_endpoint: `${issuer}/other-token` } };
  expect(await discovering({ provider })).toMatchObject(provider.metadata);
});

test('the discovery document is read at discoveryUrl, and its issuer is checked as ever', async () => {
  const document = { issuer, ...needed };
  const answers = { '/policy/openid': (): Response => Response.json(document) };
  const provider = { discoveryUrl: `${elsewhere}/policy/openid?p=sign-in`, origins: [elsewhere] };
  const scripted = createScriptedProvider({ answers, provider });
  expect(await discover(scripted.client)).toMatchObject(document);
  expect(scripted.requests.map(({ url }) => url)).toEqual([provider.discoveryUrl]);
  document.issuer = elsewhere;
  await expect(discover(scripted.client)).rejects.toMatchObject({ code: 'provider-misconfigured' });
});

test('a slash at the end of the issuer is not doubled in the address of the document', async () => {
  const own = `${issuer}/`;
  const scripted = createScriptedProvider({ metadata: { issuer: own }, provider: { issuer: own } });
  await discover(scripted.client);
  expect(scripted.paths()).toEqual([wellKnown]);
});

test('a discoveryUrl at which nothing is found is named', async () => {
  const discoveryUrl = `${issuer}/nothing?p=1`;
  const problem = { code: 'provider-misconfigured', detail: `discovery: HTTP 404 at ${discoveryUrl}` };
  await expect(discovering({ provider: { discoveryUrl } })).rejects.toMatchObject(problem);
});

const webPage = new Response('<html>', { headers: { 'content-type': 'text/html' } });
const where = `${issuer}${wellKnown}`;

test.each<[string, Response, string, string]>([
  ['a 403', new Response('no', { status: 403 }), 'provider-misconfigured', `HTTP 403 at ${where}`],
  ['a document with 400', Response.json({}, { status: 400 }), 'response-rejected', `HTTP 400 at ${where}`],
  ['a web page', webPage, 'provider-unreachable', `the answer of ${where} is not JSON`],
  ['truncated JSON', new Response('{"a":'), 'response-rejected', `the answer of ${where} is not JSON`],
  ['a list', Response.json([]), 'provider-misconfigured', 'issuer is missing'],
  ['a text', Response.json('issuer'), 'provider-misconfigured', 'issuer is missing'],
  ['null', Response.json(null), 'provider-misconfigured', 'issuer is missing'],
])('discover rejects %s with the matching problem code', async (_title, answer, code, detail) => {
  const problem = { code, detail: `discovery: ${detail}` };
  await expect(discovering({ answers: { [wellKnown]: answer } })).rejects.toMatchObject(problem);
});

test('a provider on localhost may use http', async () => {
  const local = 'http://localhost:4455';
  const scripted = createScriptedProvider({ issuer: local, provider: { issuer: local } });
  await expect(scripted.signIn()).resolves.toMatchObject({ profile: { subject: 'ada' } });
});

test.each([
  ...[{}, { keys: 'x' }, { keys: [1] }, { keys: [{}] }, { keys: [{ kty: 7 }] }, [], null].map(
    (keys) => [JSON.stringify(keys), Response.json(keys), 'keys: the answer is not a key set'] as const,
  ),
  ['a 410', Response.json({}, { status: 410 }), 'keys: HTTP 410 at provider.example'] as const,
])('requestKeys rejects %s', async (_title, answer, detail) => {
  const { client } = createScriptedProvider({ answers: { '/keys': answer } });
  const asked = requestKeys(client, await discover(client));
  await expect(asked).rejects.toMatchObject({ code: 'response-rejected', detail });
});
