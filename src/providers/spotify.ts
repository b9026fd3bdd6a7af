// Spotify.

import type { Profile } from './profile.ts';

export default {
  use: 'refused',
  title: 'Spotify',
  refusal:
    'Spotify issues no ID token, so an extension cannot verify who signed in. Put a broker between that you have or can host (such as Keycloak, Auth0, Dex or Zitadel), and name the broker as the provider.',
  issuers: {
    example: 'https://accounts.spotify.com',
    patterns: [/^https:\/\/([^/]+\.)?spotify\.com(\/|$)/],
    mistakes: [],
  },
  registration: {
    console: 'Spotify for Developers, "Dashboard"',
    steps: ['Create an app with the redirect URIs {redirectUri:chrome} and {redirectUri:firefox}.'],
  },
  limits: [{ kind: 'no-id-token', text: 'Spotify is plain OAuth 2: it has no ID token.' }],
  facts: [
    {
      how: 'from memory',
      text: 'The code flow with PKCE needs no secret. There is no ID token.',
      date: '2026-11-22',
    },
  ],
} satisfies Profile;
