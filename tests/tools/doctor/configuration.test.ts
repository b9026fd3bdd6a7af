import { describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';
import { examineProvider } from '../../../tools/doctor/examine.ts';
import type { Profile } from '../../../src/providers/profile.ts';
import { isDetour, toParts } from '../../../tools/doctor/configuration.ts';
import { listErrors, printReport } from '../../../tools/doctor/print.ts';
import { recognize } from '../../../tools/doctor/recognize.ts';
import { toReport } from '../../../tools/doctor/report.ts';
import { createHealthyProvider, issuer } from '../../support/healthy-provider.ts';

const identity = { key: 'AAAA', browser_specific_settings: { gecko: { id: 'acme@acme.example' } } };
const nothingKnown = { registration: { console: 'Console', steps: [] }, limits: [], facts: [], asks: [] };

const tenants: Profile = {
  asks: [],
  use: 'preset',
  title: 'Acme Directory',
  settings: { refreshTokenSeconds: 86_400, trustedAudiences: 'any' },
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
      how: "read in the provider's documents",
      text: 'Refresh tokens end after 24 hours.',
      date: '2026-11-22',
      source: 'https://docs.acme.example/tokens',
    },
    { how: 'from memory', text: 'ID tokens have no "email_verified".', date: '2026-11' },
  ],
};
const manyTenants: Profile = {
  ...nothingKnown,
  use: 'preset',
  title: 'Acme Directory, many tenants',
  settings: { issuerTemplate: 'https://login.acme.example/{tenantid}/v2.0', scope: 'openid email' },
  issuers: { example: '', patterns: [/^https:\/\/login\.acme\.example\/common/], mistakes: [] },
  limits: [{ kind: 'scope-refused', text: 'An unknown scope is refused.' }],
};
const refused: Profile = {
  ...nothingKnown,
  use: 'refused',
  title: 'Octo',
  refusal: 'Octo issues no ID token. Put a broker between.',
  issuers: { example: '', patterns: [/^https:\/\/octo\.example/], mistakes: [] },
};
const anywhere: Profile = {
  ...nothingKnown,
  use: 'preset',
  title: 'Self-hosted',
  settings: {},
  issuers: { example: '', patterns: [], mistakes: [] },
};
const fixed: Profile = {
  ...nothingKnown,
  use: 'preset',
  title: 'One',
  settings: { issuer: 'https://one.example' },
  issuers: { example: '', patterns: [/^https:\/\/one\.example/], mistakes: [] },
};
const usual: Profile = {
  ...fixed,
  title: 'Forge',
  settings: { issuer: 'https://forge.example' },
  issuers: { example: '', patterns: [/^https:\/\/forge\.example/], mistakes: [], isDefault: true },
};
const knownProviders = { tenants, 'many-tenants': manyTenants, refused, anywhere, fixed, usual };

async function examine(settings: object, profileName: string | null = null, network = false) {
  const [provider] = readConfig({
    providers: [{ id: 'acme', name: 'Acme', clientId: 'client', ...settings }],
  }).providers;
  if (provider === undefined) throw new Error('The configuration has no provider.');
  const { fetch, requests } = createHealthyProvider({
    document: { end_session_endpoint: undefined, claims_supported: ['sub'] },
  });
  const parts = network ? { fetch, nowMs: Date.now } : null;
  const report = await examineProvider({
    provider,
    profileName,
    identity,
    edgeId: null,
    knownProviders,
    network: parts,
  });
  return { report, requests };
}

const tenant = { issuer: 'https://login.acme.example/one/v2.0' };
const complete = { ...tenant, refreshTokenSeconds: 86_400, trustedAudiences: 'any' };

describe('recognize', () => {
  test.each([
    ['https://login.acme.example/one/v2.0', null, 'tenants'],
    ['https://login.acme.example/common/v2.0', null, 'many-tenants'],
    ['https://octo.example', null, 'refused'],
    ['https://id.acme.example', 'anywhere', 'anywhere'],
    ['https://id.acme.example', null, undefined],
    ['https://id.acme.example', 'constructor', undefined],
  ])('knows %s with the profile %s as %s', (written, profileName, name) => {
    expect(recognize({ issuer: written }, profileName, knownProviders)?.name).toBe(name);
  });
});

