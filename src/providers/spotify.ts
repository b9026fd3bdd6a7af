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
      text: 'Spotify is plain OAuth 2. Its user API says who signed in, and nothing signs that response.',
    },
    {
      kind: 'no-revocation',
      text: 'No endpoint revokes a refresh token. A sign-out deletes it on this device only.',
    },
    {
      kind: 'refresh-token-ends',
      text: 'A refresh token expires six months after the person agreed, however often it is used. They then sign in again.',
    },
    { kind: 'no-logout', text: 'There is no page that ends the session at Spotify.' },
    { kind: 'verified-email-missing', text: "The user API doesn't say whether the email is verified." },
    {
      kind: 'other',
      text: 'In development mode the user API seems to give no email since February 2026, so "allowed" with an email would let no one in.',
    },
    {
      kind: 'other',
      text: 'In development mode an app has 5 users at most, each listed, and its owner needs Premium. To leave it, Spotify requires 250,000 monthly users.',
    },
  ],
  read: '2026-11-25',
  facts: [
    {
      text: '"account_id" never changes, and identifies people rather than "id", since May 2026.',
      source: 'https://developer.spotify.com/documentation/web-api/references/changes/may-2026',
    },
    {
      text: 'In development mode a new app has 5 users, and it stops when its owner has no Premium.',
      source: 'https://developer.spotify.com/documentation/web-api/tutorials/february-2026-migration-guide',
    },
    {
      how: 'read in another project',
      text: "Extended quota requires 250,000 monthly users and a registered company, says an issue. Spotify's own page wasn't opened.",
      source: 'https://github.com/spotify/spotify-web-api-ts-sdk/issues/159',
    },
    {
      text: 'Since July 2026 all apps of an account in development mode share one quota of requests.',
      source: 'https://developer.spotify.com/blog/2026-07-23-web-api-quota-updates',
    },
    {
      how: 'read in another project',
      text: 'Since February 2026, apps in development mode get no email.',
      source: 'https://glama.ai/mcp/servers/Stipe15/spotify-mcp/tools/get_me',
    },
    {
      text: 'Refresh tokens expire after six months: those of new apps since 18 June 2026, of all apps since 20 July 2026. Renewals add nothing; the response is then "invalid_grant".',
      source: 'https://developer.spotify.com/blog/2026-06-18-refresh-token-expiration',
      date: '2026-11-28',
    },
    {
      text: 'A redirect URI uses https, or http on 127.0.0.1, and has to match exactly.',
      source: 'https://developer.spotify.com/documentation/web-api/concepts/redirect_uri',
      date: '2026-11-28',
    },
    {
      text: 'The code flow with PKCE needs no secret, and gives a refresh token without a scope for it. There is no ID token. Not tried here.',
      date: '2026-11-22',
    },
  ],
} satisfies Profile;
