// The configurations that are refused, each with every line that its author is told.

import { expect, test } from 'vitest';
import { reservedParameters } from '../../src/config/keys.ts';
import { parseConfig } from '../../tools/build/read-config.ts';
import { FileError } from '../../tools/build/read-text.ts';
import { describeOutcomes } from '../support/outcomes.ts';
import { acme } from '../support/samples.ts';

/** A file with one provider, whose `id` is in line 4, `name` in 5, `issuer` in 6, `clientId` in 7, others from 8. */
const file = (change: object = {}, top: object = {}) =>
  JSON.stringify({ providers: [{ ...acme, ...change }], ...top }, null, 2);

/** Files of which the place of each mistake is told too. */
const places: Readonly<Record<string, string>> = {
  'a file of blanks': ' \n\t\n',
  'a byte order mark alone': '\uFEFF',
  null: 'null',
  'a list at the top': '[{ "id": "a" }]',
  'a text at the top': '"{}"',
  'a mark before a mistake': '\uFEFF{ "providers": 1 }',
  'a key twice in a nested object': '{ "providers": [{\n  "allowed": { "hd": ["a"] },\n  "allowed": {}\n}] }',
  'a key twice, once with an escape': '{ "a": 1,\n  "\\u0061": 2 }',
  'a key three times, and another twice': '{ "a": { "b": 1, "b": 2 },\r\n"a": 1,\r\n"a": 2 }',
  '__proto__ twice': '{ "__proto__": 1, "__proto__": 2 }',
  'an empty object': '{}',
  'an unknown key named __proto__': '{ "__proto__": {}, "providers": [] }',
  'a missing key':
    '{\n  "providers": [\n    { "id": "a", "name": "A", "issuer": "https://a.example" }\n  ]\n}',
  'a misspelled key that is required': file().replace('"issuer"', '"isuer"'),
  'a setting': file({ scope: '' }),
  'a member of a setting': file({ allowed: { email: ['@acme.example'] } }),
  'a number that overflows': file().replace('"abc"', '"abc", "maxAgeSeconds": 1e999'),
  'a number that would be rounded': file().replace(
    '"abc"',
    '"abc", "allowed": { "tid": [12345678901234567890] }',
  ),
  'names of special JavaScript properties': `{ "providers": [${JSON.stringify(acme).replace('}', ', "authorizationParameters": { "__proto__": "x", "constructor": "x" },\n"allowed": { "__proto__": ["x"], "constructor": ["x"], "prototype": ["x"] }}')}] }`,
};

/** Configurations with each of these values of a setting. */
const each = (setting: string, values: readonly unknown[], beside: object = {}) =>
  values.map((value) => ({ [setting]: value, ...beside }));

const whole: object[] = [
  ...each('providers', [
    acme,
    Array.from({ length: 101 }, (_, index) => ({ ...acme, id: `p${index}` })),
    [[]],
    [null],
    [{}],
    [acme, { ...acme, id: 'other' }, { ...acme, issuer: 'acme', key: 1 }],
  ]),
  {
    providers: [{ ...acme, client_id: 'x', scopes: 'x', apiOrigin: [] }],
    persistance: 'device',
    provider: [],
  },
  { clientSecret: 'hunter2', providers: [{ ...acme, metadata: { 'client-secret': 'hunter2' } }] },
  { providers: [{ ...acme, deviceFlow: 'only' }], autoSignIn: 'popup' },
  ...[
    { 'my theme': 'dark' },
    { ['k'.repeat(61)]: 1 },
    { persistence: true },
    ...each('support', ['Acme Support', { name: '', link: 'https://acme.example' }]),
    { privacyUrl: 'javascript:alert(1)' },
    { autoSignIn: true },
    { $schema: 1 },
    { policyOrigins: ['https://a.example/'] },
    { policies: false, policyOrigins: ['https://a.example'] },
    { policies: 'off' },
  ].map((setting) => ({ providers: [acme], ...setting })),
];

const elsewhere = 'https://x.example';
const requested = ['jwks_uri', 'userinfo_endpoint', 'revocation_endpoint'].concat(
  ['pushed_authorization_request', 'device_authorization'].map((name) => `${name}_endpoint`),
);
const idToken = { responseType: 'id_token' };

