import { expect, test } from 'vitest';
import { discover } from '../support/discover.ts';
import { maxBodyBytes } from '../../src/oidc/http.ts';
import { requestUserInfo } from '../../src/oidc/resource.ts';
import {
  createScriptedProvider,
  redirectUri,
  type Answer,
  type Script,
} from '../support/scripted-provider.ts';

const signIn = (script: Script) => createScriptedProvider(script).signIn();

test('the code is redeemed once, with its verifier, redirect URI and resource, without a client secret', async () => {
  const resource = 'https://api.example';
  const provider = createScriptedProvider({ provider: { resource } });
  await provider.signIn();
  const [request, ...more] = provider.requests.filter(({ path }) => path === '/token');
  expect(more).toEqual([]);
  expect(Object.fromEntries(request?.parameters ?? [])).toEqual({
    grant_type: 'authorization_code',
    code: 'code-1',
    client_id: 'client',
    redirect_uri: redirectUri,
    code_verifier: expect.stringMatching(/^[\w-]{43}$/),
    resource,
  });
  expect(request?.headers.has('authorization')).toBe(false);
});

const json = (body: unknown, status = 400) => Response.json(body, { status });
const withType = (text: string, type: string) => new Response(text, { headers: { 'content-type': type } });
const bearer = { 'www-authenticate': 'Bearer error="invalid_token"' };
const challenge = new Response(null, { status: 401, headers: bearer });
const bareChallenge = new Response(null, { status: 401, headers: { 'www-authenticate': 'Basic realm="x"' } });
const webPage = withType('<html>', 'text/html');
const rejected = 'response-rejected';
const [misconfigured, unreachable] = ['provider-misconfigured', 'provider-unreachable'];

test.each<[string, Answer, string, RegExp]>([
  ['invalid_grant', json({ error: 'invalid_grant' }), rejected, /^token: invalid_grant$/],
  ['invalid_client', json({ error: 'invalid_client' }, 401), misconfigured, /^token: invalid_client$/],
  ['a challenge that names an error', challenge, rejected, /^token: invalid_token$/],
  ['a challenge that names none', bareChallenge, rejected, /\(HTTP 401\)$/],
  ['a 403 in a format of its own', json({ message: 'No' }, 403), misconfigured, /^token: .* \(HTTP 403\)$/],
  ['a 400 without a body', new Response(null, { status: 400 }), rejected, /\(HTTP 400\)$/],
  ['a 503', new Response('', { status: 503 }), unreachable, /HTTP 503/],
  ['a 404', new Response('no', { status: 404 }), misconfigured, /\(HTTP 404\)$/],
  ['a web page', webPage, unreachable, /^token: .* \(HTTP 200\)$/],
  ['an empty body', new Response(''), rejected, /^token: /],
  ['truncated JSON', withType('{', 'application/json'), rejected, /^token: /],
  ['a list', json([], 200), rejected, /^token: /],
  ['null', json(null, 200), rejected, /^token: /],
  ['deeply nested JSON', new Response('['.repeat(maxBodyBytes - 1)), rejected, /^token: /],
])('a token endpoint that responds with %s signs no one in', async (_title, answer, code, said) => {
  const problem = { code, detail: expect.stringMatching(said) as string };
  const provider = createScriptedProvider({ answers: { '/token': answer } });
  await expect(provider.signIn()).rejects.toMatchObject(problem);
  expect(provider.paths().filter((path) => path === '/token')).toHaveLength(1);
});

test.each<[string, Record<string, unknown>]>([
  ['no access token', { access_token: undefined }],
  ['an access token that is an object', { access_token: {} }],
  ['an empty access token', { access_token: '' }],
  ['an unknown token type', { token_type: 'mac' }],
  ['no ID token', { id_token: undefined }],
])('a token response with %s is rejected', async (_title, token) => {
  await expect(signIn({ token })).rejects.toMatchObject({ code: 'response-rejected' });
});

