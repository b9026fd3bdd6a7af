import { describe, expect, test } from 'vitest';
import type { Provider } from '../../src/config/config.ts';
import type { Profiles } from '../../src/config/profiles.ts';
import type { PresetProfile, Profile } from '../../src/providers/profile.ts';
import { parseConfig } from '../../tools/build/read-config.ts';
import { acme, problemsOf as configProblemsOf, readConfig } from '../support/samples.ts';

const knowledge = {
  title: 'Acme ID',
  issuers: { example: 'https://id.acme.example', patterns: [], mistakes: [] },
  registration: { console: 'Acme console', steps: [] },
  limits: [],
  read: '2026-11',
  facts: [],
};

const preset = (settings: PresetProfile['settings'], asks: PresetProfile['asks'] = []) =>
  ({ ...knowledge, use: 'preset', settings, asks }) satisfies Profile;

const refused: Profile = { ...knowledge, use: 'refused', refusal: 'Acme wants a secret. Use a broker.' };

const profilesOf = (byName: Readonly<Record<string, Profile>>): Profiles => ({
  names: () => Object.keys(byName),
  find: (name) => byName[name] ?? null,
});

function read(change: object, byName: Readonly<Record<string, Profile>>): Provider {
  const providers = [{ ...acme, profile: 'acme-id', ...change }];
  return readConfig({ providers }, profilesOf(byName)).providers[0]!;
}

function problemsOf(change: object, byName: Readonly<Record<string, Profile>>): readonly string[] {
  return configProblemsOf({ providers: [{ ...acme, profile: 'acme-id', ...change }] }, profilesOf(byName));
}

describe('a provider with a profile', () => {
  const profile = preset({
    scope: 'openid offline',
    origins: ['https://a.example', 'https://b.example'],
    authorizationParameters: { access: 'offline', ui: 'small' },
    logoutParameters: { state: null, redirectUri: 'logout_uri' },
    metadata: { revocation_endpoint: null },
  });

  test('has the settings of the profile where it has none of its own, and else the defaults', () => {
    const logoutParameters = {
      idToken: 'id_token_hint',
      clientId: 'client_id',
      redirectUri: 'logout_uri',
      state: null,
    };
    expect(read({}, { 'acme-id': profile })).toEqual({
      ...read({ profile: null }, {}),
      ...profile.settings,
      logoutParameters,
    });
  });

  test('replaces a text or a list of the profile, and merges an object by its keys', () => {
    const own = {
      scope: 'openid',
      origins: ['https://c.example'],
      authorizationParameters: { ui: 'large', hd: 'acme.example' },
      logoutParameters: { redirectUri: 'return_to' },
    };
    const provider = read(own, { 'acme-id': profile });
    expect(provider).toMatchObject({ ...own, logoutParameters: { redirectUri: 'return_to', state: null } });
    const authorizationParameters = { access: 'offline', ui: 'large', hd: 'acme.example' };
    expect(provider.authorizationParameters).toEqual(authorizationParameters);
  });

  test('replaces an object of the profile by null', () => {
    expect(read({ metadata: null }, { 'acme-id': profile }).metadata).toBeNull();
  });

  test('changes no other provider', () => {
    const both = [
      { ...acme, profile: 'acme-id' },
      { ...acme, id: 'other' },
    ];
    const [, other] = readConfig({ providers: both }, profilesOf({ 'acme-id': profile })).providers;
    expect(other).toEqual({ ...read({ profile: null }, {}), id: 'other' });
  });
});

describe('a profile is refused', () => {
  const known = { entra: preset({}), 'entra-consumers': preset({}), 'acme-id': refused };

  test('if its name is unknown, with the most similar name', () => {
    expect(problemsOf({ profile: 'entre' }, known)).toEqual([
      'providers[0].profile: found "entre"; expected the name of a file in src/providers, such as "entra"; did you mean "entra"?',
    ]);
    expect(problemsOf({ profile: 'microsoft' }, known)).toEqual([
      'providers[0].profile: found "microsoft"; expected the name of a file in src/providers, such as "entra"',
    ]);
  });

  test('if its name is not one', () => {
    const text = 'providers[0].profile: found 5; expected the name of a profile, such as "entra", or null';
    expect(problemsOf({ profile: 5 }, known)).toEqual([text]);
  });

  test('if it is that of a provider that cannot work, with the reason and the alternative', () => {
    expect(problemsOf({}, known)).toEqual([
      'providers[0].profile: found "acme-id"; refused: Acme wants a secret. Use a broker.',
    ]);
  });

  test('if it asks for a setting that the provider does not have', () => {
    const asking = preset({}, [
      { setting: 'issuer', expected: 'the issuer of your tenant, such as "https://id.example.com/1"' },
      { setting: 'origins', expected: 'the domain of the pool' },
      { setting: 'scope', expected: 'the scopes of your tenant' },
    ]);
    const { issuer: _issuer, ...withoutIssuer } = acme;
    const json = { providers: [{ ...withoutIssuer, profile: 'a', scope: 'openid' }] };
    expect(configProblemsOf(json, profilesOf({ a: asking }))).toEqual([
      'providers[0].issuer: missing; expected the issuer of your tenant, such as "https://id.example.com/1"',
      'providers[0].origins: missing; expected the domain of the pool',
    ]);
  });

  test('if a setting of it is wrong, with its name beside the setting', () => {
    const wrong = preset({ scope: 'profile', authorizationParameters: { state: 'x' } });
    expect(problemsOf({ audience: '' }, { 'acme-id': wrong })).toEqual([
      'providers[0].authorizationParameters.state: refused: the extension sets it for each sign-in (profile "acme-id")',
      'providers[0].audience: found ""; expected the name of the API at the provider',
      'providers[0].scope: found "profile"; expected scopes separated by single spaces, including "openid" (profile "acme-id")',
    ]);
  });
});

test('a setting that does not go with one of the profile is refused in a line that names the profile', () => {
  const alone = preset({ scope: 'openid', responseType: 'id_token', apiToken: 'id_token' });
  expect(problemsOf({ refreshTokenSeconds: 60 }, { 'acme-id': alone })).toEqual([
    'providers[0].refreshTokenSeconds: found 60; expected no value, because "responseType" "id_token" brings no refresh token (profile "acme-id")',
  ]);
  const own = { responseType: 'id_token', apiToken: 'id_token', scope: 'openid', refreshTokenSeconds: 60 };
  expect(problemsOf(own, { 'acme-id': preset({}) })).toEqual([
    'providers[0].refreshTokenSeconds: found 60; expected no value, because "responseType" "id_token" brings no refresh token',
  ]);
  expect(
    problemsOf({ apis: [{ origins: ['https://pay.acme.example'] }] }, { 'acme-id': preset({}) }),
  ).toEqual([
    expect.stringMatching(/^providers\[0\]\.apis\[0\]: expected "scope", .* belongs in "apiOrigins"$/),
  ]);
});

test('the line of a mistake names the place of the provider, because the file has no place for the setting', () => {
  const text = `{ "providers": [\n  { "id": "acme", "name": "Acme", "clientId": "abc", "profile": "keycloak" }\n] }`;
  expect(() => parseConfig(text, 'config.json')).toThrow(
    'config.json:2:3: providers[0].issuer: missing; expected the issuer of the realm, such as "https://id.example.com/realms/<realm>"',
  );
});
