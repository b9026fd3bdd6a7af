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
      subject: 'account_id',
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
    {
      kind: 'other',
      text: 'In development mode an app has 5 users at most, each listed, and its owner needs Premium. To leave it, Spotify wants 250,000 monthly users.',
    },
  ],
  facts: [
    {
      how: "read in the provider's documents",
      text: '"account_id" never changes, and identifies people rather than "id", since May 2026.',
      source: 'https://developer.spotify.com/documentation/web-api/references/changes/may-2026',
      date: '2026-09',
    },
    {
      how: "read in the provider's documents",
      text: 'In development mode an app has 5 users, and stops when its owner has no Premium.',
      source: 'https://developer.spotify.com/documentation/web-api/tutorials/february-2026-migration-guide',
      date: '2026-09',
    },
    {
      how: "read in the provider's documents",
      text: 'Extended quota wants 250,000 monthly users.',
      source: 'https://developer.spotify.com/documentation/web-api/concepts/quota-modes',
      date: '2026-09',
    },
    {
      how: 'from memory',
      text: 'The code flow with PKCE needs no secret, and gives a refresh token without a scope for it. There is no ID token. Not tried here.',
      date: '2026-11-22',
    },
  ],
} satisfies Profile;
