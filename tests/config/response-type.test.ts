import { expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { acme, problemsOf } from '../support/samples.ts';

/** The least that Google needs. */
const idToken = { ...acme, responseType: 'id_token' };
const api = { apiOrigins: ['https://api.acme.example'] };

test.each([
  ['without an API', idToken],
  ['whose APIs take the ID token', { ...idToken, ...api, apiToken: 'id_token' }],
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
])('a provider that answers with an ID token is accepted %s', (_title, provider) => {
  expect(() => readConfig({ providers: [provider] })).not.toThrow();
});

const without = (token: string) => `because "responseType" "id_token" brings no ${token}`;

test.each<[string, object, string]>([
  [
    'APIs that would get no token',
    { ...idToken, ...api },
    `apiToken: found "access_token"; expected "id_token", ${without('access token')} for "apiOrigins"; an API must then accept the ID token as Bearer, and without such an API remove "apiOrigins"`,
  ],
  ...['only', 'fallback'].map((deviceFlow): [string, object, string] => [
    `the device flow (${deviceFlow})`,
    { ...idToken, deviceFlow },
    `deviceFlow: found "${deviceFlow}"; expected "off", because its tokens come from the token endpoint, which "responseType" "id_token" does not use`,
  ]),
  [
    'tokens that are bound to a key',
    { ...idToken, dpop: 'required' },
    `dpop: found "required"; expected "off", ${without('access token')} that could be bound to a key`,
  ],
  [
    'tokens that are bound to a key where the provider can',
    { ...idToken, dpop: 'auto' },
    `dpop: found "auto"; expected "off", ${without('access token')} that could be bound to a key`,
  ],
  [
    'an API that the access token is for',
    { ...idToken, resource: 'urn:api' },
    `resource: found "urn:api"; expected no value, ${without('access token')}`,
  ],
  [
    'the name of an API that the access token is for',
    { ...idToken, audience: 'api' },
    `audience: found "api"; expected no value, ${without('access token')}`,
  ],
  [
    'a lifetime of refresh tokens',
    { ...idToken, refreshTokenSeconds: 86_400 },
    `refreshTokenSeconds: found 86400; expected no value, ${without('refresh token')}`,
  ],
  [
    'any audience',
    { ...idToken, trustedAudiences: 'any' },
    'trustedAudiences: found "any"; expected a list, because with "responseType" "id_token" the ID token comes through the browser and not from the provider itself',
  ],
  [
    'APIs that take the ID token of a code, which a renewal may not return',
    { ...acme, ...api, apiToken: 'id_token' },
    'apiToken: found "id_token"; expected "access_token", because a renewal may return no ID token; set "responseType" to "id_token" too',
  ],
  [
    'another token',
    { ...acme, apiToken: 'jwt' },
    'apiToken: found "jwt"; expected "access_token" or "id_token"',
  ],
  [
    'another response type',
    { ...acme, responseType: 'code id_token' },
    'responseType: found "code id_token"; expected "code" or "id_token"',
  ],
  [
    'another redirect in Firefox',
    { ...acme, firefoxRedirect: 'http://127.0.0.1/mozoauth2' },
    'firefoxRedirect: found "http://127.0.0.1/mozoauth2"; expected "extensions.allizom.org" or "loopback"',
  ],
  [
    'a response type among the authorization parameters',
    { ...acme, authorizationParameters: { response_type: 'id_token' } },
    'authorizationParameters.response_type: refused: set "responseType" of the provider instead',
  ],
])('a provider with %s is refused', (_title, provider, line) => {
  expect(problemsOf({ providers: [provider] })).toEqual([`providers[0].${line}`]);
});

test('each setting that contradicts the response type has a line of its own', () => {
  const all = {
    ...idToken,
    ...api,
    dpop: 'auto',
    audience: 'api',
    refreshTokenSeconds: 1,
    trustedAudiences: 'any',
  };
  expect(problemsOf({ providers: [all] })).toHaveLength(5);
});
