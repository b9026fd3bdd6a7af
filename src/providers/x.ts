// X (Twitter).

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'X',
  settings: {
    issuer: 'https://x.com',
    scope: 'users.read tweet.read offline.access',
    origins: ['https://api.x.com'],
    metadata: {
      authorization_endpoint: 'https://x.com/i/oauth2/authorize',
      token_endpoint: 'https://api.x.com/2/oauth2/token',
      revocation_endpoint: 'https://api.x.com/2/oauth2/revoke',
    },
    userApi: {
      url: 'https://api.x.com/2/users/me?user.fields=profile_image_url',
      subject: 'data.id',
      name: 'data.name',
      email: null,
      emailVerified: null,
      picture: 'data.profile_image_url',
      headers: {},
    },
  },
  asks: [],
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
      'Copy "Client ID" of OAuth 2.0 to "clientId".',
    ],
  },
  limits: [
    {
      kind: 'no-id-token',
      text: 'X is plain OAuth 2. Its user API says who signed in, and nothing signs that answer.',
    },
    { kind: 'no-logout', text: 'There is no page that ends the session at X.' },
    { kind: 'other', text: 'The user API gives no e-mail.' },
  ],
  facts: [
    {
      how: 'from memory',
      text: 'A public client with PKCE gets a refresh token with the scope "offline.access". There is no ID token. Nobody has tried it here.',
      date: '2026-11-22',
    },
  ],
} satisfies Profile;
