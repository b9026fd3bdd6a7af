// Clerk, as an OpenID provider.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'Clerk',
  settings: { scope: 'openid profile email' },
  asks: [
    {
      setting: 'issuer',
      expected:
        'the address of the Frontend API, such as "https://clerk.example.com" or "https://<application>.clerk.accounts.dev"',
    },
  ],
  issuers: {
    example: 'https://<application>.clerk.accounts.dev',
    patterns: [/^https:\/\/[^/]+\.clerk\.accounts\.dev(\/|$)/, /^https:\/\/clerk\.[^/]+(\/|$)/],
    mistakes: [
      {
        pattern: /\/oauth\/(authorize|token)/,
        advice: 'That is an endpoint. The issuer is the address of the Frontend API alone.',
      },
    ],
  },
  registration: {
    console: 'Clerk Dashboard, "OAuth applications"',
    steps: [
      'Add an OAuth application, and switch "Public" on.',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to "Redirect URIs".',
      'Select the scopes openid, profile and email.',
      'Copy "Client ID" to "clientId".',
    ],
  },
  limits: [
    {
      kind: 'other',
      text: 'Whether a refresh token comes without "offline_access" is not documented where it was looked up.',
    },
  ],
  facts: [
    {
      how: "read in the provider's documents",
      text: 'A public client exchanges its code with PKCE and without a secret.',
      source: 'https://clerk.com/docs/guides/configure/auth-strategies/oauth/how-clerk-implements-oauth',
      date: '2026-11-22',
    },
    {
      how: 'from memory',
      text: 'The issuer is the address of the Frontend API. Nobody has tried it here.',
      date: '2026-11-22',
    },
  ],
} satisfies Profile;
