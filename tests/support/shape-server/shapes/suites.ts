// The shapes of suites with which companies manage the access of their people.

import { toDocument } from '../document.ts';
import type { Shape } from '../shape.ts';

export const suites: readonly Shape[] = [
  {
    profile: 'sap',
    team: { issuer: 'https://acme.accounts.ondemand.com' },
    source: {
      url: 'https://github.com/SAP-docs/btp-cloud-identity-services/blob/main/docs/Operation-Guide/call-identity-authentication-discovery-endpoint-c297516.md',
      date: '2026-11-25',
    },
    document: toDocument('https://acme.accounts.ondemand.com', 'https://acme.accounts.ondemand.com', {
      authorize: '/oauth2/authorize',
      token: '/oauth2/token',
      keys: '/oauth2/certs',
      userInfo: '/oauth2/userinfo',
      revoke: '/oauth2/revoke',
      logout: '/oauth2/logout',
      sendsIssuer: true,
    }),
    scopes: ['openid', 'profile', 'email', 'groups', 'offline_access'],
    prompts: ['none', 'login'],
  },
  {
    profile: 'wso2',
    team: { issuer: 'https://api.asgardeo.io/t/acme/oauth2/token' },
    source: {
      url: 'https://github.com/wso2-extensions/identity-inbound-auth-oauth/blob/master/components/org.wso2.carbon.identity.oauth.endpoint/src/main/java/org/wso2/carbon/identity/oauth/endpoint/util/AuthzUtil.java',
      date: '2026-11-25',
    },
    document: toDocument(
      'https://api.asgardeo.io/t/acme/oauth2/token',
      'https://api.asgardeo.io/t/acme/oauth2',
      {
        authorize: '/authorize',
        token: '/token',
        keys: '/jwks',
        userInfo: '/userinfo',
        revoke: '/revoke',
        logout: 'https://api.asgardeo.io/t/acme/oidc/logout',
      },
    ),
    isOffline: () => true,
    origin: 'listed',
    // It knows "select_account", which has no effect.
    prompts: ['none', 'login', 'consent'],
    otherPrompts: 'ignored',
    claims: { email_verified: undefined, azp: 'client-1' },
    // Whether "offline_access" is ignored there was not tried.
    idleSettings: ['scope'],
  },
  {
    profile: 'cloudflare-access',
    team: { issuer: 'https://acme.cloudflareaccess.com/cdn-cgi/access/sso/oidc/client-1' },
    source: {
      url: 'https://developers.cloudflare.com/cloudflare-one/access-controls/applications/http-apps/saas-apps/generic-oidc-saas/',
      date: '2026-11-25',
    },
    document: toDocument(
      'https://acme.cloudflareaccess.com/cdn-cgi/access/sso/oidc/client-1',
      'https://acme.cloudflareaccess.com/cdn-cgi/access/sso/oidc/client-1',
      { authorize: '/authorization', token: '/token', keys: '/jwks', userInfo: '/userinfo' },
    ),
    scopes: ['openid', 'profile', 'email', 'groups'],
    isOffline: () => true,
    claims: { email_verified: undefined },
    expected: { revocation: 'unsupported', logout: 'none' },
  },
];
