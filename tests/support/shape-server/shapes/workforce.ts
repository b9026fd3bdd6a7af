// The shapes of services and servers with which a company signs in its own people. Microsoft's have a separate resource host,
// an issuer for each tenant, and need an `Origin`.

import { ofOne, ofTeam, refuse, toDocument } from '../document.ts';
import { byPermission } from '../purpose.ts';
import type { Shape } from '../shape.ts';

const tenant = '11111111-2222-4333-8444-555555555555';
const consumers = '9188040d-6c67-4c5b-b112-36a304b66dad';

const graph = { userInfo: 'https://graph.microsoft.com' };
const login = 'https://login.microsoftonline.com';

/** The e-mail address is one for contact. Without the scope "profile", nothing names the user as they sign in. */
const withoutVerified = { tid: tenant, email: 'ada@contact.example', email_verified: undefined };
/** For the e-mail address it answers AADSTS50058: https://github.com/SharePoint/sp-dev-docs/issues/3147 */
const loginHints = ['ada@example.com', null];

/** https://github.com/ramosbugs/oauth2-rs/issues/303, with the members of https://github.com/umijs/umi-request/issues/299 */
const refusal = refuse(
  400,
  'invalid_grant',
  'AADSTS700081: The refresh token has expired or is invalid due to sign-in frequency checks.\r\nTrace ID: 0',
  { error_codes: [700_081], timestamp: '2026-11-02 09:41:00Z', trace_id: '0', correlation_id: '0' },
);

/** Entra for the people of `path`. The one who signs in belongs to the tenant `tid`. */
function entraOf(
  profile: string,
  path: string,
  tid: string,
  differences: Partial<Shape> = {},
  issuer = `${login}/${path}/v2.0`,
): Shape {
  return ofOne(profile, issuer, ['logout'], {
    elsewhere: { ...graph, all: `${login}/${path}` },
    claims: { ...withoutVerified, tid },
    origin: 'required',
    purpose: byPermission,
    loginHints,
    refusal,
    ...differences,
  });
}

/** Entra for many tenants: its document names none of them, and each ID token and key the one that it is from. */
function entraOfMany(profile: string, path: string, tid: string): Shape {
  const issuer = `${login}/{tenantid}/v2.0`;
  const differences = {
    discoveryUrl: `${login}/${path}/v2.0/.well-known/openid-configuration`,
    tokenIssuer: `${login}/${tid}/v2.0`,
    keyMembers: { issuer },
  };
  return entraOf(profile, path, tid, differences, issuer);
}

/** It has no UserInfo. */
const { userinfo_endpoint: _none, ...b2c } = toDocument(`https://contoso.b2clogin.com/${tenant}/v2.0/`, [
  'logout',
]);

export const workforce: readonly Shape[] = [
  ofTeam('jumpcloud', 'https://oauth.id.jumpcloud.com/', ['revoke', 'logout'], {
    // As at Ory, whose Hydra seems to be behind it.
    claims: { aud: ['client-1'] },
    response: { token_type: 'bearer' },
    prompts: ['none', 'login', 'consent'],
    logout: { required: ['id_token_hint', 'post_logout_redirect_uri'], repeatsState: true },
  }),
  ofTeam('onelogin', 'https://acme.onelogin.com/oidc/2', ['revoke', 'logout'], {
    // https://github.com/onelogin/onelogin-oidc-node/issues/7
    refusesIdTokenHint: true,
    // https://github.com/auth0/node-jwks-rsa/issues/70
    keyMembers: { use: undefined },
    prompts: ['none', 'login'],
    isOffline: () => true,
    offlineConsent: true,
  }),
  ofTeam('duo', 'https://sso-abcdef01.sso.duosecurity.com/oidc/client-1', [], {}),
  ofTeam('forgerock', 'https://acme.forgeblocks.com:443/am/oauth2/alpha', ['revoke', 'logout'], {
    // The scopes of the client, as its page says to register them.
    scopes: ['openid', 'profile', 'email'],
    prompts: ['none', 'login', 'consent'],
    isOffline: () => true,
    origin: 'listed',
    logout: { required: ['id_token_hint', 'post_logout_redirect_uri'], repeatsState: true },
  }),
  ofTeam('pingfederate', 'https://sso.acme.example', ['revoke', 'logout', 'par'], {
    prompts: ['none', 'login', 'consent'],
    isOffline: () => true,
    keepsRefreshTokens: true,
    logout: { required: ['id_token_hint', 'post_logout_redirect_uri'], repeatsState: true },
  }),
  ofTeam('sap', 'https://acme.accounts.ondemand.com', ['revoke', 'logout', 'iss'], {
    scopes: ['openid', 'profile', 'email', 'groups', 'offline_access'],
    prompts: ['none', 'login'],
  }),
  ofTeam('wso2', 'https://api.asgardeo.io/t/acme/oauth2/token', ['revoke', 'logout'], {
    isOffline: () => true,
    origin: 'listed',
    // It knows "select_account", which has no effect.
    prompts: ['none', 'login', 'consent', '*'],
    claims: { email_verified: undefined, azp: 'client-1' },
    // Whether "offline_access" is ignored there was not tried.
    idleSettings: ['scope'],
  }),
  ofTeam('cloudflare-access', 'https://acme.cloudflareaccess.com/cdn-cgi/access/sso/oidc/client-1', [], {
    scopes: ['openid', 'profile', 'email', 'groups'],
    isOffline: () => true,
    claims: { email_verified: undefined },
  }),
  entraOf('entra', tenant, tenant, { team: { issuer: `${login}/${tenant}/v2.0` } }),
  entraOfMany('entra-organizations', 'organizations', tenant),
  entraOfMany('entra-common', 'common', consumers),
  entraOf('entra-consumers', consumers, consumers),
  ofTeam('entra-external-id', `https://${tenant}.ciamlogin.com/${tenant}/v2.0`, ['logout'], {
    team: {
      discoveryUrl: `https://contoso.ciamlogin.com/${tenant}/v2.0/.well-known/openid-configuration`,
      origins: ['https://contoso.ciamlogin.com', 'https://graph.microsoft.com'],
    },
    elsewhere: { ...graph, all: 'https://contoso.ciamlogin.com' },
    claims: withoutVerified,
    loginHints,
    refusal,
    origin: 'required',
    // The team replaced it, because its discovery document is on another host.
    idleSettings: ['origins'],
    purpose: byPermission,
  }),
  ofTeam('azure-b2c', b2c.issuer, [], {
    team: {
      discoveryUrl:
        'https://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1_signin/v2.0/.well-known/openid-configuration',
      scope: 'openid offline_access client-1',
    },
    document: b2c,
    claims: { emails: ['ada@example.com'], email: undefined, email_verified: undefined },
    // https://github.com/AzureAD/microsoft-authentication-library-for-js/pull/3234
    writesTexts: true,
    response: { not_before: 1_615_993_049, expires_on: 1_615_996_649 },
    grantsAccess: (sent) => sent.get('scope')?.includes('client-1') ?? false,
    origin: 'required',
    prompts: ['none', 'login'],
  }),
];
