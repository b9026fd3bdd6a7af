// Spotify.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'Spotify',
  settings: {
    issuer: 'https://accounts.spotify.com',
    scope: 'user-read-email user-read-private',
    origins: ['https://api.spotify.com'],
    metadata: {
      authorization_endpoint: 'https://accounts.spotify.com/authorize',
      token_endpoint: 'https://accounts.spotify.com/api/token',
    },
    userApi: {
      url: 'https://api.spotify.com/v1/me',
      subject: 'id',
      name: 'display_name',
      email: 'email',
      emailVerified: null,
      picture: 'images.0.url',
      headers: {},
    },
  },
  asks: [],
  issuers: {
    example: 'https://accounts.spotify.com',
    patterns: [/^https:\/\/([^/]+\.)?spotify\.com(\/|$)/],
    mistakes: [],
  },
  registration: {
    console: 'Spotify for Developers, "Dashboard"',
    steps: [
      'Create an app with the redirect URIs {redirectUri:chrome} and {redirectUri:firefox}.',
      'Use no client secret.',
      'Copy "Client ID" to "clientId".',
    ],
  },
  limits: [
    {
      kind: 'no-id-token',
      text: 'Spotify is plain OAuth 2. Its user API says who signed in, and nothing signs that answer.',
    },
    {
      kind: 'no-revocation',
      text: 'No endpoint revokes a refresh token. A sign-out deletes it on this device only.',
    },
    { kind: 'no-logout', text: 'There is no page that ends the session at Spotify.' },
    { kind: 'verified-email-missing', text: 'The user API does not say whether the e-mail is verified.' },
  ],
  facts: [
    {
      how: 'from memory',
      text: 'The code flow with PKCE needs no secret, and gives a refresh token without a scope for it. There is no ID token. Nobody has tried it here.',
      date: '2026-11-22',
    },
  ],
} satisfies Profile;
