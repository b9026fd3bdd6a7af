// A managed policy is read by the rules of the configuration, and stays within the hosts of the build.

import { describe, expect, test } from 'vitest';
import { allRules } from '../../src/config/config.ts';
import { readPolicy, type Policy } from '../../src/config/policy.ts';
import { describeOutcomes } from '../support/outcomes.ts';
import { readConfig } from '../support/samples.ts';

const userApi = { url: 'https://plain.example/me', subject: 'id', email: 'email', emailVerified: 'verified' };

const built = readConfig({
  providers: [
    {
      id: 'acme',
      name: 'Acme',
      issuer: 'https://id.acme.example/all',
      clientId: 'built',
      apiOrigins: ['https://api.acme.example'],
      allowed: { hd: ['acme.example', 'acme.test'] },
    },
    {
      id: 'other',
      name: 'Other',
      issuer: 'https://id.other.example',
      clientId: 'other',
      origins: ['https://token.other.example'],
      metadata: { authorization_endpoint: 'https://www.other.example/sign-in' },
    },
    { id: 'free', name: 'Free', issuer: 'https://id.acme.example/free', clientId: 'free' },
    {
      id: 'plain',
      name: 'Plain',
      issuer: 'https://plain.example',
      clientId: 'plain',
      scope: '',
      allowed: { email: ['ada@acme.example'] },
      metadata: {
        authorization_endpoint: 'https://plain.example/sign-in',
        token_endpoint: 'https://plain.example/token',
      },
      userApi,
    },
  ],
  policyOrigins: ['https://tenant.example'],
});

function problemsOf(json: unknown): readonly string[] {
  const reading = readPolicy(json, built, allRules);
  return reading.outcome === 'refused' ? reading.problems : [];
}

function read(json: unknown): Policy {
  const reading = readPolicy(json, built, allRules);
  if (reading.outcome === 'refused') throw new Error(reading.problems.join('\n'));
  return reading.policy;
}

const policy = (provider: object, more: object = {}) => ({ version: 1, providers: [provider], ...more });

