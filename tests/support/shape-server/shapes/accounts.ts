// The shapes of providers at which people have accounts already.

import { toDocument } from '../document.ts';
import type { Shape } from '../shape.ts';

export const accounts: readonly Shape[] = [
  {
    profile: 'gitlab',
    team: {},
    source: { url: 'https://docs.gitlab.com/api/oauth2/', date: '2026-11-22' },
    document: toDocument('https://gitlab.com', 'https://gitlab.com', {
      authorize: '/oauth/authorize',
      token: '/oauth/token',
      keys: '/oauth/discovery/keys',
      userInfo: '/oauth/userinfo',
      revoke: '/oauth/revoke',
    }),
    scopes: ['openid', 'profile', 'email'],
    isOffline: () => true,
    prompts: ['none', 'login', 'consent'],
    expected: { logout: 'none' },
  },
  {
    profile: 'discord',
    team: {},
    source: { url: 'https://discord.com/.well-known/openid-configuration', date: '2026-11-22' },
    document: {
      issuer: 'https://discord.com',
      authorization_endpoint: 'https://discord.com/api/oauth2/authorize',
      token_endpoint: 'https://discord.com/api/oauth2/token',
      userinfo_endpoint: 'https://discord.com/api/oauth2/userinfo',
      jwks_uri: 'https://discord.com/api/oauth2/keys',
      response_types_supported: ['code', 'token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    },
    unlistedRevocation: 'https://discord.com/api/oauth2/token/revoke',
    scopes: ['openid', 'identify', 'email'],
    isOffline: () => true,
    prompts: ['none', 'consent'],
    claims: { aud: ['client-1'] },
    expected: { anotherAccount: 'same account', logout: 'none' },
  },
  {
    profile: 'huggingface',
    team: {},
    source: { url: 'https://huggingface.co/docs/hub/oauth', date: '2026-11-22' },
    document: toDocument('https://huggingface.co', 'https://huggingface.co', {
      authorize: '/oauth/authorize',
      token: '/oauth/token',
      keys: '/oauth/jwks',
      userInfo: '/oauth/userinfo',
    }),
    scopes: ['openid', 'profile', 'email', 'read-repos', 'inference-api'],
    isOffline: () => false,
    expected: { renewal: 'none', spentToken: 'none', revocation: 'none', logout: 'none' },
  },
  {
    profile: 'dropbox',
    team: {},
    source: {
      url: 'https://dropbox.tech/developers/using-oauth-2-0-with-offline-access',
      date: '2026-11-22',
    },
    document: toDocument('https://www.dropbox.com', 'https://www.dropbox.com', {
      authorize: '/oauth2/authorize',
      token: 'https://api.dropboxapi.com/oauth2/token',
      keys: '/oauth2/jwks',
      userInfo: 'https://api.dropboxapi.com/2/openid/userinfo',
    }),
    scopes: ['openid', 'profile', 'email'],
    isOffline: (sent) => sent.get('token_access_type') === 'offline',
    response: { token_type: 'bearer' },
    claims: { name: undefined, given_name: 'Ada', family_name: 'Lovelace' },
    expected: { revocation: 'unsupported', logout: 'none' },
  },
];
