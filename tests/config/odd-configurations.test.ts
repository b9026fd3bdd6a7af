// A table of odd configuration files, each with every line that its author is told.

import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../tools/build/parse-config.ts';
import { FileError } from '../../tools/build/parse-json.ts';
import { acme } from '../support/samples.ts';

/** The title, the text of the file, and the expected lines after the file's name. */
type Odd = [what: string, text: string, ...lines: string[]];

/** A file with one provider, whose `id` is in line 4, `name` in 5, `issuer` in 6, `clientId` in 7, others from 8. */
const file = (change: object = {}, top: object = {}) =>
  JSON.stringify({ providers: [{ ...acme, ...change }], ...top }, null, 2);

const lineOf = { id: '4:7', name: '5:7', issuer: '6:7', clientId: '7:7', other: '8:7' };

const anObject = 'expected an object with "providers"';
const theId = 'expected 1 to 40 characters of a-z, 0-9 and "-", because the id is part of the redirect URI';
const theName = 'expected the name on the sign-in button, 1 to 100 characters on one line';
const theScope = 'expected scopes separated by single spaces, including "openid"';
const theAudiences = 'expected "any" or a list of audiences, such as ["123456789", "another-client"]';
const thePrompt =
  'expected what the provider shows, separated by single spaces, such as "consent", "login" or "select_account"; not "none"';
const seconds = 'expected a whole number of seconds, 0 to 3153600000 (100 years)';
const visible = 'expected visible characters only, but';
const wholeAddress =
  'expected a whole address, such as "ada@example.com"; for a domain use a claim that holds it, such as "hd"';
const httpOnlyLoopback = 'expected "https:"; "http:" is allowed for "localhost" and "127.0.0.1" only';
const ascii = 'expected an ASCII URL without spaces, quotes, braces or backslashes';
const secret =
  'refused: everyone who installs the extension could read it; ' +
  'register a public client (PKCE, no secret), remove this key, and rotate the secret at the provider';

const forms: Odd[] = [
  ['an empty file', '', ' found an empty file; expected JSON'],
  ['a file of blanks', ' \n\t\n', ' found an empty file; expected JSON'],
  ['a byte order mark alone', '\uFEFF', ' found an empty file; expected JSON'],
  ['null', 'null', `1:1: configuration: found null; ${anObject}`],
  ['a list at the top', '[{ "id": "a" }]', `1:1: configuration: found a list of 1; ${anObject}`],
  [
    'a text at the top',
    '"https://id.acme.example"',
    `1:1: configuration: found "https://id.acme.example"; ${anObject}`,
  ],
  [
    'a byte order mark before a mistake',
    '\uFEFF{ "providers": 1 }',
    '1:3: providers: found 1; expected a list of 1 to 100 providers',
  ],
  ['a comment', '{\n  // ours\n  "providers": []\n}', '2:3: not JSON: expected JSON without comments'],
  ['a trailing comma', '{\n  "providers": [],\n}', '3:1: not JSON: expected a key in double quotes'],
  [
    'single quotes',
    "{ 'providers': [] }",
    '1:3: not JSON: expected a key or string in double quotes, a number, true, false or null',
  ],
  ['two objects', '{}\n{}', '2:1: not JSON: expected the end of the file'],
  ['a file that ends too early', '{\n  "providers": [', '2:17: not JSON: expected "]"'],
  [
    'JavaScript',
    'export default {}',
    '1:1: not JSON: expected a key or string in double quotes, a number, true, false or null',
  ],
  ['brackets without end', '['.repeat(200_000), '1:65: nested too deeply; expected at most 64 levels'],
  [
    'a hundred thousand nested lists',
    '['.repeat(100_000) + ']'.repeat(100_000),
    '1:65: nested too deeply; expected at most 64 levels',
  ],
];