describe('a policy', () => {
  test('leaves everything as built that it does not name', () => {
    expect(read({ version: 1, providers: [] })).toEqual({
      providers: built.providers,
      persistence: 'device',
      managedBy: null,
      autoSignIn: 'off',
      rememberAccounts: true,
    });
  });

  test('replaces the settings that it names, and puts its providers first', () => {
    const { providers } = read(policy({ id: 'other', clientId: 'tenant', scope: 'openid' }));
    expect(providers.map(({ id }) => id)).toEqual(['other', 'acme', 'free', 'plain']);
    expect(providers[0]).toEqual({ ...built.providers[1], clientId: 'tenant', scope: 'openid' });
  });

  test('with "locked" leaves only its own providers, which it may move to another tenant of the host', () => {
    const issuer = 'https://id.acme.example/one';
    const more = { locked: true, persistence: 'browser', managedBy: 'Acme IT' };
    expect(read(policy({ id: 'acme', issuer }, more))).toEqual({
      providers: [{ ...built.providers[0], issuer }],
      persistence: 'browser',
      managedBy: 'Acme IT',
      autoSignIn: 'off',
      rememberAccounts: true,
    });
  });

  test('may bring a provider on a host of "policyOrigins"', () => {
    const tenant = { id: 'tenant', name: 'Tenant', issuer: 'https://tenant.example/a', clientId: 'c' };
    expect(read(policy(tenant)).providers[0]).toMatchObject({ ...tenant, dpop: 'off' });
  });

  test('may change a provider with an icon, which the popup has by its id', () => {
    const [acme] = built.providers;
    const own = { ...built, providers: [{ ...acme!, icon: 'src/icons/acme.svg' }] };
    expect(readPolicy(policy({ id: 'acme', name: 'Own' }), own, allRules)).toMatchObject({
      policy: { providers: [{ id: 'acme', name: 'Own' }] },
    });
  });

  test('leaves the claims that the feature gets as built, and adds none', () => {
    const [acme, ...others] = built.providers;
    const own = { ...built, providers: [{ ...acme!, profileClaims: ['roles'] }, ...others] };
    const readOwn = (provider: object) => readPolicy(policy(provider), own, allRules);
    expect(readOwn({ id: 'acme', name: 'Own' })).toMatchObject({
      policy: { providers: [{ id: 'acme', profileClaims: ['roles'] }, {}, {}, {}] },
    });
    expect(readOwn({ id: 'free', name: 'Own' })).toMatchObject({
      policy: { providers: [{ id: 'free' }, { id: 'acme', profileClaims: ['roles'] }, {}, {}] },
    });
    expect(readOwn({ id: 'acme', profileClaims: ['roles', 'ssn'] })).toMatchObject({
      problems: [expect.stringContaining('expected no claims, because only the build')],
    });
  });

  test('names no key that it may not have when it does not know one', () => {
    const [problem = ''] = problemsOf(policy({ id: 'acme', aKeyOfNothing: 'x' }));
    expect(problem).toMatch(/unknown key; expected one of "id", "name", "issuer",/);
    expect(problem).not.toContain('"profileClaims"');
  });

  test('narrows who may sign in, and never lets in anyone the build excludes', () => {
    const allowed = (own: object) => read(policy({ id: 'acme', allowed: own })).providers[0]?.allowed;
    const groups = ['staff'];
    expect(allowed({ hd: ['acme.test', 'ACME.example', 'elsewhere.example'], groups })).toEqual({
      hd: ['acme.test'],
      groups,
    });
    expect(allowed({ groups })).toEqual({ hd: ['acme.example', 'acme.test'], groups });
    const email = ['Ada@Acme.example', 'bob@acme.example'];
    expect(read(policy({ id: 'plain', allowed: { email } })).providers[0]?.allowed).toEqual({
      email: ['ada@acme.example'],
    });
  });

  test('may not choose who answers for an issuer at which the build decides who may sign in', () => {
    const tenant = 'https://tenant.example';
    const discoveryUrl = `${tenant}/.well-known/openid-configuration`;
    const metadata = { jwks_uri: `${tenant}/keys`, token_endpoint: `${tenant}/token` };
    const { issuer } = built.providers[0]!;
    const renamed = { id: 'renamed', name: 'Acme', issuer, clientId: 'own' };
    const told = (setting: string) =>
      `providers[0].${setting}: found the host "${tenant}"; expected one that the build names for this provider, because of its "allowed"`;
    const origins = [tenant];
    for (const named of [{ id: 'acme' }, renamed]) {
      const provider = { ...named, origins };
      const moved = [told('metadata.token_endpoint'), told('metadata.jwks_uri')];
      expect(problemsOf(policy({ ...provider, metadata }))).toEqual(moved);
      expect(problemsOf(policy({ ...provider, discoveryUrl }))).toEqual([told('discoveryUrl')]);
      // The issuer's own document may name hosts there.
      expect(problemsOf(policy(provider))).toEqual([]);
    }
    expect(problemsOf(policy({ id: 'acme', name: 'Own' }))).toEqual([]);
    expect(problemsOf(policy({ id: 'free', metadata, origins }))).toEqual([]);
  });

  test('narrows who may sign in at an issuer of the build under another id too', () => {
    const renamed = { id: 'renamed', name: 'Acme', issuer: 'https://id.acme.example/all', clientId: 'own' };
    const allowed = { hd: ['acme.test', 'elsewhere.example'] };
    expect(read(policy(renamed)).providers[0]).toMatchObject({
      allowed: built.providers[0]?.allowed,
      apiOrigins: [],
    });
    expect(read(policy({ ...renamed, allowed })).providers[0]?.allowed).toEqual({ hd: ['acme.test'] });
  });

  const tenant = (id: string) => `https://tenants.example/${id}/v2.0`;
  const [issuer, anyTenant] = [tenant('common'), tenant('{tenantid}')];
  const [contoso, fabrikam] = [
    tenant('11111111-2222-3333-4444-555555555555'),
    tenant('99999999-aaaa-bbbb-cccc-dddddddddddd'),
  ];

  test.each<[string, object, object]>([
    ['for one tenant of the build', { issuerTemplate: anyTenant }, { issuer: contoso }],
    ['for all tenants, of which the build has one', { issuer: contoso }, { issuerTemplate: anyTenant }],
    [
      'for the tenants of the build, found elsewhere',
      { issuerTemplate: anyTenant },
      { issuer: tenant('organizations'), issuerTemplate: anyTenant },
    ],
  ])('narrows who may sign in %s, under another id too', (_title, own, given) => {
    const entra = { name: 'Entra', clientId: 'c', issuer };
    const several = readConfig({
      providers: [{ id: 'entra', allowed: { groups: ['staff'] }, ...entra, ...own }],
      policyOrigins: ['https://tenants.example'],
    });
    const reading = readPolicy(policy({ id: 'new', ...entra, ...given }), several, allRules);
    expect(reading).toMatchObject({ policy: { providers: [{ allowed: { groups: ['staff'] } }, {}] } });
    const elsewhere = readPolicy(policy({ id: 'new', ...entra, issuer: fabrikam }), several, allRules);
    const isCovered = 'issuerTemplate' in own;
    expect(elsewhere).toMatchObject({
      policy: { providers: [{ allowed: isCovered ? { groups: ['staff'] } : {} }, {}] },
    });
  });

  test('is narrowed by the provider with its issuer and client, or else by the first with its issuer', () => {
    const of = (id: string, clientId: string) => ({ id, name: 'Acme', issuer: contoso, clientId });
    const [one, other] = [{ groups: ['one'] }, { groups: ['other'] }];
    const several = readConfig({
      providers: [
        { ...of('one', 'c1'), allowed: one },
        { ...of('other', 'c2'), allowed: other },
      ],
    });
    const allowedFor = (clientId: string) =>
      readPolicy(policy(of('new', clientId)), several, allRules) as { policy?: Policy };
    expect(allowedFor('c2').policy?.providers[0]?.allowed).toEqual(other);
    expect(allowedFor('c3').policy?.providers[0]?.allowed).toEqual(one);
  });

  const [left, right] = [fabrikam, contoso].map((one) => one.split('/')[3]);
  const endpoints = {
    authorization_endpoint: 'https://sign-in.example/staff',
    token_endpoint: 'https://tenants.example/staff/token',
  };
  const plain = { scope: '', metadata: endpoints, userApi: { url: tenant('me'), subject: 'id' } };
  const ofPartners = { issuer: tenant('partners') };
  const allTenants = { issuer, issuerTemplate: anyTenant };

  test.each<[string, object, object, object, string]>([
    ['a template for its tenant', { issuer: contoso }, { issuer: fabrikam }, allTenants, 'issuerTemplate'],
    ['the template that it has too', { issuer: contoso }, allTenants, allTenants, 'issuerTemplate'],
    [
      'a template under a new id',
      { issuer: contoso },
      { issuer: fabrikam },
      { ...allTenants, id: 'new', name: 'New', clientId: 'c' },
      'issuerTemplate',
    ],
    ['one of its tenants', ofPartners, allTenants, { issuer: contoso }, 'id'],
    ['its issuer, which the template beside it hid', allTenants, { issuer }, { issuerTemplate: null }, 'id'],
    [
      'a template for another part of its path',
      ofPartners,
      { issuer, issuerTemplate: `https://tenants.example/${left}/{tenantid}` },
      { issuer: tenant('own'), issuerTemplate: `https://tenants.example/{tenantid}/${right}` },
      'issuerTemplate',
    ],
    ['its client', { issuer }, { issuer, clientId: 'limited' }, { clientId: 'limited' }, 'id'],
    ['a user API on its host', ofPartners, { issuer: tenant('staff') }, plain, 'userApi'],
    [
      'ID tokens where it has a user API',
      ofPartners,
      { issuer: tenant('staff'), ...plain },
      { issuer: tenant('oidc') },
      'id',
    ],
    [
      'its issuer and ID tokens in place of a user API',
      { ...ofPartners, ...plain },
      ofPartners,
      { scope: 'openid', metadata: null, userApi: null },
      'userApi',
    ],
  ])(
    'may not get around the "allowed" of another provider with %s',
    (_title, free, limited, given, setting) => {
      const of = { name: 'Entra', clientId: 'c' };
      const several = readConfig({
        providers: [
          { ...of, id: 'free', ...free },
          { ...of, id: 'limited', ...(limited as { issuer: string }), allowed: { groups: ['staff'] } },
        ],
        policyOrigins: ['https://tenants.example', 'https://sign-in.example'],
      });
      expect(readPolicy(policy({ id: 'free', ...given }), several, allRules)).toMatchObject({
        problems: [`providers[0].${setting}: expected the value of the build, because of its "allowed"`],
      });
    },
  );

  test('may change a provider whose tenant a template of the build covers', () => {
    const of = { name: 'Entra', clientId: 'c' };
    const providers = [
      { ...of, id: 'acme', issuer: contoso },
      { ...of, id: 'all', issuer, issuerTemplate: anyTenant, allowed: { groups: ['staff'] } },
    ];
    for (const change of [{ clientId: 'own' }, { name: 'Own' }, { issuer: tenant('own') }]) {
      const changed = policy({ id: 'acme', ...change });
      expect(readPolicy(changed, readConfig({ providers }), allRules).outcome).toBe('read');
    }
  });

  test('may repeat the user API of the build, and name any where everyone may sign in', () => {
    expect(read(policy({ id: 'plain', userApi })).providers[0]?.userApi).toMatchObject(userApi);
    const { metadata } = built.providers[3]!;
    const own = { ...userApi, url: 'https://tenant.example/me', email: 'mail' };
    const provider = { id: 'new', name: 'New', issuer: 'https://tenant.example', clientId: 'c', scope: '' };
    const moved = JSON.parse(JSON.stringify(metadata).replaceAll('plain.', 'tenant.')) as object;
    const { providers } = read(policy({ ...provider, metadata: moved, userApi: own }));
    expect(providers[0]?.userApi).toMatchObject(own);
  });

  test('may use each host that the build names for the provider, and the APIs of all', () => {
    const metadata = {
      authorization_endpoint: 'https://www.other.example/other-page',
      token_endpoint: 'https://token.other.example/t',
      end_session_endpoint: 'https://tenant.example/out',
    };
    const origins = ['https://token.other.example'];
    const apiOrigins = ['https://api.acme.example'];
    const { providers } = read(policy({ id: 'other', metadata, origins, apiOrigins }));
    expect(providers[0]).toMatchObject({ metadata, origins, apiOrigins });
  });

  test('may be one text of JSON', () => {
    const text = JSON.stringify(policy({ id: 'acme', trustedAudiences: 'any' }, { locked: true }));
    expect(read({ version: 1, json: text }).providers).toMatchObject([
      { id: 'acme', trustedAudiences: 'any' },
    ]);
  });
});