const settings: object[] = [
  { isuer: 'https://a.example' },
  { 'scope\u200b': 'openid' },
  { client_secret: 'hunter2', privateKey: 'hunter2' },
  ...each('id', ['', 'Acme', 'a/b', 'a'.repeat(41), 'a'.repeat(80), 7]),
  ...each('name', [' ', '\u00a0', ' Acme', 'Acme ', 'n'.repeat(101), 'n'.repeat(1_000_000), 'Ac\u202eme']),
  ...each('clientId', [' abc', 'n'.repeat(251)]),
  ...each('issuer', [
    [],
    'https://me:hunter2@id.acme.example/.well-known/openid-configuration',
    'https://id.acme.example/?key=hunter2',
    `https://id.acme.example/${'x'.repeat(2000)}`,
  ]),
  ...each('issuerTemplate', [true, 'https://id.acme.example']),
  ...each('discoveryUrl', [
    true,
    'https://login.acme.example/discovery?p=hunter2',
    'https://id.acme.example/openid#hunter2',
  ]),
  ...each('origins', [[null], 'https://api.example']),
  ...each('apiOrigins', [['https://a.example', 'https://*']]),
  ...each('metadata', [
    [],
    // Its origin could not be listed either.
    { token_endpoint: 'http://id.acme.example/token' },
    { authorization_endpoint: 'http://id.acme.example/a' },
    { token_endpoint: 'https://login.acme.example/token?key=hunter2' },
    ...requested.map((name) => ({ [name]: elsewhere })),
    { userinfo_endpoint: false },
    { jwks_uri: null },
    { id_token_signing_alg_values_supported: [] },
    { id_token_signing_alg_values_supported: ['RS256', 'none', 'HS256', 'XRS256', 'RS2567'] },
  ]),
  ...each('scope', ['profile email', 'openid2 profile', 'openid  email', 'openid "email"']),
  ...each('scope', ['openid\u00a0email', ['openid']]),
  ...['', 'none', 'login none', 'none login', 'login  consent', 'Login', ' login'].map((prompt) => ({
    signInPrompt: prompt,
    otherAccountPrompt: prompt,
  })),
  ...each('resource', ['/api', '7:api', 'urn:my api', 'urn:api#a']),
  ...each('audience', ['', ' ']),
  ...each('acrValues', ['', 'urn:a  urn:b']),
  ...each('maxAgeSeconds', [-1, 0.5, '3600', 1e30]),
  { refreshTokenSeconds: -1 },
  { par: 'required' },
  { dpop: true },
  ...each('authorizationParameters', [
    [],
    { hd: 5 },
    { hd: 'a\nb' },
    { 'a b': 'c' },
    { client_secret: 'hunter2', client_assertion: 'hunter2', my_password: 'hunter2' },
    Object.fromEntries(Object.keys(reservedParameters).map((name) => [name, 'x'])),
  ]),
  ...each('allowed', [
    ['ada@example.com'],
    { email: ['*@acme.example', 'ada', 'ada@', 'ada@acme@example', 7] },
    { hd: 'acme.example' },
    { 'https://acme.example/groups': [] },
    { hd: ['acme.example', null] },
    { 'e mail': ['a'] },
  ]),
  ...each('logoutParameters', [
    null,
    { redirectUri: 'logout uri' },
    { idToken: false },
    { state: '' },
    { logout_uri: 'x', redirectUrl: 'x' },
  ]),
  ...each('profileClaims', ['roles', [7], ['two words'], ['__proto__'], Array(21).fill('a')]),
  ...each('requestableScope', ['a  b', 7]),
  ...each('trustedAudiences', ['https://api.acme.example', ['abc', 7], ['abc', ' '], ['abc\u200b']]),
  ...[{ deviceFlow: 'fallback' }, { maxAgeSeconds: 60 }, { acrValues: 'phr' }].map((setting) => ({
    ...setting,
    endWithProvider: true,
  })),
  { responseType: 'code id_token' },
  { firefoxRedirect: 'http://127.0.0.1/mozoauth2' },
  ...each('apiToken', ['jwt', 'id_token']),
  { ...idToken, apiOrigins: ['https://api.acme.example'] },
  ...each('deviceFlow', ['only', 'fallback'], idToken),
  ...each('dpop', ['auto', 'required'], idToken),
  { ...idToken, resource: 'urn:api' },
  { ...idToken, audience: 'api' },
  { ...idToken, refreshTokenSeconds: 86_400 },
  { ...idToken, trustedAudiences: 'any' },
];

