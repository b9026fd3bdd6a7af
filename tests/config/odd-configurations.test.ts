// The configurations that are refused, each with every line that its author is told.

import { describe, expect, test } from 'vitest';
import { reservedParameters } from '../../src/config/keys.ts';
import { providerEntries } from '../../src/config/schema.ts';
import { parseConfig } from '../../tools/build/parse-config.ts';
import { FileError } from '../../tools/build/parse-json.ts';
import { acme } from '../support/samples.ts';

/** The title, the text of the file, and the expected lines after the file's name. */
type OddText = [what: string, text: string, ...lines: string[]];

/** A file with one provider, whose `id` is in line 4, `name` in 5, `issuer` in 6, `clientId` in 7, others from 8. */
const file = (change: object = {}, top: object = {}) =>
  JSON.stringify({ providers: [{ ...acme, ...change }], ...top }, null, 2);

const oneOf = (names: readonly string[]) =>
  `unknown key; expected one of ${names.map((name) => `"${name}"`).join(', ')}`;
const topKeys = '$schema providers persistence autoSignIn policyOrigins support privacyUrl popupHeader'.split(
  ' ',
);

const anObject = 'expected an object with "providers"';
const theProviders = 'expected a list of 1 to 100 providers';
const theId = 'expected 1 to 40 characters of a-z, 0-9 and "-", because the id is part of the redirect URI';
const theName = 'expected the name on the sign-in button, 1 to 100 characters on one line';
const theIssuer = 'expected the issuer, exactly as the provider writes it in its discovery document';
const theClientId = 'expected the id of the public client, as the provider shows it, 1 to 250 characters';
const theScope = 'expected scopes separated by single spaces, including "openid"';
const theAudiences = 'expected "any" or a list of audiences, such as ["123456789", "another-client"]';
const thePrompt =
  'expected what the provider shows, separated by single spaces, such as "consent", "login" or "select_account"; not "none"';
const theEndpoint = 'expected an endpoint, such as "https://id.example.com/token"';
const theValues = 'expected a list of 1 to 1000 values, such as ["example.com"]';
const seconds = 'expected a whole number of seconds, 0 to 3153600000 (100 years)';
const visible = 'expected visible characters only, but';
const wholeAddress =
  'expected a whole address, such as "ada@example.com"; for a domain use a claim that holds it, such as "hd"';
const httpOnlyLoopback = 'expected "https:"; "http:" is allowed for "localhost" and "127.0.0.1" only';
const noWildcard = 'expected one host, because a wildcard asks for more access than needed';
const onlyOrigin = 'expected only the origin:';
const listed = (origin: string) => `expected a host listed in "origins"; add "${origin}" there`;
const aParameter = (name: string) => `expected the name of a parameter, such as "${name}", or null`;
const secret =
  'refused: everyone who installs the extension could read it; ' +
  'register a public client (PKCE, no secret), remove this key, and rotate the secret at the provider';

const forms: OddText[] = [
  ['a file of blanks', ' \n\t\n', ' found an empty file; expected JSON'],
  ['a byte order mark alone', '\uFEFF', ' found an empty file; expected JSON'],
  ['null', 'null', `1:1: configuration: found null; ${anObject}`],
  ['a list at the top', '[{ "id": "a" }]', `1:1: configuration: found a list of 1; ${anObject}`],
  ['a text at the top', '"{}"', `1:1: configuration: found "{}"; ${anObject}`],
  ['a mark before a mistake', '\uFEFF{ "providers": 1 }', `1:3: providers: found 1; ${theProviders}`],
];

const remove = 'remove one of the two';
const duplicates: OddText[] = [
  [
    'a key twice in a nested object',
    '{ "providers": [{\n  "allowed": { "hd": ["a"] },\n  "allowed": {}\n}] }',
    `3:3: providers[0].allowed: duplicate key, which is also at 2:3; ${remove}`,
  ],
  [
    'a key twice, once with an escape',
    '{ "a": 1,\n  "\\u0061": 2 }',
    `2:3: a: duplicate key, which is also at 1:3; ${remove}`,
  ],
  [
    'a key three times, and another twice',
    '{ "a": { "b": 1, "b": 2 },\r\n"a": 1,\r\n"a": 2 }',
    `1:18: a.b: duplicate key, which is also at 1:10; ${remove}`,
    `2:1: a: duplicate key, which is also at 1:3; ${remove}`,
    `3:1: a: duplicate key, which is also at 1:3; ${remove}`,
  ],
  [
    '__proto__ twice',
    '{ "__proto__": 1, "__proto__": 2 }',
    `1:19: __proto__: duplicate key, which is also at 1:3; ${remove}`,
  ],
];

