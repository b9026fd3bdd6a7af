// The shapes of providers at which people have accounts already.

import { ofOne } from '../document.ts';
import type { Shape } from '../shape.ts';

export const accounts: readonly Shape[] = [
  ofOne('gitlab', 'https://gitlab.com', ['revoke'], {
    scopes: ['openid', 'profile', 'email'],
    isOffline: () => true,
    prompts: ['none', 'login', 'consent'],
  }),
  ofOne('discord', 'https://discord.com', [], {
    unlistedRevocation: 'https://discord.com/api/oauth2/token/revoke',
    scopes: ['openid', 'identify', 'email'],
    isOffline: () => true,
    prompts: ['none', 'consent'],
    claims: { aud: ['client-1'] },
  }),
  ofOne('huggingface', 'https://huggingface.co', [], {
    scopes: ['openid', 'profile', 'email', 'read-repos', 'inference-api'],
    isOffline: () => false,
  }),
  ofOne('dropbox', 'https://www.dropbox.com', [], {
    elsewhere: { token: 'https://api.dropboxapi.com', userInfo: 'https://api.dropboxapi.com' },
    scopes: ['openid', 'profile', 'email'],
    isOffline: (sent) => sent.get('token_access_type') === 'offline',
    response: { token_type: 'bearer' },
    claims: { name: undefined, given_name: 'Ada', family_name: 'Lovelace' },
  }),
  ofOne('openstreetmap', 'https://www.openstreetmap.org', ['revoke'], {
    scopes: ['openid', 'read_prefs', 'write_api'],
    isOffline: () => false,
    response: { expires_in: undefined },
    // "login" and "select_account" end on an error page.
    prompts: ['none', 'consent'],
    claims: { name: undefined, email: undefined, email_verified: undefined, preferred_username: 'ada' },
  }),
  ofOne('roblox', 'https://apis.roblox.com/oauth/', ['revoke'], {
    scopes: ['openid', 'profile'],
    isOffline: () => true,
    claims: { email: undefined, email_verified: undefined, nickname: 'ada', preferred_username: 'ada' },
  }),
  ofOne('vercel', 'https://vercel.com', ['revoke'], {
    elsewhere: {
      all: 'https://api.vercel.com',
      authorize: 'https://vercel.com',
      keys: 'https://vercel.com',
    },
    claims: { email_verified: undefined, preferred_username: 'ada' },
  }),
];
