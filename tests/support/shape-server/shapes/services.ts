// The shapes of services that a team has a tenant at.

import { toDocument } from '../document.ts';
import type { Shape } from '../shape.ts';

const fromMemory = { url: null, date: '2026-11-22' };

export const services: readonly Shape[] = [
  {
    profile: 'auth0',
    team: { issuer: 'https://acme.auth0.com/' },
    source: {
      url: 'https://auth0.com/docs/authenticate/login/logout/log-users-out-of-auth0',
      date: '2026-11-22',
    },
    document: toDocument('https://acme.auth0.com/', 'https://acme.auth0.com', {
      authorize: '/authorize',
      token: '/oauth/token',
      keys: '/.well-known/jwks.json',
      userInfo: '/userinfo',
      revoke: '/oauth/revoke',
      logout: '/oidc/logout',
    }),
    // The fragment of Facebook behind it.
    fragment: '#_=_',
  },
  {
    profile: 'okta',
    team: { issuer: 'https://acme.okta.com/oauth2/default' },
    source: fromMemory,
    document: toDocument('https://acme.okta.com/oauth2/default', 'https://acme.okta.com/oauth2/default', {
      authorize: '/v1/authorize',
      token: '/v1/token',
      keys: '/v1/keys',
      userInfo: '/v1/userinfo',
      revoke: '/v1/revoke',
      logout: '/v1/logout',
    }),
    prompts: ['none', 'login', 'consent', 'enroll_authenticator'],
  },
  {
    profile: 'cognito',
    team: {
      issuer: 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbCdEfGhI',
      origins: ['https://acme.auth.eu-west-1.amazoncognito.com'],
    },
    source: {
      url: 'https://docs.aws.amazon.com/cognito/latest/developerguide/logout-endpoint.html',
      date: '2026-11-22',
    },
    document: toDocument(
      'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbCdEfGhI',
      'https://acme.auth.eu-west-1.amazoncognito.com',
      {
        authorize: '/oauth2/authorize',
        token: '/oauth2/token',
        keys: 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbCdEfGhI/.well-known/jwks.json',
        userInfo: '/oauth2/userInfo',
        revoke: '/oauth2/revoke',
        logout: '/logout',
      },
    ),
    scopes: ['openid', 'profile', 'email', 'phone', 'aws.cognito.signin.user.admin'],
    prompts: ['none', 'login'],
    otherPrompts: 'ignored',
    isOffline: () => true,
    keepsRefreshTokens: true,
    expected: { spentToken: 'renewed' },
    logout: { required: ['client_id', 'logout_uri'], repeatsState: false },
  },
  {
    profile: 'pingone',
    team: { issuer: 'https://auth.pingone.eu/environment-1/as' },
    source: {
      url: 'https://docs.pingidentity.com/integrations/pingone/pingone_integration_kit/pf_p1_ik_creating_an_openid_connect_connection.html',
      date: '2026-11-22',
    },
    document: toDocument(
      'https://auth.pingone.eu/environment-1/as',
      'https://auth.pingone.eu/environment-1/as',
      {
        authorize: '/authorize',
        token: '/token',
        keys: '/jwks',
        userInfo: '/userinfo',
        revoke: '/revoke',
        logout: '/signoff',
        par: '/par',
      },
    ),
  },
  {
    profile: 'logto',
    team: { issuer: 'https://acme.logto.app/oidc' },
    source: { url: 'https://github.com/logto-io/logto/issues/9627', date: '2026-11-22' },
    document: toDocument('https://acme.logto.app/oidc', 'https://acme.logto.app/oidc', {
      authorize: '/auth',
      token: '/token',
      keys: '/jwks',
      userInfo: '/me',
      revoke: '/token/revocation',
      logout: '/session/end',
      sendsIssuer: true,
    }),
    isOffline: (sent) => sent.get('prompt') === 'consent',
    origin: 'listed',
    prompts: ['none', 'login', 'consent'],
  },
  {
    profile: 'salesforce',
    team: { issuer: 'https://acme.my.salesforce.com' },
    source: fromMemory,
    document: toDocument('https://acme.my.salesforce.com', 'https://acme.my.salesforce.com', {
      authorize: '/services/oauth2/authorize',
      token: '/services/oauth2/token',
      keys: '/id/keys',
      userInfo: '/services/oauth2/userinfo',
      revoke: '/services/oauth2/revoke',
      logout: '/services/auth/idp/oidc/logout',
    }),
    scopes: ['openid', 'profile', 'email', 'api', 'refresh_token', 'offline_access'],
    isOffline: (sent) => /refresh_token|offline_access/.test(sent.get('scope') ?? ''),
    response: {
      expires_in: undefined,
      signature: 'made-with-a-secret',
      instance_url: 'https://acme.my.salesforce.com',
    },
    // Both scopes mean the same. Its documents prefer this one.
    idleSettings: ['scope'],
  },
  {
    profile: 'supabase',
    team: { issuer: 'https://abcdefgh.supabase.co/auth/v1' },
    source: { url: 'https://supabase.com/docs/guides/auth/oauth-server/getting-started', date: '2026-11-22' },
    document: toDocument('https://abcdefgh.supabase.co/auth/v1', 'https://abcdefgh.supabase.co/auth/v1', {
      authorize: '/oauth/authorize',
      token: '/oauth/token',
      keys: '/.well-known/jwks.json',
      userInfo: '/oauth/userinfo',
    }),
    scopes: ['openid', 'profile', 'email', 'phone'],
    isOffline: () => true,
    response: { token_type: 'bearer' },
    prompts: [],
    otherPrompts: 'ignored',
    expected: { anotherAccount: 'same account', revocation: 'unsupported', logout: 'none' },
  },
  {
    profile: 'clerk',
    team: { issuer: 'https://clerk.acme.example' },
    source: {
      url: 'https://clerk.com/docs/guides/configure/auth-strategies/oauth/how-clerk-implements-oauth',
      date: '2026-11-22',
    },
    document: toDocument('https://clerk.acme.example', 'https://clerk.acme.example', {
      authorize: '/oauth/authorize',
      token: '/oauth/token',
      keys: '/.well-known/jwks.json',
      userInfo: '/oauth/userinfo',
      revoke: '/oauth/token/revoke',
    }),
    scopes: ['openid', 'profile', 'email', 'public_metadata', 'private_metadata', 'offline_access'],
    expected: { logout: 'none' },
  },
  {
    profile: 'workos',
    team: { issuer: 'https://acme.authkit.app' },
    source: { url: 'https://workos.com/docs/reference/workos-connect/authorize', date: '2026-11-22' },
    document: toDocument('https://acme.authkit.app', 'https://acme.authkit.app', {
      authorize: '/oauth2/authorize',
      token: '/oauth2/token',
      keys: '/oauth2/jwks',
      userInfo: '/oauth2/userinfo',
      revoke: '/oauth2/revoke',
    }),
    scopes: ['openid', 'profile', 'email', 'offline_access'],
    expected: { logout: 'none' },
  },
  {
    profile: 'kinde',
    team: { issuer: 'https://acme.kinde.com' },
    source: { url: 'https://docs.kinde.com/build/tokens/refresh-tokens/', date: '2026-11-25' },
    document: toDocument('https://acme.kinde.com', 'https://acme.kinde.com', {
      authorize: '/oauth2/auth',
      token: '/oauth2/token',
      keys: '/.well-known/jwks',
      userInfo: '/oauth2/v2/user_profile',
      revoke: '/oauth2/revoke',
      logout: '/logout',
    }),
    isOffline: (sent) => sent.get('scope')?.endsWith(' offline') ?? false,
    logout: { required: ['redirect'], repeatsState: false },
  },
  {
    profile: 'descope',
    team: { issuer: 'https://api.descope.com/P2abc' },
    source: { url: 'https://docs.descope.com/customize/auth/oidc/', date: '2026-11-22' },
    document: toDocument('https://api.descope.com/P2abc', 'https://api.descope.com', {
      authorize: '/oauth2/v1/authorize',
      token: '/oauth2/v1/token',
      keys: '/P2abc/.well-known/jwks.json',
      userInfo: '/oauth2/v1/userinfo',
      revoke: '/oauth2/v1/revoke',
      logout: '/oauth2/v1/logout',
    }),
    silent: 'ignored',
    expected: { silentSignIn: 'page shown' },
  },
];
