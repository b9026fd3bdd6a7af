// Clerk, as an OpenID provider.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'Clerk',
  settings: {},
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
      'Select the scopes {scopes}.',
      'Copy "Client ID" to "clientId".',
    ],
  },
  limits: [
    { kind: 'no-logout', text: 'There is no page that ends the session at Clerk.' },
    {
      kind: 'other',
      text: 'Access tokens last a day, and refresh tokens never end.',
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
      how: "read in the provider's documents",
      text: '"offline_access" is among the scopes. Access tokens last a day, refresh tokens never end.',
      source: 'https://clerk.com/docs/guides/configure/auth-strategies/oauth/how-clerk-implements-oauth',
      date: '2026-09',
    },
    {
      how: 'from memory',
      text: 'The issuer is the address of the Frontend API. Not tried here.',
      date: '2026-11-22',
    },
  ],
} satisfies Profile;