const duplicates: Odd[] = [
  [
    'a key twice',
    '{\n  "providers": [],\n  "providers": []\n}',
    '3:3: providers: duplicate key, which is also at 2:3; remove one of the two',
  ],
  [
    'a key twice in a nested object',
    '{ "providers": [{\n  "allowed": { "hd": ["a"] },\n  "allowed": {}\n}] }',
    '3:3: providers[0].allowed: duplicate key, which is also at 2:3; remove one of the two',
  ],
  [
    'a key twice, once with an escape',
    '{ "a": 1,\n  "\\u0061": 2 }',
    '2:3: a: duplicate key, which is also at 1:3; remove one of the two',
  ],
  [
    'a key three times, and another twice',
    '{ "a": { "b": 1, "b": 2 },\r\n"a": 1,\r\n"a": 2 }',
    '1:18: a.b: duplicate key, which is also at 1:10; remove one of the two',
    '2:1: a: duplicate key, which is also at 1:3; remove one of the two',
    '3:1: a: duplicate key, which is also at 1:3; remove one of the two',
  ],
  [
    '__proto__ twice',
    '{ "__proto__": 1, "__proto__": 2 }',
    '1:19: __proto__: duplicate key, which is also at 1:3; remove one of the two',
  ],
];

const keys: Odd[] = [
  ['an empty object', '{}', '1:1: providers: missing; expected a list of 1 to 100 providers'],
  [
    'a misspelt key',
    file({ isuer: 'https://a.example' }),
    `${lineOf.other}: providers[0].isuer: unknown key; did you mean "issuer"?`,
  ],
  [
    'a key with an invisible character',
    file({ 'scope\u200b': 'openid' }),
    `${lineOf.other}: providers[0]["scope\\u200b"]: unknown key; did you mean "scope"?`,
  ],
  [
    '__proto__',
    '{ "__proto__": {}, "providers": [] }',
    '1:3: __proto__: unknown key; expected one of "$schema", "providers", "persistence", "policyOrigins"',
    '1:20: providers: found an empty list; expected a list of 1 to 100 providers',
  ],
  [
    'a client secret',
    file({ clientSecret: 'hunter2' }),
    `${lineOf.other}: providers[0].clientSecret: ${secret}`,
  ],
  [
    'the name of a profile that does not exist',
    file({ profile: 'entre' }),
    `${lineOf.other}: providers[0].profile: found "entre"; expected the name of a file in src/providers, such as "entra"; did you mean "entra"?`,
  ],
  [
    'hosts for a policy',
    file({}, { policyOrigins: ['https://*.tenant.example'] }),
    '11:5: policyOrigins[0]: found "https://*.tenant.example"; expected one host, because a wildcard asks for more access than needed',
  ],
  [
    'a missing key',
    '{\n  "providers": [\n    { "id": "a", "name": "A", "issuer": "https://a.example" }\n  ]\n}',
    '3:5: providers[0].clientId: missing; expected the id of the public client, as the provider shows it, 1 to 250 characters',
  ],
];