test.each<[object, object]>([
  [{ token_type: 'bearer' }, { tokens: { type: 'Bearer' } }],
  [{ token_type: 'BEARER' }, { tokens: { type: 'Bearer' } }],
  [{ scope: 'openid notes.read' }, { grantedScope: 'openid notes.read' }],
  [{ scope: undefined }, { grantedScope: null }],
  [{ refresh_token: undefined }, { tokens: { refreshToken: null } }],
  [{ refresh_token: null }, { tokens: { refreshToken: null } }],
  [{ refresh_token: '' }, { tokens: { refreshToken: null } }],
  [{ refresh_token: {} }, { tokens: { refreshToken: null } }],
  [{ session_state: 'x', ext: { deep: [1] } }, {}],
])('a token response with %j signs the user in: %j', async (token, expected) => {
  await expect(signIn({ token: { ...token } })).resolves.toMatchObject(expected);
});

async function complete(script: Script) {
  const provider = createScriptedProvider(script);
  const { tokens, claims } = await provider.signIn();
  const profile = await requestUserInfo(provider.client, await discover(provider.client), tokens, claims);
  return { profile, provider };
}

test('UserInfo adds missing claims but cannot change those of the ID token', async () => {
  const userInfo = { sub: 'ada', name: 'Eve', picture: 'https://pictures.example/ada.png' };
  const answers = { '/userinfo': userInfo };
  const { profile, provider } = await complete({ claims: { picture: null }, answers });
  expect(profile).toMatchObject({ name: 'Ada Lovelace', picture: 'https://pictures.example/ada.png' });
  expect(provider.requests.at(-1)?.headers.get('authorization')).toBe('Bearer access-1');
});

/** The e-mail in the ID token and in UserInfo; whether the profile's is verified. */
test.each<[signed: object, told: object, verified: boolean]>([
  [{}, { email: 'ada@example.com', email_verified: true }, true],
  [{}, { email: 'another@example.com', email_verified: true }, false],
  [{ email_verified: false }, { email: 'ada@example.com', email_verified: true }, false],
  [{ email: undefined, email_verified: true }, { email: 'ada@example.com' }, false],
  [{ email: undefined, email_verified: true }, { email: 'ada@example.com', email_verified: false }, false],
  [{ email: undefined, email_verified: false }, { email: 'ada@example.com', email_verified: true }, true],
  [{ email: undefined }, { email: 'ada@example.com', email_verified: true }, true],
  [{ email: '' }, { email: 'ada@example.com', email_verified: true }, true],
])(
  'each email_verified is about the email beside it: with %j in the ID token and %j in UserInfo, it is %s',
  async (signed, told, verified) => {
    const { profile } = await complete({
      claims: { email_verified: undefined, ...signed },
      answers: { '/userinfo': { sub: 'ada', ...told } },
    });
    expect(profile).toMatchObject({ email: 'ada@example.com', emailVerified: verified });
  },
);

test('distributed claims are not fetched', async () => {
  const sources = { src1: { endpoint: 'https://claims.example/', access_token: 'x' } };
  const answers = { '/userinfo': { sub: 'ada', _claim_names: { email: 'src1' }, _claim_sources: sources } };
  const { profile, provider } = await complete({ claims: { email: undefined }, answers });
  expect(profile.email).toBeNull();
  expect(provider.paths().at(-1)).toBe('/userinfo');
});

const told = (answer: Answer): Script => ({ answers: { '/userinfo': answer } });
const noEndpoint: Script = { metadata: { userinfo_endpoint: undefined } };

test.each<[string, Script, string, RegExp]>([
  ['another subject', told({ sub: 'eve', name: 'Eve' }), rejected, /^UserInfo: .*"sub"/],
  ['no subject', told({}), rejected, /^UserInfo: .*"sub"/],
  ['a subject in a number', told({ sub: 7 }), rejected, /"sub"/],
  ['a web page', told(webPage), unreachable, /^UserInfo: /],
  ['a challenge', told(challenge), rejected, /^UserInfo: invalid_token$/],
  ['a refusal of the extension', told(json({}, 403)), misconfigured, /^UserInfo: .* \(HTTP 403\)$/],
  ['an unrequested signed response', told(withType('x', 'application/jwt')), rejected, /^UserInfo: /],
  ['no endpoint', noEndpoint, misconfigured, /^UserInfo: .*userinfo_endpoint/],
])('UserInfo with %s is discarded', async (_title, script, code, said) => {
  const problem = { code, detail: expect.stringMatching(said) as string };
  await expect(complete(script)).rejects.toMatchObject(problem);
});
