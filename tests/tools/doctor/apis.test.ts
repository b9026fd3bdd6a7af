import { expect, test } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';
import { applyProfiles } from '../../../src/config/profiles.ts';
import { profiles } from '../../../tools/build/profiles.ts';
import { examineApis } from '../../../tools/doctor/apis.ts';
import { acme, examine, type Settings } from '../../support/doctor-scene.ts';

const pay = { origins: ['https://pay.acme.example'], scope: 'pay' };
const resource = 'https://pay.acme.example';
const b2c = {
  discoveryUrl: 'https://id.acme.example/.well-known/openid-configuration',
  scope: 'openid offline_access acme-client',
};

/** What the doctor says of an API beside those settings of a provider with this profile. */
function said(profile: string, api: object, settings: Settings = {}): readonly string[] {
  const apis = [{ ...pay, ...api }];
  const config = { providers: [{ ...acme, profile, origins: [], apis, ...settings }] };
  const [provider] = readConfig(config, (json) => applyProfiles(json, profiles)).providers;
  if (provider === undefined) throw new Error('The configuration has no provider.');
  return examineApis(provider, profiles.find(profile)).map(({ text }) => text);
}

test.each<[string, object, string, Settings]>([
  ['auth0', { resource }, 'wants an API named by "audience".', {}],
  ['auth0', {}, 'wants an API named by "audience".', {}],
  ['auth0', { audience: 'pay', resource }, 'wants an API named by "audience".', {}],
  ['entra', { audience: 'pay' }, 'wants an API named by "scope".', {}],
  ['better-auth', { resource }, 'wants an API named by "resource", without "scope".', {}],
  ['azure-b2c', {}, 'issues no token for another API', b2c],
])('%s: the API %j is one that the provider does not understand', (profile, api, words, settings) => {
  expect(said(profile, api, settings)).toEqual([expect.stringContaining(words)]);
});

test.each<[string, object]>([
  ['auth0', { audience: 'pay' }],
  ['entra', {}],
  ['okta', { resource }],
  ['better-auth', { resource, scope: null }],
  // Nothing is known of it.
  ['pingfederate', { audience: 'pay', resource }],
])('%s: nothing is wrong with the API %j', (profile, api) => {
  expect(said(profile, api)).toEqual([]);
});

test('without "offline_access" there is no refresh token, from which the tokens of APIs come', async () => {
  const scope = 'openid profile';
  const line = expect.stringContaining('does not ask for "offline_access"');
  expect(said('entra', {}, { scope })).toEqual([line]);
  const { report } = await examine({}, { scope, apis: [pay] });
  const about = ({ findings }: typeof report) => findings.filter(({ code }) => code === 'apis');
  expect(about(report)).toMatchObject([{ severity: 'warning', text: line }]);
  expect(about((await examine({}, { scope })).report)).toEqual([]);
});

test('a profile that needs no "offline_access" for a refresh token is not warned of it', () => {
  expect(said('gitlab', {})).toEqual([]);
});