const [evil, ofAcme, ofApi] = ['https://evil.example', 'https://id.acme.example', 'https://api.acme.example'];
const withNone = (more: object) => ({ version: 1, providers: [], ...more });
const ofOther = 'https://id.other.example';

const withoutEndpoint = { deviceFlow: 'only', metadata: { device_authorization_endpoint: null } };
const newProvider = { id: 'new', name: 'New', clientId: 'c' };
const onApi = {
  scope: '',
  apiOrigins: [ofApi],
  userApi: { url: `${ofApi}/me`, subject: 'id' },
  metadata: { authorization_endpoint: `${ofOther}/a`, token_endpoint: `${ofOther}/t` },
};

/** A provider with each kind of address on this host. */
const onHost = (host: string) => ({
  id: 'other',
  issuer: `${host}/tenant`,
  issuerTemplate: `${host}/{tenantid}`,
  discoveryUrl: `${host}/d`,
  origins: [host],
  metadata: {
    authorization_endpoint: `${host}/a`,
    token_endpoint: `${host}/t`,
    end_session_endpoint: `${host}/e`,
  },
  apiOrigins: [host],
  apis: [{ origins: [`${host}:444`], audience: 'other' }],
});

const refusedPolicies: Readonly<Record<string, unknown>> = {
  nothing: null,
  'another version': withNone({ version: 2 }),
  'no list': { version: 1, locked: true },
  'a lock without a provider': withNone({ locked: true }),
  'an unknown key': withNone({ lockd: true }),
  'a provider that is a text': { version: 1, providers: ['acme'] },
  'a lock that is a text': withNone({ locked: 'yes' }),
  'a client secret': policy({ id: 'acme', clientSecret: 'hunter2' }),
  'a profile': policy({ id: 'acme', profile: 'entra' }),
  'an icon': policy({ id: 'acme', icon: 'src/icons/acme.svg' }),
  'an issuer on a host without a permission': policy({ id: 'acme', issuer: evil }),
  'another provider on a host of the build': policy({ ...newProvider, issuer: `${ofAcme}/one` }),
  'an issuer of the build under the id of another provider, whose rules would take the place of its own':
    policy({ id: 'free', issuer: 'https://id.acme.example/all' }),
  'an issuer that is no text': policy({ ...newProvider, issuer: 7 }),
  'another member for the e-mail by which the build decides who may sign in': policy({
    id: 'plain',
    userApi: { ...userApi, email: 'nickname' },
  }),
  'the same under another id': policy({
    ...built.providers[3],
    id: 'renamed',
    userApi: { ...userApi, subject: 'nickname' },
  }),
  'a user API on the host of an API': policy({ id: 'other', ...onApi }),
  'half a provider': policy({ id: 'new', issuer: 'https://tenant.example', clientId: 'c' }),
  'values of a claim that the build excludes': policy({ id: 'acme', allowed: { hd: ['elsewhere.example'] } }),
  'rules that are no object': policy({ id: 'acme', allowed: ['x'] }),
  'a name in two lines': withNone({ managedBy: 'a\nb' }),
  'a name with a space before it': withNone({ managedBy: ' Acme' }),
  'a text that is not JSON': { version: 1, json: '{"version":' },
  'a list with a text of JSON': { version: 1, json: [JSON.stringify(withNone({}))] },
  'a text beside other keys': { version: 1, json: '{}', locked: true },
  'a text without the version, which a browser would keep that leaves the text out': {
    json: JSON.stringify(policy({ id: 'acme' })),
  },
  'addresses on a host without a permission': policy(onHost(evil)),
  'addresses on a host of another provider': policy(onHost(ofAcme)),
  'addresses on a host of an API, which may be that of another provider': policy(onHost(ofApi)),
  'a device flow without its endpoint, as in a configuration': policy({ id: 'acme', ...withoutEndpoint }),
};

