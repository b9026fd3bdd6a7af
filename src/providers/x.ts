// X (Twitter).

import type { Profile } from './profile.ts';

export default {
  use: 'refused',
  title: 'X',
  refusal:
    'X issues no ID token, so an extension cannot verify who signed in. Put a broker between that you have or can host (such as Keycloak, Auth0, Dex or Zitadel), and name the broker as the provider.',
  issuers: {
    example: 'https://x.com',
    patterns: [/^https:\/\/([^/]+\.)?(x|twitter)\.com(\/|$)/],
    mistakes: [],
  },
  registration: {
    console: 'X Developer Portal, the app, "User authentication settings"',
    steps: [
      'Choose the type "Native App", which is a public client.',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to "Callback URI".',
    ],
  },
  limits: [
    { kind: 'no-id-token', text: 'X is plain OAuth 2: it has no discovery document and no ID token.' },
  ],
  facts: [
    {
      how: 'from memory',
      text: 'A public client with PKCE gets a refresh token with the scope "offline.access". There is no ID token.',
      date: '2026-11-22',
    },
  ],
} satisfies Profile;
