import { describe, expect, test } from 'vitest';
import type { PresetProfile, Profile } from '../../../src/providers/profile.ts';
import { recognize } from '../../../tools/doctor/configuration.ts';
import { listErrors, printReport } from '../../../tools/doctor/print.ts';
import { toReport } from '../../../tools/doctor/report.ts';
import { describeReports, examine as examineScene, toLines } from '../../support/doctor-scene.ts';
import { issuer } from '../../support/healthy-provider.ts';

const nothingKnown = {
  registration: { console: 'Console', steps: [] },
  limits: [],
  read: '2026-11',
  facts: [],
};

function preset(
  title: string,
  settings: PresetProfile['settings'],
  pattern: RegExp | null,
  more: Partial<PresetProfile> = {},
): PresetProfile {
  const issuers = { example: '', patterns: pattern === null ? [] : [pattern], mistakes: [] };
  return { ...nothingKnown, use: 'preset', title, settings, asks: [], issuers, ...more };
}

const tenants = preset('Acme Directory', { refreshTokenSeconds: 86_400, trustedAudiences: 'any' }, null, {
  issuers: {
    example: '',
    patterns: [/^https:\/\/login\.acme\.example\/(?!common)/],
    mistakes: [{ pattern: /\/authorize$/, advice: 'That is an endpoint.' }],
  },
  registration: {
    console: 'Acme console',
    steps: ['Add {redirectUri:chrome} and {redirectUri:firefox}.', 'Allow {origin:chrome}.'],
  },
  limits: [
    { kind: 'verified-email-missing', text: 'ID tokens have no "email_verified".' },
    { kind: 'no-logout', text: 'No page ends the session at Acme.' },
  ],
  facts: [
    {
      text: 'Refresh tokens end after 24 hours.',
      date: '2026-11-22',
      source: 'https://docs.acme.example/tokens',
    },
    { text: 'ID tokens have no "email_verified".' },
  ],
});
const manyTenants = preset(
  'Acme Directory, many tenants',
  { issuerTemplate: 'https://login.acme.example/{tenantid}/v2.0', scope: 'openid email' },
  /^https:\/\/login\.acme\.example\/common/,
  { limits: [{ kind: 'scope-refused', text: 'An unknown scope is refused.' }] },
);
const refused: Profile = {
  ...nothingKnown,
  use: 'refused',
  title: 'Octo',
  refusal: 'Octo issues no ID token. Put a broker between.',
  issuers: { example: '', patterns: [/^https:\/\/octo\.example/], mistakes: [] },
};
const anywhere = preset('Self-hosted', {}, null);
const fixed = preset('One', { issuer: 'https://one.example' }, /^https:\/\/one\.example/);
const forge = /^https:\/\/forge\.example/;
const usual = preset('Forge', { issuer: 'https://forge.example' }, null, {
  issuers: { example: '', patterns: [forge], mistakes: [], isDefault: true },
});
const named = { tenants, 'many-tenants': manyTenants, refused, anywhere, fixed, usual };
const profiles = Object.entries(named).map(([name, profile]) => ({ name, profile }));

/** The doctor's report about a provider that names no page to sign out, offline unless `network` is `asked`. */
async function examine(settings: object, profileName: string | null = null, network = 'offline') {
  const document = { end_session_endpoint: undefined, claims_supported: ['sub'] };
  const more = { profileName, profiles, ...(network === 'offline' && { network: null }) };
  const { report, requests } = await examineScene({ document }, { ...settings }, more);
  return { report, requests, codes: report.findings.map(({ code }) => code) };
}

const tenant = { issuer: 'https://login.acme.example/one/v2.0' };
const complete = { ...tenant, refreshTokenSeconds: 86_400, trustedAudiences: 'any' };
const octo = { issuer: 'https://octo.example' };

test.each([
  ['https://login.acme.example/one/v2.0', null, 'tenants'],
  ['https://login.acme.example/common/v2.0', null, 'many-tenants'],
  ['https://octo.example', null, 'refused'],
  ['https://id.acme.example', 'anywhere', 'anywhere'],
  ['https://id.acme.example', null, undefined],
  ['https://id.acme.example', 'constructor', undefined],
])('%s with the profile %s is known as %s', (written, profileName, name) => {
  expect(recognize({ issuer: written }, profileName, profiles)?.name).toBe(name);
});

const own = { issuer: 'https://id.acme.example' };

