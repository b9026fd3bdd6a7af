import { describe, expect, test } from 'vitest';
import shipped from '../../src/config.json' with { type: 'json' };
import { acme, problemsOf, readConfig, withAcme } from '../support/samples.ts';
import { provider as defaults } from '../support/scripted-provider.ts';

describe('readConfig', () => {
  test('accepts the configuration of this checkout and keeps its issuers unchanged', () => {
    const issuers = readConfig(shipped).providers.map(({ issuer }) => issuer);
    expect(issuers).toEqual(shipped.providers.map(({ issuer }) => issuer));
  });

  test('requires four values of a provider and fills in defaults for the rest', () => {
    expect(readConfig({ providers: [acme] })).toEqual({
      providers: [{ ...defaults, ...acme }],
      persistence: 'device',
      autoSignIn: 'off',
      rememberAccounts: true,
      policies: true,
      policyOrigins: [],
      support: null,
      privacyUrl: null,
      popupHeader: 'full',
    });
    expect(defaults).toMatchObject({
      scope: 'openid profile email offline_access',
      responseType: 'code',
      par: 'auto',
      dpop: 'off',
      allowed: {},
      trustedAudiences: [],
    });
  });

  test.each([
    ['null', { device_authorization_endpoint: null }, 'found null'],
    ['not named', {}, 'missing'],
  ])('refuses a device flow whose endpoint is %s, because discovery is not asked', (_, device, found) => {
    const token_endpoint = `${acme.issuer}/token`;
    const others = { authorization_endpoint: `${acme.issuer}/authorize`, jwks_uri: `${acme.issuer}/keys` };
    const metadata = { token_endpoint, ...others, ...device };
    expect(problemsOf(withAcme({ deviceFlow: 'only', metadata }))).toEqual([
      `providers[0].metadata.device_authorization_endpoint: ${found}; expected the endpoint that "deviceFlow" needs, because discovery isn't asked for it`,
    ]);
    const complete = { ...metadata, device_authorization_endpoint: `${acme.issuer}/device` };
    for (const accepted of [
      { metadata },
      { deviceFlow: 'fallback', metadata: complete },
      { deviceFlow: 'fallback', metadata: { token_endpoint } },
    ]) {
      expect(() => readConfig(withAcme(accepted))).not.toThrow();
    }
  });

  test('keeps the given values exactly as written', () => {
    const full = {
      providers: [
        {
          id: 'acme-2',
          name: `Acme & ${'S'.repeat(93)}`,
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
          authorizationParameters: { ui_locales: 'de', 'x-y.z': '', long: 'x'.repeat(2000) },
          signInPrompt: 'consent login',
          otherAccountPrompt: 'login',
          loginHint: 'username',
          resource: 'x1-y.z+w:acme:api',
          audience: 'acme api',
          apis: [],
          maxAgeSeconds: 0,
          refreshTokenSeconds: 86_400,
          endWithProvider: false,
          acrValues: 'urn:acme:mfa urn:acme:key',
          trustedAudiences: ['69629012906488334', '69629023906488334@acme'],
          allowed: { hd: ['acme.example'], groups: ['staff', 7], email_verified: [true] },
          par: 'always',
          dpop: 'required',
          deviceFlow: 'fallback',
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
      autoSignIn: 'startup',
      rememberAccounts: false,
      policies: true,
      policyOrigins: [],
      support: { name: 'A', url: 'https://acme.example/help' },
      privacyUrl: 'https://acme.example/privacy#extension',
      popupHeader: 'compact',
    };
    expect(readConfig({ $schema: './config/schema.json', ...full })).toEqual(full);
  });
});

describe('a provider that answers with an ID token is accepted', () => {
  const idToken = { ...acme, responseType: 'id_token' };
  const api = { apiOrigins: ['https://api.acme.example'] };

  // Refused configurations are in odd-configurations.test.ts.
  test.each([
    ['without an API', idToken],
    ['whose APIs take the ID token', { ...idToken, ...api, apiToken: 'id_token', endWithProvider: true }],
    ['with the ID token for APIs that are not named yet', { ...idToken, apiToken: 'id_token' }],
    [
      'with everything that has a meaning',
      {
        ...idToken,
        scope: 'openid offline_access',
        maxAgeSeconds: 60,
        acrValues: 'high',
        trustedAudiences: ['project'],
        allowed: { hd: ['acme.example'] },
        par: 'always',
        firefoxRedirect: 'loopback',
        metadata: {
          authorization_endpoint: 'https://login.acme.example/authorize',
          jwks_uri: `${acme.issuer}/keys`,
        },
      },
    ],
  ])('%s', (_title, provider) => {
    expect(() => readConfig({ providers: [provider] })).not.toThrow();
  });
});

test('an API is named by its scope, its resource or its audience, and the others are null', () => {
  const pay = { name: 'Acme Payments', origins: ['https://pay.acme.example'], resource: 'urn:pay' };
  const mail = { origins: ['https://mail.acme.example'], scope: 'mail' };
  const chat = { origins: ['https://chat.acme.example'], audience: 'chat' };
  expect(readConfig({ providers: [{ ...acme, apis: [pay, mail, chat] }] }).providers[0]?.apis).toEqual([
    { ...pay, scope: null, audience: null },
    { ...mail, name: null, resource: null, audience: null },
    { ...chat, name: null, scope: null, resource: null },
  ]);
});