const providers: Odd[] = [
  [
    'a provider that is null',
    '{ "providers": [null] }',
    '1:17: providers[0]: found null; expected a provider object',
  ],
  [
    'the same id twice',
    JSON.stringify({ providers: [acme, acme] }, null, 2),
    '10:7: providers[1].id: found "acme"; expected a unique id, but providers[0] has the same one',
  ],
  ['an id in upper case', file({ id: 'Acme' }), `${lineOf.id}: providers[0].id: found "Acme"; ${theId}`],
  [
    'an id that leaves its path',
    file({ id: '../x' }),
    `${lineOf.id}: providers[0].id: found "../x"; ${theId}`,
  ],
  ['an id that is a number', file({ id: 7 }), `${lineOf.id}: providers[0].id: found 7; ${theId}`],
  [
    'a thousand providers',
    JSON.stringify({ providers: Array.from({ length: 1000 }, (_, index) => ({ ...acme, id: `p${index}` })) }),
    '1:2: providers: found a list of 1000; expected a list of 1 to 100 providers',
  ],
  [
    'a name with a change of direction',
    file({ name: 'Ac\u202eme' }),
    `${lineOf.name}: providers[0].name: found "Ac\\u202eme"; ${visible} character 3 is U+202E, which changes the direction of the text`,
  ],
  [
    'a name that nobody sees',
    file({ name: '\u200b' }),
    `${lineOf.name}: providers[0].name: found "\\u200b"; ${visible} character 1 is U+200B, which is invisible`,
  ],
  [
    'a name that rings',
    file({ name: 'Acme\u0007' }),
    `${lineOf.name}: providers[0].name: found "Acme\\u0007"; ${visible} character 5 is U+0007, a control character`,
  ],
  [
    'a name with half of an emoji',
    file({ name: 'Acme \ud83d' }),
    `${lineOf.name}: providers[0].name: found "Acme \\ud83d"; ${visible} character 6 is U+D83D, half of a character`,
  ],
  [
    'a name of a no-break space',
    file({ name: '\u00a0' }),
    `${lineOf.name}: providers[0].name: found "\u00a0"; ${theName}`,
  ],
  [
    'a name of a blank letter',
    file({ name: '\u3164' }),
    `${lineOf.name}: providers[0].name: found "\\u3164"; ${visible} character 1 is U+3164, which is invisible`,
  ],
  [
    'a name of a million characters',
    file({ name: 'n'.repeat(1_000_000) }),
    `${lineOf.name}: providers[0].name: found "${'n'.repeat(80)}…"; expected at most 2000 characters`,
  ],
  [
    'a client id with a copied invisible character',
    file({ clientId: 'abc\u200b' }),
    `${lineOf.clientId}: providers[0].clientId: found "abc\\u200b"; ${visible} character 4 is U+200B, which is invisible`,
  ],
  [
    'a client id that the board could not show',
    file({ clientId: 'c'.repeat(251) }),
    `${lineOf.clientId}: providers[0].clientId: found "${'c'.repeat(80)}…"; expected the id of the public client, as the provider shows it, 1 to 250 characters`,
  ],
];

