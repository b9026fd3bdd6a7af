import { describe, expect, test } from 'vitest';
import { problemsOf, readConfig, withAcme, type Refusal } from '../support/samples.ts';

const userApi = { url: 'https://api.acme.example/user', subject: 'id' };
const plain = {
  scope: 'read:user',
  apiOrigins: ['https://api.acme.example'],
  metadata: {
    authorization_endpoint: 'https://id.acme.example/authorize',
    token_endpoint: 'https://id.acme.example/token',
  },
  userApi,
};
const withPlain = (change: object) => withAcme({ ...plain, ...change });
const withApi = (change: object) => withPlain({ userApi: { ...userApi, ...change } });
const withHeaders = (headers: object) => withApi({ headers });

describe('readConfig, of a provider with a user API', () => {
  test('requires its address and the path of the subject, and fills in the rest', () => {
    expect(readConfig(withPlain({})).providers[0]).toMatchObject({
      scope: 'read:user',
      userApi: { ...userApi, name: null, email: null, emailVerified: null, picture: null, headers: {} },
    });
  });

  test('keeps the given paths and headers exactly as written', () => {
    const full = {
      url: 'https://api.acme.example/2/users/me?user.fields=name,profile_image_url',
      subject: 'data.id',
      name: 'data.display-name',
      email: 'data.emails.0.value',
      emailVerified: 'data.emails.0.verified',
      picture: 'data.images.0.url',
      headers: { Accept: 'application/vnd.acme+json', 'Acme-Version': '2022-06-28' },
    };
    const change = { userApi: full, allowed: { email: ['ada@example.com'] } };
    expect(readConfig(withPlain(change)).providers[0]?.userApi).toEqual(full);
  });

  test('may request no scope, and take the endpoints from a metadata document instead', () => {
    const discoveryUrl = 'https://id.acme.example/.well-known/oauth-authorization-server';
    const change = { scope: '', metadata: null, discoveryUrl };
    expect(readConfig(withPlain(change)).providers[0]).toMatchObject(change);
  });

  const path = 'providers[0].userApi';
  const aPath = 'expected the path of a member of the answer, such as "id", "data.id" or "images.0.url"';
  const secret =
    'refused: everyone who installs the extension could read it; register a public client (PKCE, no secret), remove this key, and rotate the secret at the provider';
  const keys = 'https://id.acme.example/keys';
  const algorithms = 'id_token_signing_alg_values_supported';
  const besideIt = (name: string, why: string) =>
    `providers[0].${name}: refused beside "userApi": ${why}; remove it`;
  const own = 'refused: the extension or the browser sets it; remove it';

  test.for<Refusal>([
    [
      'a string',
      withPlain({ userApi: 'id' }),
      `${path}: found "id"; expected an object with "url" and "subject"`,
    ],
    ['no subject', withApi({ subject: undefined }), `${path}.subject: missing; ${aPath}`],
    ...['', '.id', 'a..b', 'a b', 'a[0]', 'a.'.repeat(8) + 'a', 'a'.repeat(61)].map((subject): Refusal => [
      `the path ${JSON.stringify(subject.slice(0, 20))}`,
      withApi({ subject }),
      `${path}.subject: found ${JSON.stringify(subject)}; ${aPath}`,
    ]),
    [
      'an ID token in the redirect',
      withPlain({ responseType: 'id_token', apiToken: 'id_token' }),
      'providers[0].responseType: refused beside "userApi": plain OAuth 2 has no ID token; remove it',
    ],
    [
      'to end the session with the one at the provider, which cannot be asked silently',
      withPlain({ endWithProvider: true }),
      `providers[0].endWithProvider: found true; expected false, because with "userApi" the provider's answer is missing or can mean something else`,
    ],
    [
      'a path in another case',
      withApi({ Subject: 'a' }),
      `${path}.Subject: unknown key; did you mean "subject"?`,
    ],
    [
      'a host that is not listed',
      withPlain({ apiOrigins: [] }),
      `${path}.url: found "https://api.acme.example/user"; expected a host listed in "origins"; add "https://api.acme.example" there`,
    ],
    [
      'a header name with a space',
      withHeaders({ 'a b': 'c' }),
      `${path}.headers["a b"]: found "a b"; expected a header name of letters, digits and "-"`,
    ],
    [
      'a header of two lines',
      withHeaders({ Accept: 'a\r\nCookie: b' }),
      expect.stringMatching(/headers\.Accept: found .*; expected visible characters only/),
    ],
    ...['', ' a', 'a '].map((value): Refusal => [
      `the header value "${value}"`,
      withHeaders({ Accept: value }),
      `${path}.headers.Accept: found "${value}"; expected 1 to 200 ASCII characters`,
    ]),
    [
      'no address',
      withApi({ url: undefined }),
      `${path}.url: missing; expected the address of the API that says who has signed in, such as "https://api.example.com/user"`,
    ],
    ...['authorization', 'DPoP', 'Cookie', 'Host', 'Origin', 'Content-Length', 'Sec-Fetch-Site'].map(
      (name): Refusal => [
        `the header ${name}`,
        withHeaders({ [name]: 'x' }),
        `${path}.headers${name.includes('-') ? `["${name}"]` : `.${name}`}: ${own}`,
      ],
    ),
    ...['X-Api-Key', 'X-ApiKey', 'X-Auth-Token', 'Client-Secret'].map((name): Refusal => [
      `the header ${name}`,
      withHeaders({ [name]: 'x' }),
      `${path}.headers["${name}"]: ${secret}`,
    ]),
    [
      'a header twice, in two cases',
      withHeaders({ Accept: 'a', accept: 'b' }),
      `${path}.headers.accept: the same header as "Accept"; remove one of the two`,
    ],
    [
      'the scope "openid"',
      withPlain({ scope: 'openid email' }),
      'providers[0].scope: found "openid email"; expected scopes without "openid", or "" for none, because "userApi" is for providers without ID tokens; for one with ID tokens remove "userApi"',
    ],
    [
      'no scope of its own',
      withPlain({ scope: undefined }),
      expect.stringMatching(/^providers\[0\]\.scope: found "openid profile .*remove "userApi"$/),
    ],
    [
      'neither endpoints nor a metadata document',
      withPlain({ metadata: null }),
      ...['authorization_endpoint', 'token_endpoint'].map(
        (name) =>
          `providers[0].metadata.${name}: missing; expected the endpoint, because of "userApi", or the metadata document (RFC 8414) in "discoveryUrl"`,
      ),
    ],
    [
      'settings about ID tokens',
      withPlain({
        issuerTemplate: 'https://id.acme.example/{tenantid}/',
        maxAgeSeconds: 60,
        acrValues: 'mfa',
        trustedAudiences: 'any',
        refreshTokenSeconds: 60,
      }),
      besideIt('issuerTemplate', 'an ID token would name the tenant'),
      besideIt('maxAgeSeconds', 'an ID token would say when the person was authenticated'),
      besideIt('acrValues', 'an ID token would say how the person was authenticated'),
      besideIt('trustedAudiences', 'only an ID token names audiences'),
      besideIt(
        'refreshTokenSeconds',
        'plain OAuth 2 has no silent sign-in to replace them before they expire',
      ),
    ],
    [
      'keys and UserInfo in the metadata',
      withPlain({
        metadata: { ...plain.metadata, jwks_uri: keys, userinfo_endpoint: keys, [algorithms]: ['RS256'] },
      }),
      besideIt('metadata.jwks_uri', 'there is no ID token to verify with the keys'),
      besideIt('metadata.userinfo_endpoint', 'the user API takes its place'),
      besideIt(`metadata.${algorithms}`, 'there is no ID token to verify'),
    ],
    [
      'allowed emails without a word that they are verified',
      withPlain({ allowed: { email: ['ada@example.com'] }, userApi: { ...userApi, email: 'email' } }),
      'providers[0].allowed.email: an email counts only if it is verified; expected "email" and "emailVerified" in "userApi"',
    ],
  ])('rejects %s', ([, json, ...lines]) => {
    expect(problemsOf(json)).toEqual(lines);
  });
});