const places: OddText[] = [
  ['an empty object', '{}', `1:1: providers: missing; ${theProviders}`],
  [
    '__proto__',
    '{ "__proto__": {}, "providers": [] }',
    `1:3: __proto__: ${oneOf(topKeys)}`,
    `1:20: providers: found an empty list; ${theProviders}`,
  ],
  [
    'a missing key',
    '{\n  "providers": [\n    { "id": "a", "name": "A", "issuer": "https://a.example" }\n  ]\n}',
    `3:5: providers[0].clientId: missing; ${theClientId}`,
  ],
  ['a setting', file({ scope: '' }), `8:7: providers[0].scope: found ""; ${theScope}`],
  [
    'a member of a setting',
    file({ allowed: { email: ['@acme.example'] } }),
    `10:11: providers[0].allowed.email[0]: found "@acme.example"; ${wholeAddress}`,
  ],
  [
    'a number that overflows',
    file().replace('"abc"', '"abc", "maxAgeSeconds": 1e999'),
    `7:26: providers[0].maxAgeSeconds: found a number that is too large; ${seconds}`,
  ],
  [
    'a number that would be rounded',
    file().replace('"abc"', '"abc", "allowed": { "tid": [12345678901234567890] }'),
    '7:47: providers[0].allowed.tid[0]: found 12345678901234567000; expected a number of at most 9007199254740991, because larger ones are rounded',
  ],
  [
    'names of special JavaScript properties',
    `{ "providers": [${JSON.stringify(acme).replace('}', ', "authorizationParameters": { "__proto__": "x", "constructor": "x" },\n"allowed": { "__proto__": ["x"], "constructor": ["x"], "prototype": ["x"] }}')}] }`,
    '1:126: providers[0].authorizationParameters.__proto__: refused: this name has a meaning in JavaScript',
    '1:144: providers[0].authorizationParameters.constructor: refused: this name has a meaning in JavaScript',
    '2:14: providers[0].allowed.__proto__: refused: this name has a meaning in JavaScript',
    '2:34: providers[0].allowed.constructor: refused: this name has a meaning in JavaScript',
    '2:56: providers[0].allowed.prototype: refused: this name has a meaning in JavaScript',
  ],
];

describe.each(Object.entries({ forms, duplicates, places }))('an odd configuration: %s', (_group, texts) => {
  test.for(texts)('%s is refused', ([, text = '', ...lines]) => {
    expect(problemsOf(text)).toEqual(lines.map((line) => `config.json:${line}`));
  });
});

/** A value, and the lines about it without their places. */
type Refused = readonly [value: object, ...lines: string[]];

