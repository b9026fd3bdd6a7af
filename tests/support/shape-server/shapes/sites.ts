// The shapes of further sites at which people have accounts already.

import { toDocument } from '../document.ts';
import type { Shape } from '../shape.ts';

export const sites: readonly Shape[] = [
  {
    profile: 'openstreetmap',
    team: {},
    source: {
      url: 'https://github.com/openstreetmap/openstreetmap-website/blob/master/config/initializers/doorkeeper.rb',
      date: '2026-11-25',
    },
    document: toDocument('https://www.openstreetmap.org', 'https://www.openstreetmap.org', {
      authorize: '/oauth2/authorize',
      token: '/oauth2/token',
      keys: '/oauth2/discovery/keys',
      userInfo: '/oauth2/userinfo',
      revoke: '/oauth2/revoke',
    }),
    scopes: ['openid', 'read_prefs', 'write_api'],
    isOffline: () => false,
    response: { expires_in: undefined },
    // "login" and "select_account" end on an error page.
    prompts: ['none', 'consent'],
    claims: { name: undefined, email: undefined, email_verified: undefined, preferred_username: 'ada' },
    expected: {
      anotherAccount: 'same account',
      renewal: 'none',
      spentToken: 'none',
      revocation: 'none',
      logout: 'none',
    },
  },
  {
    profile: 'roblox',
    team: {},
    source: { url: 'https://create.roblox.com/docs/cloud/auth/oauth2-reference', date: '2026-11-25' },
    document: toDocument('https://apis.roblox.com/oauth/', 'https://apis.roblox.com/oauth', {
      authorize: '/v1/authorize',
      token: '/v1/token',
      keys: '/v1/certs',
      userInfo: '/v1/userinfo',
      revoke: '/v1/token/revoke',
    }),
    scopes: ['openid', 'profile'],
    isOffline: () => true,
    claims: { email: undefined, email_verified: undefined, nickname: 'ada', preferred_username: 'ada' },
    expected: { logout: 'none' },
  },
  {
    profile: 'vercel',
    team: {},
    source: {
      url: 'https://github.com/api-evangelist/vercel/blob/main/well-known/vercel-vercel-oauth-authorization-server.json',
      date: '2026-11-25',
    },
    document: toDocument('https://vercel.com', 'https://api.vercel.com/login/oauth', {
      authorize: 'https://vercel.com/oauth/authorize',
      token: '/token',
      keys: 'https://vercel.com/.well-known/jwks',
      userInfo: '/userinfo',
      revoke: '/token/revoke',
    }),
    claims: { email_verified: undefined, preferred_username: 'ada' },
    expected: { logout: 'none' },
  },
];