const codeFlow = { responseType: 'code', userApi: null, deviceFlow: 'off', metadata: null } as const;

test.each([
  ['the code flow', {}, ['id-token', 'code', 'window']],
  ['an ID token from the page', { responseType: 'id_token' }, ['id-token', 'window']],
  ['plain OAuth 2', { userApi: {} }, ['code', 'window']],
  ['a device flow in place of the window', { deviceFlow: 'only' }, ['id-token']],
  ['a device flow beside the window', { deviceFlow: 'fallback' }, ['id-token', 'code', 'window']],
] as const)('%s has the parts that the doctor checks', (_flow, settings, parts) => {
  expect(toParts({ ...codeFlow, ...settings })).toEqual(parts);
});

test.each([
  [{}, false],
  [{ metadata: { userinfo_endpoint: null } }, false],
  [{ metadata: { token_endpoint: 'https://relay.acme.example/token/acme' } }, true],
  [{ deviceFlow: 'fallback' }, true],
  [{ responseType: 'id_token' }, true],
] as const)('%j is another way than the code flow at the provider: %s', (settings, detour) => {
  expect(isDetour({ ...codeFlow, ...settings })).toBe(detour);
});

describe('without asking the provider, the doctor recognizes', () => {
  test.each([
    [
      'a mistaken issuer',
      { issuer: 'https://login.acme.example/one/authorize' },
      { code: 'issuer-mistake', severity: 'error', remedy: 'That is an endpoint.' },
    ],
    [
      'an issuer that stands for many tenants',
      { issuer: 'https://login.acme.example/common/v2.0' },
      {
        code: 'issuer-template',
        severity: 'error',
        remedy: expect.stringContaining('profile "many-tenants"'),
      },
    ],
    [
      '"allowed.email" at a provider that verifies none',
      { ...complete, allowed: { email: ['ada@acme.example'] } },
      { code: 'email-unverified', severity: 'error' },
    ],
    [
      'a missing "refreshTokenSeconds"',
      tenant,
      {
        code: 'refresh-token-seconds',
        severity: 'warning',
        remedy: expect.stringContaining('"refreshTokenSeconds": 86400'),
      },
    ],
    [
      'other missing settings',
      tenant,
      {
        code: 'profile-settings',
        severity: 'warning',
        text: expect.stringContaining('"trustedAudiences": "any"'),
        remedy: 'Add "profile": "tenants" or these settings.',
      },
    ],
    [
      'a scope that may be refused',
      { issuer: 'https://login.acme.example/common/v2.0' },
      { code: 'scope', severity: 'warning', text: expect.stringContaining('"profile", "offline_access"') },
    ],
    [
      'a redirect URI at which another program may listen, of a provider that it does not know',
      { issuer: 'https://id.acme.example', firefoxRedirect: 'loopback' },
      { code: 'loopback-redirect', severity: 'warning', targets: 'all' },
    ],
    [
      'a provider that cannot work',
      { issuer: 'https://octo.example' },
      { code: 'provider-refused', severity: 'error', text: refused.refusal },
    ],
  ])('%s', async (_mistake, settings, finding) => {
    const { report } = await examine(settings);
    expect(report.findings).toContainEqual(expect.objectContaining(finding));
  });

  test.each([
    ['of another profile', 'fixed', tenant, 'That is an issuer of Acme Directory: use "profile": "tenants".'],
    [
      'of another profile',
      'anywhere',
      tenant,
      'That is an issuer of Acme Directory: use "profile": "tenants".',
    ],
    [
      'of no profile',
      'fixed',
      { issuer: 'https://id.acme.example' },
      'The profile allows only "https://one.example".',
    ],
  ])('an issuer %s beside the profile "%s"', async (_whose, profileName, settings, remedy) => {
    const { report } = await examine(settings, profileName);
    const mistakes = report.findings.filter(({ code }) => code === 'issuer-mistake');
    expect(mistakes).toMatchObject([{ severity: 'error', remedy }]);
  });

  test.each([
    ['of no other profile', 'tenants'],
    ['of a host of the team', 'usual'],
  ])('no mistake in an issuer %s', async (_whose, profileName) => {
    const { report } = await examine({ issuer: 'https://id.acme.example' }, profileName);
    expect(report.findings.map(({ code }) => code)).not.toContain('issuer-mistake');
  });

  test('no mistake in complete settings', async () => {
    const { report } = await examine(complete);
    expect(report.findings.filter(({ severity }) => severity !== 'note')).toEqual([]);
  });

  test('no lifetime of refresh tokens that the configuration does not ask for', async () => {
    const { report } = await examine({ ...tenant, scope: 'openid' });
    expect(report.findings.map(({ code }) => code)).not.toContain('refresh-token-seconds');
  });

  test('no settings that a team has chosen over those of its profile', async () => {
    const { report } = await examine({ ...complete, trustedAudiences: ['123'] }, 'tenants');
    expect(report.findings.map(({ code }) => code)).not.toContain('profile-settings');
  });
});