const tops: Refused[] = [
  [{ providers: acme }, `providers: found an object; ${theProviders}`],
  [
    { providers: Array.from({ length: 101 }, (_, index) => ({ ...acme, id: `p${index}` })) },
    `providers: found a list of 101; ${theProviders}`,
  ],
  [{ providers: [[]] }, 'providers[0]: found an empty list; expected a provider object'],
  [{ providers: [null] }, 'providers[0]: found null; expected a provider object'],
  [
    { providers: [{}] },
    `providers[0].id: missing; ${theId}`,
    `providers[0].name: missing; ${theName}`,
    `providers[0].issuer: missing; ${theIssuer}`,
    `providers[0].clientId: missing; ${theClientId}`,
  ],
  [
    { providers: [acme, { ...acme, id: 'other' }, { ...acme, issuer: 'acme', key: 1 }] },
    `providers[2].key: ${oneOf(Object.keys(providerEntries()))}`,
    'providers[2].issuer: found "acme"; expected a URL that begins with "https://" and a host',
    'providers[2].id: found "acme"; expected a unique id, but providers[0] has the same one',
  ],
  [
    {
      providers: [{ ...acme, client_id: 'x', scopes: 'x', apiOrigin: [] }],
      persistance: 'device',
      provider: [],
    },
    'persistance: unknown key; did you mean "persistence"?',
    'provider: unknown key; did you mean "providers"?',
    'providers[0].client_id: unknown key; did you mean "clientId"?',
    'providers[0].scopes: unknown key; did you mean "scope"?',
    'providers[0].apiOrigin: unknown key; did you mean "apiOrigins"?',
  ],
  [{ providers: [acme], 'my theme': 'dark' }, `["my theme"]: ${oneOf(topKeys)}`],
  [{ providers: [acme], ['k'.repeat(61)]: 1 }, `${'k'.repeat(60)}: ${oneOf(topKeys)}`],
  [
    { clientSecret: 'hunter2', providers: [{ ...acme, metadata: { 'client-secret': 'hunter2' } }] },
    `clientSecret: ${secret}`,
    `providers[0].metadata["client-secret"]: ${secret}`,
  ],
  [{ providers: [acme], persistence: true }, 'persistence: found true; expected "device" or "browser"'],
  [
    { providers: [acme], support: 'Acme Support' },
    'support: found "Acme Support"; expected an object with "name" and "url", or null',
  ],
  [
    { providers: [acme], support: { name: '', link: 'https://acme.example' } },
    'support.link: unknown key; expected one of "name", "url"',
    'support.name: found ""; expected the name of who helps, 1 to 50 characters on one line',
    'support.url: missing; expected the address of a page',
  ],
  [
    { providers: [acme], privacyUrl: 'javascript:alert(1)' },
    'privacyUrl: found "javascript:alert(1)"; expected a URL that begins with "https://" and a host',
  ],
  [{ providers: [acme], autoSignIn: true }, 'autoSignIn: found true; expected "off", "popup" or "startup"'],
  [
    { providers: [{ ...acme, deviceFlow: 'only' }], autoSignIn: 'popup' },
    'autoSignIn: found "popup"; expected "off", because with its "deviceFlow" the first provider has no silent sign-in',
  ],
  [{ providers: [acme], $schema: 1 }, '$schema: found 1; expected the path of the JSON Schema'],
  [
    { providers: [acme], policyOrigins: ['https://a.example/'] },
    `policyOrigins[0]: found "https://a.example/"; ${onlyOrigin} "https://a.example"`,
  ],
];

/** A row for each value of a setting of a provider. What is found is the value itself, or stands before the expectation. */
function rows(
  setting: string,
  values: readonly (readonly [value: unknown, told: string])[],
  beside: object = {},
): Refused[] {
  return values.map(([value, told]) => {
    const found = /^(found|refused|missing)/.test(told) ? told : `found ${JSON.stringify(value)}; ${told}`;
    return [{ [setting]: value, ...beside }, `${setting}: ${found}`];
  });
}

/** The same for a setting with members. `told` begins with the path after the setting. */
function members(
  setting: string,
  values: readonly (readonly [value: unknown, ...told: string[]])[],
): Refused[] {
  return values.map(([value, ...told]) => [{ [setting]: value }, ...told.map((line) => `${setting}${line}`)]);
}

const same = <T>(values: readonly T[], told: string) => values.map((value) => [value, told] as const);

const elsewhere = 'https://x.example';
const algorithms = 'id_token_signing_alg_values_supported';
const requested = ['jwks_uri', 'userinfo_endpoint', 'revocation_endpoint'].concat(
  ['pushed_authorization_request', 'device_authorization'].map((name) => `${name}_endpoint`),
);
const long = 'n'.repeat(80);
const idToken = { responseType: 'id_token' };
const without = (token: string) => `because "responseType" "id_token" brings no ${token}`;
const endsSession = { endWithProvider: true };
const unclear = (setting: string) =>
  `endWithProvider: found true; expected false, because with "${setting}" the provider's answer is missing or can mean something else`;