/** Settings, with the name of their profile. */
const configurations: Readonly<Record<string, readonly [settings: object, profileName?: string]>> = {
  'complete settings': [complete],
  'a mistaken issuer': [{ issuer: 'https://login.acme.example/one/authorize' }],
  'an issuer that stands for many tenants, and a scope that may be refused': [
    { issuer: 'https://login.acme.example/common/v2.0' },
  ],
  '"allowed.email" at a provider that verifies none': [
    { ...complete, allowed: { email: ['ada@acme.example'] } },
  ],
  'missing settings': [tenant],
  'the same without refresh tokens': [{ ...tenant, scope: 'openid' }],
  'settings that a team has chosen over those of its profile': [
    { ...complete, trustedAudiences: ['123'] },
    'tenants',
  ],
  'a redirect URI at which another program may listen, of a provider that it does not know': [
    { ...own, firefoxRedirect: 'loopback' },
  ],
  'a provider that cannot work': [octo],
  'an issuer of another profile than its own': [tenant, 'fixed'],
  'an issuer of another profile beside one for any': [tenant, 'anywhere'],
  'an issuer that the profile does not allow': [own, 'fixed'],
  'an issuer of no other profile': [own, 'tenants'],
  'an issuer that is a host of the team': [own, 'usual'],
};

test('what the doctor says of a configuration without asking the provider', async () => {
  const said = await describeReports(configurations, async (args) => (await examine(...args)).report);
  await expect(said).toMatchFileSnapshot('mistakes/configuration.txt');
});

test.each([{}, { metadata: { userinfo_endpoint: null } }])(
  'a provider that cannot work is asked for its document alone, with the settings %j',
  async (settings) => {
    const { report, requests } = await examine({ ...octo, ...settings }, null, 'asked');
    expect(requests.every(({ url }) => url.pathname.startsWith('/.well-known/'))).toBe(true);
    expect(report.outlook).toEqual({ chrome: 'cannot-work', firefox: 'cannot-work' });
  },
);

test('an issuer that a document confirms is at most uncertain, whatever is known of its host', async () => {
  const elsewhere = { ...refused, issuers: { example: '', patterns: [/acme\.example/], mistakes: [] } };
  const profile = {
    ...tenants,
    issuers: { ...tenants.issuers, mistakes: [{ pattern: /^/, advice: 'No.' }] },
  };
  for (const one of [elsewhere, profile]) {
    const { report } = await examineScene(
      {},
      {},
      { profileName: 'one', profiles: [{ name: 'one', profile: one }] },
    );
    const found = report.findings.filter(({ code }) => /issuer-mistake|provider-refused/.test(code));
    expect(found.map(({ severity }) => severity)).toEqual(['warning']);
    expect(Object.values(report.outlook)).not.toContain('cannot-work');
  }
});

const relay = 'https://relay.acme.example';
const device_authorization_endpoint = 'https://octo.example/device';

test.each([
  { metadata: { token_endpoint: `${relay}/token` }, origins: [relay] },
  { deviceFlow: 'fallback', metadata: { device_authorization_endpoint } },
  { responseType: 'id_token', apiToken: 'id_token' },
])('a provider that cannot work by itself is asked if %j is another way', async (settings) => {
  const { report, requests } = await examine({ ...octo, ...settings }, null, 'asked');
  expect(requests).not.toEqual([]);
  expect(toLines(report)).toContainEqual(expect.stringMatching(/^note limit .*: Octo issues no ID token/));
});

test('a mistake that is known without asking is named once', async () => {
  const { report } = await examine({ issuer, allowed: { email: ['ada@acme.example'] } }, 'tenants', 'asked');
  const found = report.findings.filter(({ code }) => code === 'email-unverified');
  expect(found.map(({ severity }) => severity)).toEqual(['error']);
});

test('a scope that may be refused is not named once the provider has accepted it', async () => {
  expect((await examine({ issuer }, 'many-tenants', 'asked')).codes).not.toContain('scope');
});

test('a limit of the profile stands in place of the same finding', async () => {
  const { report } = await examine({ issuer }, 'tenants', 'asked');
  expect(report.findings.filter(({ text }) => text.includes('ends'))).toHaveLength(1);
});

describe('the offline report', () => {
  test('shows what to register, with the exact strings, and where each fact comes from', async () => {
    const { report } = await examine(complete);
    const { redirectUris, origins, steps } = report.register;
    expect(steps).toEqual([
      `Add ${redirectUris.chrome} and ${redirectUris.firefox}.`,
      `Allow ${origins.chrome}.`,
    ]);
    const text = printReport(toReport('my.json', 'offline', [report])).join('\n');
    for (const part of [
      'recognized as Acme Directory, profile "tenants"',
      "2026-11-22, read in the provider's documents: Refresh tokens end after 24 hours.",
      'https://docs.acme.example/tokens',
      '2026-11, from memory: ID tokens have no "email_verified".',
    ])
      expect(text).toContain(part);
    expect(text).not.toMatch(/will work|is right/);
  });

  test('of a provider that cannot work shows nothing to register, and its errors for other commands', async () => {
    const { report } = await examine(octo);
    const whole = toReport('my.json', 'offline', [report]);
    expect(printReport(whole).join('\n')).not.toContain('chromiumapp.org');
    expect(listErrors(whole)).toEqual([`my.json: providers[0]: ${refused.refusal}`]);
  });
});