const issuers: Odd[] = [
  ...(
    [
      [
        'without a scheme',
        'id.acme.example',
        '"id.acme.example"; expected a URL that begins with "https://" and a host',
      ],
      ['with http:', 'http://id.acme.example', `"http://id.acme.example"; ${httpOnlyLoopback}`],
      [
        'with a password',
        'https://me:hunter2@id.acme.example',
        '"…@id.acme.example"; expected a URL without a user name or password',
      ],
      [
        'with a query',
        'https://id.acme.example?key=hunter2',
        '"https://id.acme.example?…"; expected an issuer without a query',
      ],
      [
        'with a fragment',
        'https://id.acme.example#hunter2',
        '"https://id.acme.example#…"; expected a URL without a fragment',
      ],
      [
        'with a port that cannot be',
        'https://id.acme.example:99999',
        '"https://id.acme.example:99999"; expected a URL with a valid host and port',
      ],
      [
        'at an IPv6 address',
        'https://[2001:db8::1]',
        '"https://[2001:db8::1]"; expected a host name instead of an IPv6 address; for this computer use "localhost" or "127.0.0.1"',
      ],
      [
        'with a wildcard',
        'https://*.acme.example',
        '"https://*.acme.example"; expected one host, because a wildcard asks for more access than needed',
      ],
      [
        'in another script',
        'https://b\u00fccher.example/tenant',
        '"https://b\u00fccher.example/tenant"; expected the host as browsers write it: "xn--bcher-kva.example"',
      ],
      [
        'in wide letters',
        'https://\uff41cme.example',
        '"https://\uff41cme.example"; expected the host as browsers write it: "acme.example"',
      ],
      [
        'with an encoded host',
        'https://id%2eacme.example',
        '"https://id%2eacme.example"; expected the host as browsers write it: "id.acme.example"',
      ],
      [
        'with a number for a host',
        'http://2130706433:4455',
        '"http://2130706433:4455"; expected the host as browsers write it: "127.0.0.1"',
      ],
      [
        'with a broken xn-- host',
        'https://xn--a.example',
        '"https://xn--a.example"; expected a URL with a valid host and port',
      ],
      [
        'with a dot after the host',
        'https://id.acme.example./tenant',
        '"https://id.acme.example./tenant"; expected a host without a dot at its end: "id.acme.example"',
      ],
      [
        'with another script in its path',
        'https://id.acme.example/b\u00fccher',
        `"https://id.acme.example/b\u00fccher"; ${ascii}`,
      ],
      ['with a blank at its end', 'https://id.acme.example ', `"https://id.acme.example "; ${ascii}`],
      [
        'with a placeholder',
        'https://login.example/{tenant}/v2.0',
        '"https://login.example/{tenant}/v2.0"; expected a URL with your own value in place of "{tenant}"',
      ],
      [
        'of every tenant',
        'https://login.example/{tenantid}/v2.0',
        '"https://login.example/{tenantid}/v2.0"; expected the issuer of one tenant, or "issuerTemplate" for one with "{tenantid}"',
      ],
      [
        'that is the discovery document',
        'https://id.acme.example/.well-known/openid-configuration',
        '"https://id.acme.example/.well-known/openid-configuration"; expected only the issuer: "https://id.acme.example", or with "/" at its end if the discovery document writes it so',
      ],
      [
        'that ends in .well-known',
        'https://id.acme.example/tenant/.well-known',
        '"https://id.acme.example/tenant/.well-known"; expected only the issuer: "https://id.acme.example/tenant", or with "/" at its end if the discovery document writes it so',
      ],
      [
        'that is metadata of OAuth',
        'https://id.acme.example/.well-known/oauth-authorization-server/tenant',
        '"https://id.acme.example/.well-known/oauth-authorization-server/tenant"; expected only the issuer: "https://id.acme.example/tenant"',
      ],
      [
        'that is a discovery document with a password',
        'https://me:hunter2@id.acme.example/.well-known/openid-configuration',
        '"…@id.acme.example/.well-known/openid-configuration"; expected a URL without a user name or password',
      ],
      [
        'that is a discovery document without TLS',
        'http://id.acme.example/.well-known/openid-configuration',
        `"http://id.acme.example/.well-known/openid-configuration"; ${httpOnlyLoopback}`,
      ],
      [
        'of many characters',
        `https://id.acme.example/${'x'.repeat(2000)}`,
        `"https://id.acme.example/${'x'.repeat(56)}…"; expected at most 2000 characters`,
      ],
    ] as const
  ).map(([what, issuer, told]): Odd => [
    `an issuer ${what}`,
    file({ issuer }),
    `${lineOf.issuer}: providers[0].issuer: found ${told}`,
  ]),
  [
    'an issuer that is a list',
    file({ issuer: [] }),
    `${lineOf.issuer}: providers[0].issuer: found an empty list; expected the issuer, exactly as the provider writes it in its discovery document`,
  ],
];

const theTemplate =
  'expected an issuer with "{tenantid}" as one part of its path, such as "https://login.microsoftonline.com/{tenantid}/v2.0"';