const settings: Refused[] = [
  [{ isuer: 'https://a.example' }, 'isuer: unknown key; did you mean "issuer"?'],
  [{ 'scope\u200b': 'openid' }, '["scope\\u200b"]: unknown key; did you mean "scope"?'],
  [{ client_secret: 'hunter2', privateKey: 'hunter2' }, `client_secret: ${secret}`, `privateKey: ${secret}`],

  ...rows('id', same(['', 'Acme', 'a/b', 'a'.repeat(41), 'a'.repeat(80), 7], theId)),
  ...rows('name', [
    ...same([' ', '\u00a0', ' Acme', 'Acme '], theName),
    ['n'.repeat(101), `found "${long}…"; ${theName}`],
    ['n'.repeat(1_000_000), `found "${long}…"; expected at most 2000 characters`],
    [
      'Ac\u202eme',
      `found "Ac\\u202eme"; ${visible} character 3 is U+202E, which changes the direction of the text`,
    ],
  ]),
  ...rows('clientId', [
    [' abc', theClientId],
    ['n'.repeat(251), `found "${long}…"; ${theClientId}`],
  ]),

  ...rows('issuer', [
    [[], `found an empty list; ${theIssuer}`],
    [
      'https://me:hunter2@id.acme.example/.well-known/openid-configuration',
      'found "…@id.acme.example/.well-known/openid-configuration"; expected a URL without a user name or password',
    ],
    [
      'https://id.acme.example/?key=hunter2',
      'found "https://id.acme.example/?…"; expected an issuer without a query',
    ],
    [
      `https://id.acme.example/${'x'.repeat(2000)}`,
      `found "https://id.acme.example/${'x'.repeat(56)}…"; expected at most 2000 characters`,
    ],
  ]),
  ...rows('issuerTemplate', [
    [true, 'expected the issuer with "{tenantid}" in place of the tenant, or null'],
    [
      'https://id.acme.example',
      'expected an issuer with "{tenantid}" as one part of its path, such as "https://login.microsoftonline.com/{tenantid}/v2.0"',
    ],
  ]),
  ...rows('discoveryUrl', [
    [true, 'expected the address of the discovery document, or null'],
    [
      'https://login.acme.example/discovery?p=hunter2',
      `found "https://login.acme.example/discovery?…"; ${listed('https://login.acme.example')}`,
    ],
    [
      'https://id.acme.example/openid#hunter2',
      'found "https://id.acme.example/openid#…"; expected a URL without a fragment',
    ],
  ]),
  ...members('origins', [
    [[null], '[0]: found null; expected an origin, such as "https://api.example.com"'],
    [
      'https://api.example',
      ': found "https://api.example"; expected a list of origins, such as ["https://api.example.com"]',
    ],
  ]),
  ...members('apiOrigins', [[['https://a.example', 'https://*'], `[1]: found "https://*"; ${noWildcard}`]]),
  ...members('metadata', [
    [[], ': found an empty list; expected an object of endpoints'],
    [
      // Its origin could not be listed either.
      { token_endpoint: 'http://id.acme.example/token' },
      `.token_endpoint: found "http://id.acme.example/token"; ${httpOnlyLoopback}`,
    ],
    [
      { authorization_endpoint: 'http://id.acme.example/a' },
      `.authorization_endpoint: found "http://id.acme.example/a"; ${httpOnlyLoopback}`,
    ],
    [
      { token_endpoint: 'https://login.acme.example/token?key=hunter2' },
      `.token_endpoint: found "https://login.acme.example/token?…"; ${listed('https://login.acme.example')}`,
    ],
    ...requested.map((name): [object, string] => [
      { [name]: elsewhere },
      `.${name}: found "${elsewhere}"; ${listed(elsewhere)}`,
    ]),
    [{ userinfo_endpoint: false }, `.userinfo_endpoint: found false; ${theEndpoint}, or null`],
    [{ jwks_uri: null }, `.jwks_uri: found null; ${theEndpoint}`],
    [
      { [algorithms]: [] },
      `.${algorithms}: found an empty list; expected a list of 1 to 20 algorithms, such as ["RS256"]`,
    ],
    ...['none', 'HS256', 'XRS256', 'RS2567'].map((name): [object, string] => [
      { [algorithms]: ['RS256', name] },
      `.${algorithms}[1]: found "${name}"; expected a public-key algorithm, such as "RS256" or "ES256"`,
    ]),
  ]),

  ...rows('scope', [
    ...same(
      ['profile email', 'openid2 profile', 'openid  email', 'openid "email"', 'openid\u00a0email'],
      theScope,
    ),
    [['openid'], `found a list of 1; ${theScope}`],
  ]),
  ...['', 'none', 'login none', 'none login', 'login  consent', 'Login', ' login'].map((prompt): Refused => [
    { signInPrompt: prompt, otherAccountPrompt: prompt },
    `signInPrompt: found "${prompt}"; ${thePrompt}`,
    `otherAccountPrompt: found "${prompt}"; ${thePrompt}`,
  ]),
  ...rows(
    'resource',
    same(
      ['/api', '7:api', 'urn:my api', 'urn:api#a'],
      'expected an absolute URI without a fragment, such as "https://api.example.com"',
    ).map(([value, told]) => [value, `found ${JSON.stringify(value.replace(/#.*/, '#…'))}; ${told}`]),
  ),
  ...rows('audience', same(['', ' '], 'expected the name of the API at the provider')),
  ...rows(
    'acrValues',
    same(['', 'urn:a  urn:b'], 'expected authentication contexts separated by single spaces'),
  ),
  ...rows('maxAgeSeconds', same([-1, 0.5, '3600', 1e30], seconds)),
  ...rows('refreshTokenSeconds', same([-1], seconds)),
  ...rows('par', [['required', 'expected "auto", "always" or "off"']]),
  ...rows('dpop', [[true, 'expected "off", "auto" or "required"']]),
  ...members('authorizationParameters', [
    [[], ': found an empty list; expected an object with a string for each parameter'],
    [{ hd: 5 }, '.hd: found 5; expected a string'],
    [{ hd: 'a\nb' }, `.hd: found "a\\nb"; ${visible} character 2 is U+000A, a control character`],
    [{ 'a b': 'c' }, '["a b"]: found "a b"; expected a name of letters, digits, ".", "_" and "-"'],
    [
      { client_secret: 'hunter2', client_assertion: 'hunter2', my_password: 'hunter2' },
      `.client_secret: ${secret}`,
      `.client_assertion: ${secret}`,
      `.my_password: ${secret}`,
    ],
    [
      Object.fromEntries(Object.keys(reservedParameters).map((name) => [name, 'x'])),
      ...Object.entries(reservedParameters).map(([name, reason]) => `.${name}: refused: ${reason}`),
    ],
  ]),
  ...members('allowed', [
    [['ada@example.com'], ': found a list of 1; expected an object with a list of values for each claim'],
    ...['*@acme.example', 'ada', 'ada@', 'ada@acme@example'].map(
      (email) => [{ email: [email] }, `.email[0]: found "${email}"; ${wholeAddress}`] as const,
    ),
    [{ email: [7] }, `.email[0]: found 7; ${wholeAddress}`],
    [{ hd: 'acme.example' }, `.hd: found "acme.example"; ${theValues}`],
    [
      { 'https://acme.example/groups': [] },
      `["https://acme.example/groups"]: found an empty list; ${theValues}`,
    ],
    [{ hd: ['acme.example', null] }, '.hd[1]: found null; expected a string, a number, true or false'],
    [{ 'e mail': ['a'] }, '["e mail"]: found "e mail"; expected a claim name'],
  ]),
  ...members('logoutParameters', [
    [null, ': found null; expected an object of parameter names'],
    [
      { redirectUri: 'logout uri' },
      `.redirectUri: found "logout uri"; ${aParameter('post_logout_redirect_uri')}`,
    ],
    [{ idToken: false }, `.idToken: found false; ${aParameter('id_token_hint')}`],
    [{ state: '' }, `.state: found ""; ${aParameter('state')}`],
    [
      { clientId: 'id_token_hint' },
      '.clientId: found "id_token_hint"; expected a name other than that of "idToken"',
    ],
    [{ idToken: 'state' }, '.state: found "state"; expected a name other than that of "idToken"'],
    [
      { logout_uri: 'x', redirectUrl: 'x' },
      '.logout_uri: unknown key; expected one of "idToken", "clientId", "redirectUri", "state"',
      '.redirectUrl: unknown key; did you mean "redirectUri"?',
    ],
  ]),
  ...members('trustedAudiences', [
    ['https://api.acme.example', `: found "https://api.acme.example"; ${theAudiences}`],
    [['abc', 7], `: found a list of 2; ${theAudiences}`],
    [['abc', ' '], '[1]: found " "; expected an audience'],
    [['abc\u200b'], `[0]: found "abc\\u200b"; ${visible} character 4 is U+200B, which is invisible`],
  ]),

  ...[{ deviceFlow: 'fallback' }, { maxAgeSeconds: 60 }, { acrValues: 'phr' }].map((setting): Refused => [
    { ...setting, ...endsSession },
    unclear(Object.keys(setting).join()),
  ]),
  ...rows('responseType', [['code id_token', 'expected "code" or "id_token"']]),
  ...rows('firefoxRedirect', [
    ['http://127.0.0.1/mozoauth2', 'expected "extensions.allizom.org" or "loopback"'],
  ]),
  ...rows('apiToken', [
    ['jwt', 'expected "access_token" or "id_token"'],
    [
      'id_token',
      'expected "access_token", because a renewal may return no ID token; set "responseType" to "id_token" too',
    ],
  ]),
  [
    { ...idToken, apiOrigins: ['https://api.acme.example'] },
    `apiToken: found "access_token"; expected "id_token", ${without('access token')} for "apiOrigins"; an API must then accept the ID token as Bearer, and without such an API remove "apiOrigins"`,
  ],
  ...Object.entries({
    deviceFlow: [
      ['only', 'fallback'],
      'expected "off", because its tokens come from the token endpoint, which "responseType" "id_token" does not use',
    ] as const,
    dpop: [
      ['auto', 'required'],
      `expected "off", ${without('access token')} that could be bound to a key`,
    ] as const,
    resource: [['urn:api'], `expected no value, ${without('access token')}`] as const,
    audience: [['api'], `expected no value, ${without('access token')}`] as const,
    refreshTokenSeconds: [[86_400], `expected no value, ${without('refresh token')}`] as const,
    trustedAudiences: [
      ['any'],
      'expected a list, because with "responseType" "id_token" the ID token comes through the browser and not from the provider itself',
    ] as const,
  }).flatMap(([setting, [values, told]]) => rows(setting, same<unknown>(values, told), idToken)),
];

