// The shapes of Microsoft's providers: one resource host apart, an issuer of each tenant, an `Origin` that must be there.

import { toDocument } from '../document.ts';
import { byPermission } from '../purpose.ts';
import type { Outcome, Shape } from '../shape.ts';

const tenant = '11111111-2222-4333-8444-555555555555';
const consumers = '9188040d-6c67-4c5b-b112-36a304b66dad';

const fromMemory = { url: null, date: '2026-11-22' };

const endpoints = {
  authorize: '/oauth2/v2.0/authorize',
  token: '/oauth2/v2.0/token',
  keys: '/discovery/v2.0/keys',
  userInfo: 'https://graph.microsoft.com/oidc/userinfo',
  logout: '/oauth2/v2.0/logout',
};

const day: Partial<Outcome> = { revocation: 'unsupported', refreshTokenSeconds: 86_400 };

const withoutVerified = { tid: tenant, email_verified: undefined };

function entraOf(path: string, issuer: string) {
  return toDocument(issuer, `https://login.microsoftonline.com/${path}`, endpoints);
}

export const microsoft: readonly Shape[] = [
  {
    profile: 'entra',
    team: { issuer: `https://login.microsoftonline.com/${tenant}/v2.0` },
    source: fromMemory,
    document: entraOf(tenant, `https://login.microsoftonline.com/${tenant}/v2.0`),
    claims: withoutVerified,
    origin: 'required',
    expected: day,
    purpose: byPermission,
  },
  {
    profile: 'entra-organizations',
    team: {},
    source: { url: 'https://github.com/panva/openid-client/issues/893', date: '2026-09' },
    discoveryUrl: 'https://login.microsoftonline.com/organizations/v2.0/.well-known/openid-configuration',
    document: entraOf('organizations', 'https://login.microsoftonline.com/{tenantid}/v2.0'),
    tokenIssuer: `https://login.microsoftonline.com/${tenant}/v2.0`,
    claims: withoutVerified,
    keyMembers: { issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0' },
    origin: 'required',
    expected: day,
    purpose: byPermission,
  },
  {
    profile: 'entra-common',
    team: {},
    source: { url: 'https://github.com/panva/openid-client/issues/893', date: '2026-09' },
    discoveryUrl: 'https://login.microsoftonline.com/common/v2.0/.well-known/openid-configuration',
    document: entraOf('common', 'https://login.microsoftonline.com/{tenantid}/v2.0'),
    tokenIssuer: `https://login.microsoftonline.com/${consumers}/v2.0`,
    claims: { tid: consumers, email_verified: undefined },
    keyMembers: { issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0' },
    origin: 'required',
    expected: day,
    purpose: byPermission,
  },
  {
    profile: 'entra-consumers',
    team: {},
    source: fromMemory,
    document: entraOf(consumers, `https://login.microsoftonline.com/${consumers}/v2.0`),
    claims: { tid: consumers, email_verified: undefined },
    origin: 'required',
    expected: day,
    purpose: byPermission,
  },
  {
    profile: 'entra-external-id',
    team: {
      issuer: `https://${tenant}.ciamlogin.com/${tenant}/v2.0`,
      discoveryUrl: `https://contoso.ciamlogin.com/${tenant}/v2.0/.well-known/openid-configuration`,
      origins: ['https://contoso.ciamlogin.com', 'https://graph.microsoft.com'],
    },
    source: {
      url: 'https://github.com/AzureAD/microsoft-authentication-library-for-js/pull/8595',
      date: '2026-11-22',
    },
    discoveryUrl: `https://contoso.ciamlogin.com/${tenant}/v2.0/.well-known/openid-configuration`,
    document: toDocument(
      `https://${tenant}.ciamlogin.com/${tenant}/v2.0`,
      `https://contoso.ciamlogin.com/${tenant}`,
      endpoints,
    ),
    claims: withoutVerified,
    origin: 'required',
    expected: day,
    // The team replaced it, because its discovery document is on another host.
    idleSettings: ['origins'],
    purpose: byPermission,
  },
  {
    profile: 'azure-b2c',
    team: {
      issuer: `https://contoso.b2clogin.com/${tenant}/v2.0/`,
      discoveryUrl:
        'https://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1_signin/v2.0/.well-known/openid-configuration',
      scope: 'openid offline_access client-1',
    },
    source: {
      url: 'https://learn.microsoft.com/azure/active-directory-b2c/tokens-overview',
      date: '2026-11-22',
    },
    discoveryUrl:
      'https://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1_signin/v2.0/.well-known/openid-configuration',
    document: toDocument(
      `https://contoso.b2clogin.com/${tenant}/v2.0/`,
      'https://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1_signin',
      {
        authorize: '/oauth2/v2.0/authorize',
        token: '/oauth2/v2.0/token',
        keys: '/discovery/v2.0/keys',
        logout: '/oauth2/v2.0/logout',
      },
    ),
    claims: { emails: ['ada@example.com'], email: undefined, email_verified: undefined },
    grantsAccess: (sent) => sent.get('scope')?.includes('client-1') ?? false,
    origin: 'required',
    prompts: ['none', 'login'],
    expected: { ...day, userInfo: 'none' },
    oneApplication: true,
  },
];