const pay = { origins: ['https://pay.acme.example'], resource: 'urn:pay' };

const ofApis: object[] = [
  ...each('apis', [
    [{ ...pay, resources: 'urn:pay' }],
    [{ resource: 'urn:pay' }],
    [{ origins: pay.origins }],
    [pay, { ...pay, resource: 'urn:mail' }],
    [{ ...pay, scope: 'read  write' }],
  ]),
  { apiOrigins: pay.origins, apis: [pay] },
  { ...idToken, apis: [{ origins: pay.origins }] },
];

const userApi = { url: 'https://api.acme.example/user', subject: 'id' };
const endpoints = {
  authorization_endpoint: 'https://id.acme.example/authorize',
  token_endpoint: 'https://id.acme.example/token',
};
const keys = 'https://id.acme.example/keys';
const plain = { scope: '', apiOrigins: ['https://api.acme.example'], metadata: endpoints, userApi };

const besideUserApi: object[] = [
  ...each('userApi', [
    'id',
    { subject: 'id' },
    { url: userApi.url },
    { ...userApi, Subject: 'a' },
    ...each('subject', ['', '.id', 'a..b', 'a b', 'a[0]', `${'a.'.repeat(8)}a`, 'a'.repeat(61)], {
      url: userApi.url,
    }),
    ...[
      { 'a b': 'c' },
      ...each('Accept', ['a\r\nCookie: b', '', ' a', 'a ']),
      { authorization: 'x', DPoP: 'x' },
      { 'X-Api-Key': 'x', 'X-ApiKey': 'x', 'X-Auth-Token': 'x', 'Client-Secret': 'x' },
      { Accept: 'a', accept: 'b' },
    ].map((headers) => ({ ...userApi, headers })),
  ]),
  { ...idToken, apiToken: 'id_token' },
  { endWithProvider: true },
  { apiOrigins: [] },
  ...each('scope', ['openid email', undefined]),
  {
    issuerTemplate: 'https://id.acme.example/{tenantid}/',
    maxAgeSeconds: 60,
    acrValues: 'mfa',
    profileClaims: ['roles'],
    trustedAudiences: 'any',
    refreshTokenSeconds: 60,
  },
  ...each('metadata', [
    null,
    {
      ...endpoints,
      jwks_uri: keys,
      userinfo_endpoint: keys,
      id_token_signing_alg_values_supported: ['RS256'],
    },
  ]),
  { allowed: { email: ['ada@example.com'] }, userApi: { ...userApi, email: 'email' } },
].map((change) => ({ ...plain, ...change }));

test('each line that a refused configuration is told, without a secret in it', async () => {
  const told = (texts: readonly string[]) => () =>
    texts.flatMap((text) => problemsOf(text).map((line) => line.replace(/^config\.json:\d+:\d+: /, '')));
  const ofProvider = (changes: readonly object[]) => told(changes.map((change) => file(change)));
  const lines = describeOutcomes({
    'the configuration': told(whole.map((config) => JSON.stringify(config))),
    'one provider': ofProvider(settings),
    'its APIs': ofProvider(ofApis),
    'a provider with a user API': ofProvider(besideUserApi),
    ...Object.fromEntries(Object.entries(places).map(([what, text]) => [what, () => problemsOf(text)])),
  });
  expect(lines).not.toContain('hunter2');
  await expect(lines).toMatchFileSnapshot('odd-configurations.txt');
});

test('a configuration with thousands of mistakes is told the first fifty', () => {
  const unknown = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`key${index}`, 1]));
  const told = problemsOf(JSON.stringify({ providers: [acme], ...unknown }));
  expect(told).toHaveLength(51);
  expect(told.at(-1)).toBe('config.json: 19950 more problems');
});

function problemsOf(text: string): readonly string[] {
  try {
    parseConfig(text, 'config.json');
  } catch (error) {
    if (error instanceof FileError) return error.problems;
    throw error;
  }
  throw new Error('Expected the configuration to be rejected, but it was accepted.');
}