test('a provider that cannot work is not asked', async () => {
  const { report, requests } = await examine({ issuer: 'https://octo.example' }, null, true);
  expect(requests).toEqual([]);
  expect(report.outlook).toEqual({ chrome: 'cannot-work', firefox: 'cannot-work' });
});

test('a provider that cannot work by itself is asked if a relay stands in for it', async () => {
  const metadata = { token_endpoint: 'https://relay.acme.example/token' };
  const origins = ['https://relay.acme.example'];
  const { report, requests } = await examine(
    { issuer: 'https://octo.example', metadata, origins },
    null,
    true,
  );
  expect(requests).not.toEqual([]);
  expect(report.findings).toContainEqual(expect.objectContaining({ code: 'limit', text: refused.refusal }));
});

test('a mistake that is known without asking is named once', async () => {
  const settings = { issuer, allowed: { email: ['ada@acme.example'] } };
  const { report } = await examine(settings, 'tenants', true);
  expect(report.findings.filter(({ code }) => code === 'email-unverified')).toEqual([
    expect.objectContaining({ severity: 'error' }),
  ]);
});

test('a scope that may be refused is not named once the provider has accepted it', async () => {
  const { report } = await examine({ issuer }, 'many-tenants', true);
  expect(report.findings.map(({ code }) => code)).not.toContain('scope');
});

test('a limit of the profile stands in place of the same finding', async () => {
  const { report } = await examine({ issuer }, 'tenants', true);
  expect(report.findings.filter(({ text }) => text.includes('ends'))).toHaveLength(1);
});

describe('the offline report', () => {
  test('shows what to register, with the exact strings, and where each fact comes from', async () => {
    const { report } = await examine(complete);
    const { chrome } = report.register.redirectUris;
    expect(report.register.steps).toEqual([
      `Add ${chrome} and ${report.register.redirectUris.firefox}.`,
      `Allow ${report.register.origins.chrome}.`,
    ]);
    const text = printReport(toReport('my.json', 'offline', [report])).join('\n');
    expect(text).toContain('recognized as Acme Directory, profile "tenants"');
    expect(text).toContain(
      "2026-11-22, read in the provider's documents: Refresh tokens end after 24 hours.",
    );
    expect(text).toContain('https://docs.acme.example/tokens');
    expect(text).toContain('2026-11, from memory: ID tokens have no "email_verified".');
    expect(text).not.toMatch(/will work|is right/);
  });

  test('shows nothing to register at a provider that cannot work', async () => {
    const { report } = await examine({ issuer: 'https://octo.example' });
    const text = printReport(toReport('my.json', 'offline', [report])).join('\n');
    expect(text).not.toContain('chromiumapp.org');
  });

  test('lists its errors for other commands, with their place in the configuration', async () => {
    const { report } = await examine({ issuer: 'https://octo.example' });
    expect(listErrors(toReport('my.json', 'offline', [report]))).toEqual([
      `my.json: providers[0]: ${refused.refusal}`,
    ]);
  });
});
