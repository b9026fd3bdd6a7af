// The shapes of servers that a team can host.

import { toDocument } from '../document.ts';
import type { Shape } from '../shape.ts';

const fromMemory = { url: null, date: '2026-11-22' };

export const servers: readonly Shape[] = [
  {
    profile: 'keycloak',
    team: { issuer: 'https://id.acme.example/realms/acme' },
    source: { url: 'https://github.com/keycloak/keycloak/pull/48469', date: '2026-11-22' },
    document: toDocument(
      'https://id.acme.example/realms/acme',
      'https://id.acme.example/realms/acme/protocol/openid-connect',
      {
        authorize: '/auth',
        token: '/token',
        keys: '/certs',
        userInfo: '/userinfo',
        revoke: '/revoke',
        logout: '/logout',
        par: '/ext/par/request',
        sendsIssuer: true,
      },
    ),
    claims: { azp: 'client-1' },
    origin: 'listed',
    prompts: ['none', 'login', 'consent'],
    otherPrompts: 'ignored',
  },
  {
    profile: 'zitadel',
    team: { issuer: 'https://acme.zitadel.cloud' },
    source: { url: 'https://github.com/zitadel/zitadel/issues/9200', date: '2026-11-22' },
    document: toDocument('https://acme.zitadel.cloud', 'https://acme.zitadel.cloud', {
      authorize: '/oauth/v2/authorize',
      token: '/oauth/v2/token',
      keys: '/oauth/v2/keys',
      userInfo: '/oidc/v1/userinfo',
      revoke: '/oauth/v2/revoke',
      logout: '/oidc/v1/end_session',
    }),
    claims: { aud: ['client-1', 'client-2', 'project-1'], azp: 'client-1' },
  },
  {
    profile: 'ory',
    team: { issuer: 'https://slug.projects.oryapis.com' },
    source: fromMemory,
    document: toDocument('https://slug.projects.oryapis.com', 'https://slug.projects.oryapis.com', {
      authorize: '/oauth2/auth',
      token: '/oauth2/token',
      keys: '/.well-known/jwks.json',
      userInfo: '/userinfo',
      revoke: '/oauth2/revoke',
      logout: '/oauth2/sessions/logout',
    }),
    claims: { aud: ['client-1'] },
    response: { token_type: 'bearer' },
    // As before June 2026.
    prompts: ['none', 'login', 'consent'],
  },
  {
    profile: 'authentik',
    team: { issuer: 'https://id.acme.example/application/o/acme/' },
    source: fromMemory,
    document: toDocument(
      'https://id.acme.example/application/o/acme/',
      'https://id.acme.example/application/o',
      {
        authorize: '/authorize/',
        token: '/token/',
        keys: '/acme/jwks/',
        userInfo: '/userinfo/',
        revoke: '/revoke/',
        logout: '/acme/end-session/',
      },
    ),
    prompts: ['none', 'login', 'consent'],
    otherPrompts: 'ignored',
  },
  {
    profile: 'authelia',
    team: { issuer: 'https://auth.acme.example' },
    source: fromMemory,
    document: toDocument('https://auth.acme.example', 'https://auth.acme.example', {
      authorize: '/api/oidc/authorization',
      token: '/api/oidc/token',
      keys: '/jwks.json',
      userInfo: '/api/oidc/userinfo',
      revoke: '/api/oidc/revocation',
      par: '/api/oidc/pushed-authorization-request',
      sendsIssuer: true,
    }),
    prompts: ['none', 'login', 'consent'],
    otherPrompts: 'ignored',
    claims: { email: undefined, email_verified: undefined },
    offlineConsent: true,
    expected: { anotherAccount: 'same account', silentSignIn: 'person needed', logout: 'none' },
  },
  {
    profile: 'dex',
    team: { issuer: 'https://id.acme.example/dex' },
    source: fromMemory,
    document: toDocument('https://id.acme.example/dex', 'https://id.acme.example/dex', {
      authorize: '/auth',
      token: '/token',
      keys: '/keys',
      userInfo: '/userinfo',
    }),
    response: { token_type: 'bearer' },
    // Dex has no session of its own.
    silent: 'ignored',
    prompts: [],
    otherPrompts: 'ignored',
    expected: {
      anotherAccount: 'same account',
      silentSignIn: 'page shown',
      revocation: 'unsupported',
      logout: 'none',
    },
  },
  {
    profile: 'fusionauth',
    team: { issuer: 'https://id.acme.example' },
    source: {
      url: 'https://github.com/nextauthjs/next-auth/blob/v4/packages/next-auth/src/providers/fusionauth.ts',
      date: '2026-11-22',
    },
    document: toDocument('https://id.acme.example', 'https://id.acme.example', {
      authorize: '/oauth2/authorize',
      token: '/oauth2/token',
      keys: '/.well-known/jwks.json',
      userInfo: '/oauth2/userinfo',
      logout: '/oauth2/logout',
    }),
    fragment: '#_=_',
    prompts: ['none', 'login'],
    otherPrompts: 'ignored',
    expected: { revocation: 'unsupported' },
  },
  {
    profile: 'casdoor',
    team: { issuer: 'https://door.acme.example' },
    source: fromMemory,
    document: toDocument('https://door.acme.example', 'https://door.acme.example', {
      authorize: '/login/oauth/authorize',
      token: '/api/login/oauth/access_token',
      keys: '/.well-known/jwks',
      userInfo: '/api/userinfo',
      logout: '/api/logout',
    }),
    errorStatus: 200,
    prompts: [],
    otherPrompts: 'ignored',
    expected: { anotherAccount: 'same account', spentToken: 'response-rejected', revocation: 'unsupported' },
  },
];
