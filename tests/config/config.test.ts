import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../src/config/config-error.ts';
import { readConfig } from '../../src/config/config.ts';
import shipped from '../../src/config.json' with { type: 'json' };
import { acme, problemsOf, withAcme } from '../support/samples.ts';

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
          endWithProvider: false,
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
      autoSignIn: 'off',
      policyOrigins: [],
      support: null,
      privacyUrl: null,
      popupHeader: 'full',
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
          endWithProvider: false,
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
      autoSignIn: 'off',
      policyOrigins: [],
      support: { name: 'Acme Support', url: 'https://acme.example/help' },
      privacyUrl: 'https://acme.example/privacy#extension',
      popupHeader: 'compact',
    };
    expect(readConfig({ $schema: './config/schema.json', ...full })).toEqual(full);
  });

  test('keeps null for an endpoint that is not to be used', () => {
    const metadata = { userinfo_endpoint: null, revocation_endpoint: null, end_session_endpoint: null };
    expect(readConfig(withAcme({ metadata })).providers[0]?.metadata).toEqual(metadata);
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
