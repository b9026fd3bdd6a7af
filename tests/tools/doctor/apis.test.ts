import { expect, test } from 'vitest';
import { loadProfiles, profiles } from '../../../tools/build/profiles.ts';
import { acme, describeReports, examine, type Settings } from '../../support/doctor-scene.ts';
import { readConfig } from '../../support/samples.ts';

const pay = { origins: ['https://pay.acme.example'], scope: 'pay' };
const resource = 'https://pay.acme.example';
const b2c = {
  discoveryUrl: 'https://id.acme.example/.well-known/openid-configuration',
  scope: 'openid offline_access acme-client',
};

/** The doctor's findings about an API, offline, beside those settings of a provider with this profile. */
async function reportOn(profile: string, api: object | null, settings: Settings = {}) {
  const apis = api === null ? [] : [{ ...pay, ...api }];
  const config = { providers: [{ ...acme, profile, origins: [], apis, ...settings }] };
  const [provider] = readConfig(config, profiles).providers;
  const more = { provider, profileName: profile, profiles: loadProfiles(), network: null };
  const { report } = await examine({}, {}, more);
  return { ...report, findings: report.findings.filter(({ code }) => code === 'apis') };
}

const scope = 'openid profile';

const scenes: Readonly<Record<string, Parameters<typeof reportOn>>> = {
  'Auth0, by resource': ['auth0', { resource }],
  'Auth0, by scope': ['auth0', {}],
  'Auth0, by audience and resource': ['auth0', { audience: 'pay', resource }],
  'Auth0, by audience': ['auth0', { audience: 'pay' }],
  'Entra, by audience': ['entra', { audience: 'pay' }],
  'Entra, by scope': ['entra', {}],
  'Okta, by resource': ['okta', { resource }],
  'Better Auth, by resource and scope': ['better-auth', { resource }],
  'Better Auth, by resource': ['better-auth', { resource, scope: null }],
  'Azure B2C, which issues none': ['azure-b2c', {}, b2c],
  'PingFederate, of which nothing is known': ['pingfederate', { audience: 'pay', resource }],
  'Entra without "offline_access"': ['entra', {}, { scope }],
  'the same without an API': ['entra', null, { scope }],
  'the same with an API by audience': ['entra', { scope: null, audience: 'pay' }, { scope }],
  'GitLab, which needs no "offline_access"': ['gitlab', {}],
};

test('what the doctor says of APIs, by what is known of the provider', async () => {
  const said = await describeReports(scenes, (scene) => reportOn(...scene));
  await expect(said).toMatchFileSnapshot('mistakes/apis.txt');
});
