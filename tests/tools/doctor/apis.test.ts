import { expect, test } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';
import { applyProfiles } from '../../../src/config/profiles.ts';
import { loadProfiles, profiles } from '../../../tools/build/profiles.ts';
import { acme, examine, type Settings } from '../../support/doctor-scene.ts';

const pay = { origins: ['https://pay.acme.example'], scope: 'pay' };
const resource = 'https://pay.acme.example';
const b2c = {
  discoveryUrl: 'https://id.acme.example/.well-known/openid-configuration',
  scope: 'openid offline_access acme-client',
};

/** The doctor's findings about an API, offline, beside those settings of a provider with this profile. */
async function said(profile: string, api: object | null, settings: Settings = {}) {
  const apis = api === null ? [] : [{ ...pay, ...api }];
  const config = { providers: [{ ...acme, profile, origins: [], apis, ...settings }] };
  const [provider] = readConfig(config, (json) => applyProfiles(json, profiles)).providers;
  const more = { provider, profileName: profile, profiles: loadProfiles(), network: null };
  const { findings } = (await examine({}, {}, more)).report;
  const about = findings.filter(({ code }) => code === 'apis');
  expect(about.filter(({ severity }) => severity !== 'warning')).toEqual([]);
  return about.map(({ text }) => text);
}

test.each<[string, object, string, Settings]>([
  ['auth0', { resource }, 'wants an API named by "audience".', {}],
  ['auth0', {}, 'wants an API named by "audience".', {}],
  ['auth0', { audience: 'pay', resource }, 'wants an API named by "audience".', {}],
  ['entra', { audience: 'pay' }, 'wants an API named by "scope".', {}],
  ['better-auth', { resource }, 'wants an API named by "resource", without "scope".', {}],
  ['azure-b2c', {}, 'issues no token for another API', b2c],
])('%s: the API %j is one that the provider does not understand', async (profile, api, words, settings) => {
  expect(await said(profile, api, settings)).toEqual([expect.stringContaining(words)]);
});

test.each<[string, object]>([
  ['auth0', { audience: 'pay' }],
  ['entra', {}],
  ['okta', { resource }],
  ['better-auth', { resource, scope: null }],
  // Nothing is known of it.
  ['pingfederate', { audience: 'pay', resource }],
])('%s: nothing is wrong with the API %j', async (profile, api) => {
  expect(await said(profile, api)).toEqual([]);
});

test('without "offline_access" there is no refresh token, from which the tokens of APIs come', async () => {
  const scope = 'openid profile';
  const line = expect.stringContaining('does not ask for "offline_access"');
  expect(await said('entra', {}, { scope })).toEqual([line]);
  expect(await said('entra', null, { scope })).toEqual([]);
  // Both are named in one run.
  expect(await said('entra', { scope: null, audience: 'pay' }, { scope })).toEqual([
    expect.any(String),
    line,
  ]);
});

test('a profile that needs no "offline_access" for a refresh token is not warned of it', async () => {
  expect(await said('gitlab', {})).toEqual([]);
});