/** The value in the title of a test. */
const toTitle = (value: unknown) => JSON.stringify(value).slice(0, 100);

const withoutPlace = (line: string) => line.replace(/^config\.json:\d+:\d+: /, '');

test.for(tops.map((row) => [toTitle(row[0]), ...row] as const))('the configuration %s is refused', (row) => {
  const [, config, ...lines] = row;
  const told = problemsOf(JSON.stringify(config)).map(withoutPlace);
  expect(told).toEqual(lines);
  expect(told.join()).not.toContain('hunter2');
});

test.for(settings.map((row) => [toTitle(row[0]), ...row] as const))(
  'a provider with %s is refused',
  (row) => {
    const [, setting, ...lines] = row;
    const told = problemsOf(file(setting)).map(withoutPlace);
    const path = (line: string) => (line.startsWith('[') ? 'providers[0]' : 'providers[0].') + line;
    expect(told).toEqual(lines.map(path));
    expect(told.join()).not.toContain('hunter2');
  },
);

test('the parameters that the extension sets itself are refused, each with what to do instead', () => {
  expect(reservedParameters).toMatchObject({
    client_id: 'set "clientId" of the provider instead',
    prompt: 'set "signInPrompt" or "otherAccountPrompt" of the provider instead',
    login_hint: 'the extension sets it to the person who was signed in',
    nonce: 'the extension sets it for each sign-in',
    request_uri: 'it would replace the request that the response is checked against',
  });
  expect(Object.keys(reservedParameters)).toHaveLength(18);
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
