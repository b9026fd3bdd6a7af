// The shapes of servers that small teams and communities host.

import { toDocument } from '../document.ts';
import type { Shape } from '../shape.ts';

/** Gitea, and Forgejo, which comes from it. */
function toForge(profile: string, issuer: string, url: string): Shape {
  return {
    profile,
    team: { issuer },
    source: { url, date: '2026-11-25' },
    document: toDocument(issuer, issuer.replace(/\/$/, ''), {
      authorize: '/login/oauth/authorize',
      token: '/login/oauth/access_token',
      keys: '/login/oauth/keys',
      userInfo: '/login/oauth/userinfo',
    }),
    isOffline: () => true,
    reusable: true,
    response: { token_type: 'bearer' },
    claims: { aud: ['client-1'] },
    silent: 'ignored',
    prompts: [],
    otherPrompts: 'ignored',
    expected: {
      anotherAccount: 'same account',
      spentToken: 'renewed',
      silentSignIn: 'page shown',
      revocation: 'unsupported',
      logout: 'none',
    },
    // The scope protects the person's repositories: without it the token may do more.
    idleSettings: ['scope'],
  };
}

export const smallServers: readonly Shape[] = [
  toForge(
    'gitea',
    'https://git.acme.example/',
    'https://github.com/go-gitea/gitea/blob/main/routers/web/auth/oauth2_provider.go',
  ),
  toForge(
    'forgejo',
    'https://forge.acme.example',
    'https://github.com/creator-signal/fork-forgejo-forgejo/blob/forgejo/routers/web/auth/oauth.go',
  ),
  {
    profile: 'kanidm',
    team: { issuer: 'https://idm.acme.example/oauth2/openid/client-1' },
    source: {
      url: 'https://github.com/kanidm/kanidm/blob/master/server/lib/src/idm/oauth2.rs',
      date: '2026-11-25',
    },
    document: toDocument('https://idm.acme.example/oauth2/openid/client-1', 'https://idm.acme.example', {
      authorize: '/ui/oauth2',
      token: '/oauth2/token',
      keys: '/oauth2/openid/client-1/public_key.jwk',
      userInfo: '/oauth2/openid/client-1/userinfo',
      revoke: '/oauth2/token/revoke',
    }),
    scopes: ['openid', 'profile', 'email'],
    isOffline: () => true,
    // "login" asks the person who is signed in, and "select_account" asks no one.
    prompts: ['none', 'consent'],
    otherPrompts: 'ignored',
    claims: { azp: 'client-1' },
    expected: { anotherAccount: 'same account', logout: 'none' },
  },
  {
    profile: 'rauthy',
    team: { issuer: 'https://auth.acme.example/auth/v1/' },
    source: {
      url: 'https://github.com/sebadob/rauthy/blob/main/src/data/src/entity/clients.rs',
      date: '2026-11-25',
    },
    document: toDocument('https://auth.acme.example/auth/v1/', 'https://auth.acme.example/auth/v1', {
      authorize: '/oidc/authorize',
      token: '/oidc/token',
      keys: '/oidc/certs',
      userInfo: '/oidc/userinfo',
      revoke: '/oidc/token/revoke',
      logout: '/oidc/logout',
    }),
    isOffline: () => true,
    // For five seconds.
    reusable: true,
    origin: 'listed',
    originRefusal: { status: 400, error: 'BadRequest' },
    prompts: ['none', 'login', 'consent'],
    otherPrompts: 'ignored',
    claims: { azp: 'client-1', name: undefined, given_name: 'Ada', family_name: 'Lovelace' },
    expected: { spentToken: 'renewed' },
  },
  {
    profile: 'nextcloud',
    team: {
      issuer: 'https://cloud.acme.example',
      discoveryUrl: 'https://cloud.acme.example/index.php/apps/oidc/openid-configuration',
    },
    source: { url: 'https://github.com/H2CK/oidc/blob/master/README.md', date: '2026-11-25' },
    discoveryUrl: 'https://cloud.acme.example/index.php/apps/oidc/openid-configuration',
    document: toDocument('https://cloud.acme.example', 'https://cloud.acme.example/index.php/apps/oidc', {
      authorize: '/authorize',
      token: '/token',
      keys: '/jwks',
      userInfo: '/userinfo',
      logout: '/logout',
    }),
    prompts: ['none', 'login'],
    otherPrompts: 'ignored',
    // Only those that are asked for.
    claims(sent) {
      const { id_token: asked = {} } = JSON.parse(sent.get('claims') ?? '{}') as { id_token?: object };
      const left = ['name', 'email', 'email_verified'].filter((claim) => !(claim in asked));
      return Object.fromEntries(left.map((claim) => [claim, undefined]));
    },
    expected: { revocation: 'unsupported' },
    // Only "allowed" needs the claims: see shapes.test.ts.
    idleSettings: ['authorizationParameters'],
  },
];