test('each line that a refused policy is told, without a secret in it', async () => {
  const cases = Object.entries(refusedPolicies).map(
    ([what, json]) => [what, () => problemsOf(json)] as const,
  );
  const lines = describeOutcomes(Object.fromEntries(cases));
  expect(lines).not.toContain('hunter2');
  await expect(lines).toMatchFileSnapshot('policy.txt');
});

const openId = { ...built, providers: built.providers.slice(0, 2) };

const ofUserApi = { url: `${ofOther}/me`, subject: 'id', headers: { Cookie: 'a' } };

test.each<[string, string, object]>([
  ['the user API', 'userApi', { scope: '', acrValues: 'a', userApi: ofUserApi }],
  ['the ID token in the redirect', 'responseType', { responseType: 'id_token', dpop: 'auto' }],
  ['a sign-in with a code', 'deviceFlow', withoutEndpoint],
])('a build without %s refuses it, also without the rules for it', (_part, setting, settings) => {
  const reading = readPolicy(policy({ id: 'other', ...settings }), { ...openId, policyOrigins: [] }, []);
  const told = `providers[0].${setting}: expected a setting that this build includes`;
  expect(reading).toEqual({ outcome: 'refused', problems: [expect.stringContaining(told)] });
});

test('a policy may use a part of the build at any of its providers', () => {
  const [acme, other] = openId.providers;
  const own = {
    ...openId,
    providers: [{ ...acme!, deviceFlow: 'only' as const }, other!],
    policyOrigins: [],
  };
  expect(readPolicy(policy({ id: 'other', deviceFlow: 'only' }), own, allRules).outcome).toBe('read');
});