const templates: Odd[] = [
  ...(
    [
      ['without a tenant', 'https://id.acme.example', `"https://id.acme.example"; ${theTemplate}`],
      [
        'with the tenant in its host',
        'https://{tenantid}.acme.example/v2.0',
        `"https://{tenantid}.acme.example/v2.0"; ${theTemplate}`,
      ],
      [
        'with http:',
        'http://id.acme.example/{tenantid}',
        `"http://id.acme.example/{tenantid}"; ${httpOnlyLoopback}`,
      ],
      [
        'with a password',
        'https://me:hunter2@id.acme.example/{tenantid}',
        '"…@id.acme.example/{tenantid}"; expected a URL without a user name or password',
      ],
      [
        'with a query',
        'https://id.acme.example/{tenantid}?key=hunter2',
        `"https://id.acme.example/{tenantid}?…"; ${theTemplate}`,
      ],
      [
        'that is a discovery document',
        'https://id.acme.example/{tenantid}/.well-known/openid-configuration',
        '"https://id.acme.example/{tenantid}/.well-known/openid-configuration"; expected only the issuer, without "/.well-known/…"',
      ],
    ] as const
  ).map(([what, issuerTemplate, told]): Odd => [
    `an issuer template ${what}`,
    file({ issuerTemplate }),
    `${lineOf.other}: providers[0].issuerTemplate: found ${told}`,
  ]),
  [
    'an issuer template that is true',
    file({ issuerTemplate: true }),
    `${lineOf.other}: providers[0].issuerTemplate: found true; expected the issuer with "{tenantid}" in place of the tenant, or null`,
  ],
];

const hosts: Odd[] = [
  [
    'a discovery document on another host',
    file({ discoveryUrl: 'https://login.acme.example/openid' }),
    `${lineOf.other}: providers[0].discoveryUrl: found "https://login.acme.example/openid"; expected a host listed in "origins"; add "https://login.acme.example" there`,
  ],
  [
    'a discovery document without TLS',
    file({ discoveryUrl: 'http://id.acme.example/openid' }),
    `${lineOf.other}: providers[0].discoveryUrl: found "http://id.acme.example/openid"; ${httpOnlyLoopback}`,
  ],
  [
    'a discovery document with a fragment',
    file({ discoveryUrl: 'https://id.acme.example/openid#hunter2' }),
    `${lineOf.other}: providers[0].discoveryUrl: found "https://id.acme.example/openid#…"; expected a URL without a fragment`,
  ],
  [
    'an API with a path',
    file({ apiOrigins: ['https://api.example/v1'] }),
    '9:9: providers[0].apiOrigins[0]: found "https://api.example/v1"; expected only the origin: "https://api.example"',
  ],
  [
    'an API in upper case',
    file({ apiOrigins: ['https://API.example'] }),
    '9:9: providers[0].apiOrigins[0]: found "https://API.example"; expected only the origin: "https://api.example"',
  ],
  [
    'an API with the usual port',
    file({ apiOrigins: ['https://api.example:443'] }),
    '9:9: providers[0].apiOrigins[0]: found "https://api.example:443"; expected only the origin: "https://api.example"',
  ],
  [
    'an API in another script',
    file({ apiOrigins: ['https://b\u00fccher.example'] }),
    '9:9: providers[0].apiOrigins[0]: found "https://b\u00fccher.example"; expected the host as browsers write it: "xn--bcher-kva.example"',
  ],
  [
    'an API with a dot after its host',
    file({ apiOrigins: ['https://api.example.'] }),
    '9:9: providers[0].apiOrigins[0]: found "https://api.example."; expected a host without a dot at its end: "api.example"',
  ],
  [
    'all hosts',
    file({ apiOrigins: ['https://*'] }),
    '9:9: providers[0].apiOrigins[0]: found "https://*"; expected one host, because a wildcard asks for more access than needed',
  ],
  [
    'an endpoint without TLS, whose origin could not be listed',
    file({ metadata: { token_endpoint: 'http://id.acme.example/token' } }),
    `9:9: providers[0].metadata.token_endpoint: found "http://id.acme.example/token"; ${httpOnlyLoopback}`,
  ],
  [
    'an endpoint on another host',
    file({ metadata: { token_endpoint: 'https://login.acme.example/token' } }),
    '9:9: providers[0].metadata.token_endpoint: found "https://login.acme.example/token"; expected a host listed in "origins"; add "https://login.acme.example" there',
  ],
  [
    'an optional endpoint that is false',
    file({ metadata: { userinfo_endpoint: false } }),
    '9:9: providers[0].metadata.userinfo_endpoint: found false; expected an endpoint, such as "https://id.example.com/token", or null',
  ],
  [
    'an endpoint that a sign-in needs, as null',
    file({ metadata: { jwks_uri: null } }),
    '9:9: providers[0].metadata.jwks_uri: found null; expected an endpoint, such as "https://id.example.com/token"',
  ],
  [
    'an unsafe algorithm',
    file({ metadata: { id_token_signing_alg_values_supported: ['none'] } }),
    '10:11: providers[0].metadata.id_token_signing_alg_values_supported[0]: found "none"; expected a public-key algorithm, such as "RS256" or "ES256"',
  ],
];

