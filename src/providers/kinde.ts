// Kinde.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'Kinde',
  settings: { scope: 'openid profile email offline' },
  asks: [
    { setting: 'issuer', expected: 'the domain of your business, such as "https://<business>.kinde.com"' },
  ],
  issuers: {
    example: 'https://<business>.kinde.com',
    patterns: [/^https:\/\/[^/]+\.kinde\.com(\/|$)/],
    mistakes: [
      { pattern: /\.kinde\.com\/.*/, advice: 'The issuer is the domain alone, without a path or a slash.' },
    ],
  },
  registration: {
    console: 'Kinde, "Settings", "Applications"',
    steps: [
      'Add an application of the type "Front-end and mobile".',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to "Allowed callback URLs" and to "Allowed logout redirect URLs".',
      'Copy "Client ID" to "clientId", and "Domain" to "issuer".',
    ],
  },
  limits: [
    { kind: 'scope-refused', text: 'The scope for a refresh token is "offline", not "offline_access".' },
  ],
  facts: [
    {
      how: "read in the provider's documents",
      text: 'The scopes are openid, email, profile and offline. The code flow with PKCE is recommended, the implicit flow does not exist.',
      source: 'https://docs.kinde.com/build/tokens/oath-scopes/',
      date: '2026-11-22',
    },
    {
      how: 'from memory',
      text: 'The parameters of the logout page were not looked up. Nobody has tried it here.',
      date: '2026-11-22',
    },
  ],
} satisfies Profile;