test('a policy decides on sign-ins without a click and on how long sessions last, or else the build does', () => {
  const own = { ...built, autoSignIn: 'popup', persistence: 'browser', rememberAccounts: false } as const;
  const readOwn = (more: object) => readPolicy(policy({ id: 'acme' }, more), own, allRules);
  expect(readOwn({})).toMatchObject({
    policy: { autoSignIn: 'popup', persistence: 'browser', rememberAccounts: false },
  });
  for (const autoSignIn of ['off', 'popup', 'startup']) {
    const more = { autoSignIn, persistence: 'device', rememberAccounts: true };
    expect(readOwn(more)).toMatchObject({ policy: more });
  }
});

test('a policy cannot sign people in without a click at a provider of plain OAuth, where that of the build has no effect', () => {
  const own = { ...built, autoSignIn: 'popup' } as const;
  expect(readPolicy(policy({ id: 'plain' }), own, allRules).outcome).toBe('read');
  expect(problemsOf(policy({ id: 'plain' }, { autoSignIn: 'startup' }))).toEqual([
    'autoSignIn: found "startup"; expected "off", because with its "userApi" the first provider has no silent sign-in',
  ]);
});

test('the configuration of a build reads as itself, so that a policy can be laid over it', () => {
  expect(readConfig({ providers: built.providers }).providers).toEqual(built.providers);
});