const values: Odd[] = [
  ['an empty scope', file({ scope: '' }), `${lineOf.other}: providers[0].scope: found ""; ${theScope}`],
  [
    'a scope without openid',
    file({ scope: 'profile email' }),
    `${lineOf.other}: providers[0].scope: found "profile email"; ${theScope}`,
  ],
  [
    'a scope with two blanks',
    file({ scope: 'openid  email' }),
    `${lineOf.other}: providers[0].scope: found "openid  email"; ${theScope}`,
  ],
  [
    'a scope with quotes',
    file({ scope: 'openid "email"' }),
    `${lineOf.other}: providers[0].scope: found "openid \\"email\\""; ${theScope}`,
  ],
  [
    'a scope with a no-break space',
    file({ scope: 'openid\u00a0email' }),
    `${lineOf.other}: providers[0].scope: found "openid\u00a0email"; ${theScope}`,
  ],
  [
    'a persistence that is true',
    file({}, { persistence: true }),
    '10:3: persistence: found true; expected "device" or "browser"',
  ],
  [
    'a number that overflows',
    file().replace('"abc"', '"abc", "maxAgeSeconds": 1e999'),
    `7:26: providers[0].maxAgeSeconds: found too large a number; ${seconds}`,
  ],
  [
    'more than a hundred years',
    file({ maxAgeSeconds: 1e30 }),
    `${lineOf.other}: providers[0].maxAgeSeconds: found 1e+30; ${seconds}`,
  ],
  [
    'half a second',
    file({ refreshTokenSeconds: 0.5 }),
    `${lineOf.other}: providers[0].refreshTokenSeconds: found 0.5; ${seconds}`,
  ],
  [
    'a number that would be rounded',
    file().replace('"abc"', '"abc", "allowed": { "tid": [12345678901234567890] }'),
    '7:47: providers[0].allowed.tid[0]: found 12345678901234567000; expected a number of at most 9007199254740991, because larger ones are rounded',
  ],
  [
    'a domain for an e-mail address',
    file({ allowed: { email: ['@acme.example'] } }),
    `10:11: providers[0].allowed.email[0]: found "@acme.example"; ${wholeAddress}`,
  ],
  [
    'a wildcard for an e-mail address',
    file({ allowed: { email: ['*@acme.example'] } }),
    `10:11: providers[0].allowed.email[0]: found "*@acme.example"; ${wholeAddress}`,
  ],
  [
    'an allowed value with a change of direction',
    file({ allowed: { hd: ['acme\u2066.example'] } }),
    `10:11: providers[0].allowed.hd[0]: found "acme\\u2066.example"; ${visible} character 5 is U+2066, which changes the direction of the text`,
  ],
  [
    'a parameter with a line break',
    file({ authorizationParameters: { hd: 'a\nb' } }),
    `9:9: providers[0].authorizationParameters.hd: found "a\\nb"; ${visible} character 2 is U+000A, a control character`,
  ],
  [
    'a silent prompt for a sign-in in a window',
    file({ signInPrompt: 'none' }),
    `${lineOf.other}: providers[0].signInPrompt: found "none"; ${thePrompt}`,
  ],
  [
    'prompts in a list',
    file({ otherAccountPrompt: ['login'] }),
    `${lineOf.other}: providers[0].otherAccountPrompt: found a list of 1; ${thePrompt}`,
  ],
  [
    'a prompt among the parameters',
    file({ authorizationParameters: { prompt: 'consent' } }),
    '9:9: providers[0].authorizationParameters.prompt: refused: set "signInPrompt" or "otherAccountPrompt" of the provider instead',
  ],
  [
    'a parameter of the protocol',
    file({ authorizationParameters: { state: 'x' } }),
    '9:9: providers[0].authorizationParameters.state: refused: the extension sets it for each sign-in',
  ],
  [
    'a parameter of the logout by its own name',
    file({ logoutParameters: { logout_uri: 'redirectUri' } }),
    '9:9: providers[0].logoutParameters.logout_uri: unknown key; expected one of "idToken", "clientId", "redirectUri", "state"',
  ],
  [
    'a parameter of the logout that is empty',
    file({ logoutParameters: { state: '' } }),
    '9:9: providers[0].logoutParameters.state: found ""; expected the name of a parameter, such as "state", or null',
  ],
  [
    'a parameter of the logout with a value',
    file({ logoutParameters: { redirectUri: 'returnTo=https://a.example?key=hunter2' } }),
    '9:9: providers[0].logoutParameters.redirectUri: found "returnTo=https://a.example?…"; expected the name of a parameter, such as "post_logout_redirect_uri", or null',
  ],
  [
    'two parameters of the logout with one name',
    file({ logoutParameters: { clientId: 'state' } }),
    `${lineOf.other}: providers[0].logoutParameters.state: found "state"; expected another name than that of "clientId"`,
  ],
  [
    'an audience of blanks',
    file({ audience: ' ' }),
    `${lineOf.other}: providers[0].audience: found " "; expected the name of the API at the provider`,
  ],
  [
    'a trusted audience outside a list',
    file({ trustedAudiences: 'https://api.acme.example' }),
    `${lineOf.other}: providers[0].trustedAudiences: found "https://api.acme.example"; ${theAudiences}`,
  ],
  [
    'trusted audiences that are true',
    file({ trustedAudiences: true }),
    `${lineOf.other}: providers[0].trustedAudiences: found true; ${theAudiences}`,
  ],
  [
    'a trusted audience that is a number',
    file({ trustedAudiences: ['abc', 7] }),
    `${lineOf.other}: providers[0].trustedAudiences: found a list of 2; ${theAudiences}`,
  ],
  [
    'a trusted audience of blanks',
    file({ trustedAudiences: ['abc', ' '] }),
    '10:9: providers[0].trustedAudiences[1]: found " "; expected an audience',
  ],
  [
    'a trusted audience with a space that nobody sees',
    file({ trustedAudiences: ['abc\u200b'] }),
    `9:9: providers[0].trustedAudiences[0]: found "abc\\u200b"; ${visible} character 4 is U+200B, which is invisible`,
  ],
  [
    'a trusted audience with a misspelled key',
    file({ trustedAudience: 'any' }),
    `${lineOf.other}: providers[0].trustedAudience: unknown key; did you mean "trustedAudiences"?`,
  ],
];

const groups = { forms, duplicates, keys, providers, issuers, templates, hosts, values };

describe.each(Object.entries(groups))('an odd configuration: %s', (_group, rows) => {
  test.for(rows)('%s is refused', ([, text = '', ...lines]) => {
    const told = problemsOf(text);
    expect(told).toEqual(lines.map((line) => `config.json:${line}`));
    expect(told.join()).not.toContain('hunter2');
  });
});

test('at least fifty odd configurations have a text', () => {
  expect(Object.values(groups).flat().length).toBeGreaterThanOrEqual(50);
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
