import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../src/config/config-error.ts';
import { readConfig } from '../../src/config/config.ts';
import { providerEntries } from '../../src/config/schema.ts';
import shipped from '../../src/config.json' with { type: 'json' };
import { acme, problemsOf, withAcme, type Refusal } from '../support/samples.ts';

describe('readConfig', () => {
  test('accepts the configuration of this checkout and keeps its issuers unchanged', () => {
    const issuers = readConfig(shipped).providers.map(({ issuer }) => issuer);
    expect(issuers).toEqual(shipped.providers.map(({ issuer }) => issuer));
  });

  test('requires four values of a provider and fills in defaults for the rest', () => {
    expect(readConfig({ providers: [acme] })).toEqual({
      providers: [
        {
          ...acme,
          discoveryUrl: null,
          issuerTemplate: null,
          scope: 'openid profile email offline_access',
          origins: [],
          apiOrigins: [],
          apiToken: 'access_token',
          responseType: 'code',
          firefoxRedirect: 'extensions.allizom.org',
          authorizationParameters: {},
          signInPrompt: null,
          otherAccountPrompt: null,
          resource: null,
          audience: null,
          maxAgeSeconds: null,
          refreshTokenSeconds: null,
          acrValues: null,
          trustedAudiences: [],
          allowed: {},
          par: 'auto',
          dpop: 'off',
          deviceFlow: 'off',
          logoutParameters: {
            idToken: 'id_token_hint',
            clientId: 'client_id',
            redirectUri: 'post_logout_redirect_uri',
            state: 'state',
          },
          metadata: null,
          userApi: null,
        },
      ],
      persistence: 'device',
      policyOrigins: [],
    });
  });

  test.each([
    ['null', null, 'found null'],
    ['not named', undefined, 'missing'],
  ])('refuses a device flow whose endpoint is %s, because discovery is not asked', (_, endpoint, found) => {
    const [one, two, three] = ['authorize', 'token', 'keys'].map((path) => `${acme.issuer}/${path}`);
    const metadata = {
      authorization_endpoint: one,
      token_endpoint: two,
      jwks_uri: three,
      ...(endpoint === null && { device_authorization_endpoint: null }),
    };
    expect(problemsOf(withAcme({ deviceFlow: 'only', metadata }))).toEqual([
      `providers[0].metadata.device_authorization_endpoint: ${found}; expected the endpoint that "deviceFlow" needs, because discovery is not asked for it`,
    ]);
    const complete = { ...metadata, device_authorization_endpoint: `${acme.issuer}/device` };
    for (const accepted of [
      { metadata },
      { deviceFlow: 'fallback', metadata: complete },
      { deviceFlow: 'fallback', metadata: { token_endpoint: two } },
    ]) {
      expect(() => readConfig(withAcme(accepted))).not.toThrow();
    }
  });

  test('keeps the given values exactly as written', () => {
    const full = {
      providers: [
        {
          id: 'acme-2',
          name: 'Acme & Söhne',
          issuer: 'https://Id.acme.example:443/@tenant/',
          discoveryUrl: 'https://login.acme.example:8443/.well-known/openid-configuration?p=1',
          issuerTemplate: 'https://Id.acme.example:443/{tenantid}/',
          clientId: 'a client',
          scope: 'api openid',
          origins: ['https://login.acme.example:8443'],
          apiOrigins: ['http://127.0.0.1:3000', 'https://xn--bcher-kva.example'],
          apiToken: 'access_token',
          responseType: 'code',
          firefoxRedirect: 'loopback',
          authorizationParameters: { ui_locales: 'de', 'x-y.z': '' },
          signInPrompt: 'consent login',
          otherAccountPrompt: 'login',
          resource: 'x1-y.z+w:acme:api',
          audience: 'acme api',
          maxAgeSeconds: 0,
          refreshTokenSeconds: 86_400,
          acrValues: 'urn:acme:mfa urn:acme:key',
          trustedAudiences: ['69629012906488334', '69629023906488334@acme'],
          allowed: { hd: ['acme.example'], groups: ['staff', 7], email_verified: [true] },
          par: 'always',
          dpop: 'required',
          deviceFlow: 'only',
          logoutParameters: { idToken: null, clientId: 'client_id', redirectUri: 'logout_uri', state: null },
          metadata: {
            authorization_endpoint: 'https://window.example/authorize?p=1',
            token_endpoint: 'https://login.acme.example:8443/token?p=1',
            jwks_uri: 'https://id.acme.example/keys',
            userinfo_endpoint: 'https://id.acme.example/me',
            revocation_endpoint: 'https://id.acme.example/revoke',
            end_session_endpoint: 'https://window.example/logout',
            pushed_authorization_request_endpoint: 'https://id.acme.example/par',
            device_authorization_endpoint: 'https://id.acme.example/device',
            id_token_signing_alg_values_supported: ['ES256'],
          },
          userApi: null,
        },
      ],
      persistence: 'browser',
      policyOrigins: [],
    };
    expect(readConfig({ $schema: './config/schema.json', ...full })).toEqual(full);
  });

  test('keeps null for an endpoint that is not to be used', () => {
    const metadata = { userinfo_endpoint: null, revocation_endpoint: null, end_session_endpoint: null };
    expect(readConfig(withAcme({ metadata })).providers[0]?.metadata).toEqual(metadata);
  });

  test('fills in the standard names of the parameters of the logout', () => {
    const [provider] = readConfig(withAcme({ logoutParameters: { redirectUri: 'returnTo' } })).providers;
    expect(provider?.logoutParameters).toEqual({
      idToken: 'id_token_hint',
      clientId: 'client_id',
      redirectUri: 'returnTo',
      state: 'state',
    });
  });

  test.for<Refusal>([
    // The top level
    ['null', null, 'configuration: found null; expected an object with "providers"'],
    ['a string', '{}', 'configuration: found "{}"; expected an object with "providers"'],
    ['a list', [acme], 'configuration: found a list of 1; expected an object with "providers"'],
    ['a number', 7, 'configuration: found 7; expected an object with "providers"'],
    ['an empty object', {}, 'providers: missing; expected a list of 1 to 100 providers'],
    [
      'an empty list of providers',
      { providers: [] },
      'providers: found an empty list; expected a list of 1 to 100 providers',
    ],
    [
      'a provider that is not in a list',
      { providers: acme },
      'providers: found an object; expected a list of 1 to 100 providers',
    ],
    [
      'too many providers',
      { providers: Array.from({ length: 101 }, (_, index) => ({ ...acme, id: `p${index}` })) },
      'providers: found a list of 101; expected a list of 1 to 100 providers',
    ],
    [
      'an unknown persistence',
      { providers: [acme], persistence: 'memory' },
      'persistence: found "memory"; expected "device" or "browser"',
    ],
    [
      'a $schema that is not a string',
      { $schema: 1, providers: [acme] },
      '$schema: found 1; expected the path of the JSON Schema',
    ],
    [
      'a host for a managed policy that is not an origin',
      { providers: [acme], policyOrigins: ['https://a.example/'] },
      'policyOrigins[0]: found "https://a.example/"; expected only the origin: "https://a.example"',
    ],

    // A provider
    [
      'a provider that is a list',
      { providers: [[]] },
      'providers[0]: found an empty list; expected a provider object',
    ],
    [
      'an empty provider',
      { providers: [{}] },
      'providers[0].id: missing; expected 1 to 40 characters of a-z, 0-9 and "-", because the id is part of the redirect URI',
      'providers[0].name: missing; expected the name on the sign-in button, 1 to 100 characters on one line',
      `providers[0].issuer: missing; expected the issuer, exactly as the provider writes it in its discovery document`,
      'providers[0].clientId: missing; expected the id of the public client, as the provider shows it, 1 to 250 characters',
    ],
    ...['', 'Acme', 'a/b', 'a'.repeat(41), 'a'.repeat(80)].map((id): Refusal => [
      `the id ${JSON.stringify(id)}`,
      withAcme({ id }),
      `providers[0].id: found "${id}"; expected 1 to 40 characters of a-z, 0-9 and "-", because the id is part of the redirect URI`,
    ]),
    [
      'duplicate ids, along with other problems',
      { providers: [acme, { ...acme, id: 'other' }, { ...acme, issuer: 'acme', key: 1 }] },
      `providers[2].key: unknown key; expected one of ${Object.keys(providerEntries())
        .map((key) => `"${key}"`)
        .join(', ')}`,
      `providers[2].issuer: found "acme"; expected a URL that begins with "https://" and a host`,
      'providers[2].id: found "acme"; expected a unique id, but providers[0] has the same one',
    ],
    [
      'a discovery document on a host without permission',
      withAcme({ discoveryUrl: 'https://login.acme.example/discovery?p=hunter2' }),
      'providers[0].discoveryUrl: found "https://login.acme.example/discovery?…"; expected a host listed in "origins"; add "https://login.acme.example" there',
    ],
    ...[
      'https://id.acme.example/v2.0',
      'https://{tenantid}.acme.example/v2.0',
      'https://{tenantid}/v2.0',
      'https://id.acme.example/{tenantid}/{tenantid}',
      'https://id.acme.example/t-{tenantid}/v2.0',
      'https://id.acme.example/{tenantid}.example/v2.0',
      'https://id.acme.example/{tenantId}/v2.0',
      '{tenantid}',
      '',
    ].map((issuerTemplate): Refusal => [
      `the issuer template ${JSON.stringify(issuerTemplate)}`,
      withAcme({ issuerTemplate }),
      `providers[0].issuerTemplate: found "${issuerTemplate}"; expected an issuer with "{tenantid}" as one part of its path, such as "https://login.microsoftonline.com/{tenantid}/v2.0"`,
    ]),
    [
      'an issuer template with another placeholder',
      withAcme({ issuerTemplate: 'https://id.acme.example/{tenantid}/{policy}' }),
      'providers[0].issuerTemplate: found "https://id.acme.example/{tenantid}/{policy}"; expected a URL with your own value in place of "{policy}"',
    ],
    [
      'an empty name',
      withAcme({ name: ' ' }),
      'providers[0].name: found " "; expected the name on the sign-in button, 1 to 100 characters on one line',
    ],
    [
      'a long name',
      withAcme({ name: 'n'.repeat(101) }),
      `providers[0].name: found "${'n'.repeat(80)}…"; expected the name on the sign-in button, 1 to 100 characters on one line`,
    ],
    [
      'a client id with a copied line break',
      withAcme({ clientId: 'abc\n' }),
      'providers[0].clientId: found "abc\\n"; expected visible characters only, but character 4 is U+000A, a control character',
    ],
    [
      'a client id with a copied space',
      withAcme({ clientId: ' abc' }),
      'providers[0].clientId: found " abc"; expected the id of the public client, as the provider shows it, 1 to 250 characters',
    ],
    [
      'a scope with characters that are not allowed',
      withAcme({ scope: 'é openid' }),
      'providers[0].scope: found "é openid"; expected scopes separated by single spaces, including "openid"',
    ],
    [
      'a scope without openid',
      withAcme({ scope: 'openid2 profile' }),
      'providers[0].scope: found "openid2 profile"; expected scopes separated by single spaces, including "openid"',
    ],
    [
      'scopes separated by two spaces',
      withAcme({ scope: 'openid  email' }),
      'providers[0].scope: found "openid  email"; expected scopes separated by single spaces, including "openid"',
    ],
    [
      'scopes in a list',
      withAcme({ scope: ['openid'] }),
      'providers[0].scope: found a list of 1; expected scopes separated by single spaces, including "openid"',
    ],
    ...['', 'none', 'login none', 'none login', 'login  consent', 'Login', ' login'].map(
      (prompt): Refusal => [
        `the prompt ${JSON.stringify(prompt)}`,
        withAcme({ signInPrompt: prompt, otherAccountPrompt: prompt }),
        `providers[0].signInPrompt: found "${prompt}"; expected what the provider shows, separated by single spaces, such as "consent", "login" or "select_account"; not "none"`,
        `providers[0].otherAccountPrompt: found "${prompt}"; expected what the provider shows, separated by single spaces, such as "consent", "login" or "select_account"; not "none"`,
      ],
    ),
    ...['/api', '/urn:api', '7:api', 'urn:my api'].map((resource): Refusal => [
      `the resource ${resource}`,
      withAcme({ resource }),
      `providers[0].resource: found "${resource}"; expected an absolute URI without a fragment, such as "https://api.example.com"`,
    ]),
    [
      'an empty audience',
      withAcme({ audience: '' }),
      'providers[0].audience: found ""; expected the name of the API at the provider',
    ],

    ...[-1, 0.5, '3600'].map((maxAgeSeconds): Refusal => [
      `a maximum age of ${JSON.stringify(maxAgeSeconds)}`,
      withAcme({ maxAgeSeconds }),
      `providers[0].maxAgeSeconds: found ${JSON.stringify(maxAgeSeconds)}; expected a whole number of seconds, 0 to 3153600000 (100 years)`,
    ]),
    [
      'a negative refresh token lifetime',
      withAcme({ refreshTokenSeconds: -1 }),
      'providers[0].refreshTokenSeconds: found -1; expected a whole number of seconds, 0 to 3153600000 (100 years)',
    ],
    ...['', 'urn:a  urn:b'].map((acrValues): Refusal => [
      `the authentication contexts ${JSON.stringify(acrValues)}`,
      withAcme({ acrValues }),
      `providers[0].acrValues: found "${acrValues}"; expected authentication contexts separated by single spaces`,
    ]),
    [
      'a list instead of rules by claim',
      withAcme({ allowed: ['ada@example.com'] }),
      'providers[0].allowed: found a list of 1; expected an object with a list of values for each claim',
    ],
    [
      'a claim whose allowed value is not in a list',
      withAcme({ allowed: { hd: 'acme.example' } }),
      'providers[0].allowed.hd: found "acme.example"; expected a list of 1 to 1000 values, such as ["example.com"]',
    ],
    [
      'a claim without allowed values',
      withAcme({ allowed: { 'https://acme.example/groups': [] } }),
      'providers[0].allowed["https://acme.example/groups"]: found an empty list; expected a list of 1 to 1000 values, such as ["example.com"]',
    ],
    [
      'null as an allowed value',
      withAcme({ allowed: { hd: ['acme.example', null] } }),
      'providers[0].allowed.hd[1]: found null; expected a string, a number, true or false',
    ],
    [
      'a claim name with a space',
      withAcme({ allowed: { 'e mail': ['a'] } }),
      'providers[0].allowed["e mail"]: found "e mail"; expected a claim name',
    ],
    [
      'an unknown value of par',
      withAcme({ par: 'required' }),
      'providers[0].par: found "required"; expected "auto", "always" or "off"',
    ],
    [
      'an unknown value of dpop',
      withAcme({ dpop: true }),
      'providers[0].dpop: found true; expected "off", "auto" or "required"',
    ],

    // Logout
    [
      'parameters of the logout in a list',
      withAcme({ logoutParameters: ['logout_uri'] }),
      'providers[0].logoutParameters: found a list of 1; expected an object of parameter names',
    ],
    [
      'parameters of the logout as null',
      withAcme({ logoutParameters: null }),
      'providers[0].logoutParameters: found null; expected an object of parameter names',
    ],
    [
      'a parameter of the logout with a space',
      withAcme({ logoutParameters: { redirectUri: 'logout uri' } }),
      'providers[0].logoutParameters.redirectUri: found "logout uri"; expected the name of a parameter, such as "post_logout_redirect_uri", or null',
    ],
    [
      'a parameter of the logout that is false',
      withAcme({ logoutParameters: { idToken: false } }),
      'providers[0].logoutParameters.idToken: found false; expected the name of a parameter, such as "id_token_hint", or null',
    ],
    [
      'two parameters of the logout with one name',
      withAcme({ logoutParameters: { idToken: 'state' } }),
      'providers[0].logoutParameters.state: found "state"; expected another name than that of "idToken"',
    ],
    [
      'the name of a parameter of the logout in place of what it carries',
      withAcme({ logoutParameters: { logout_uri: 'x', redirectUrl: 'x' } }),
      'providers[0].logoutParameters.logout_uri: unknown key; expected one of "idToken", "clientId", "redirectUri", "state"',
      'providers[0].logoutParameters.redirectUrl: unknown key; did you mean "redirectUri"?',
    ],

    // Metadata
    [
      'metadata in a list',
      withAcme({ metadata: [] }),
      'providers[0].metadata: found an empty list; expected an object of endpoints',
    ],
    [
      'an endpoint without TLS',
      withAcme({ metadata: { authorization_endpoint: 'http://id.acme.example/a' } }),
      `providers[0].metadata.authorization_endpoint: found "http://id.acme.example/a"; expected "https:"; "http:" is allowed for "localhost" and "127.0.0.1" only`,
    ],
    [
      'an endpoint that is not a string',
      withAcme({ metadata: { jwks_uri: false } }),
      'providers[0].metadata.jwks_uri: found false; expected an endpoint, such as "https://id.example.com/token"',
    ],
    [
      'an endpoint that a sign-in needs, as null',
      withAcme({ metadata: { token_endpoint: null } }),
      'providers[0].metadata.token_endpoint: found null; expected an endpoint, such as "https://id.example.com/token"',
    ],
    [
      'an endpoint on a host without permission',
      withAcme({ metadata: { token_endpoint: 'https://login.acme.example/token?key=hunter2' } }),
      'providers[0].metadata.token_endpoint: found "https://login.acme.example/token?…"; expected a host listed in "origins"; add "https://login.acme.example" there',
    ],
    [
      'a PAR endpoint on a host without permission',
      withAcme({ metadata: { pushed_authorization_request_endpoint: 'https://push.acme.example/' } }),
      'providers[0].metadata.pushed_authorization_request_endpoint: found "https://push.acme.example/"; expected a host listed in "origins"; add "https://push.acme.example" there',
    ],
    [
      'an empty list of ID token algorithms',
      withAcme({ metadata: { id_token_signing_alg_values_supported: [] } }),
      'providers[0].metadata.id_token_signing_alg_values_supported: found an empty list; expected a list of 1 to 20 algorithms, such as ["RS256"]',
    ],
    ...['none', 'HS256', 'XRS256', 'RS2567'].map((alg): Refusal => [
      `the ID token algorithm ${alg}`,
      withAcme({ metadata: { id_token_signing_alg_values_supported: ['RS256', alg] } }),
      `providers[0].metadata.id_token_signing_alg_values_supported[1]: found "${alg}"; expected a public-key algorithm, such as "RS256" or "ES256"`,
    ]),
  ])('rejects %s', ([, json, ...lines]) => {
    expect(problemsOf(json)).toEqual(lines);
  });
});

test('ConfigError has one line per problem in its message, beginning with its path', () => {
  const error = new ConfigError([
    { path: [], text: 'one' },
    { path: ['a b', 0, 'c'], text: 'two' },
  ]);
  expect(error.message).toBe('configuration: one\n["a b"][0].c: two');
  expect(error.name).toBe('ConfigError');
});
