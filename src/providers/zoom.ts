// Zoom.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'Zoom',
  settings: {
    issuer: 'https://zoom.us',
    scope: '',
    origins: ['https://api.zoom.us'],
    metadata: {
      authorization_endpoint: 'https://zoom.us/oauth/authorize',
      token_endpoint: 'https://zoom.us/oauth/token',
    },
    userApi: {
      url: 'https://api.zoom.us/v2/users/me',
      subject: 'id',
      name: 'display_name',
      email: 'email',
      emailVerified: null,
      picture: 'pic_url',
      headers: {},
    },
  },
  asks: [],
  issuers: {
    example: 'https://zoom.us',
    patterns: [/^https:\/\/([^/]+\.)?(zoom\.us|zoomgov\.com)(\/|$)/],
    mistakes: [],
  },
  registration: {
    console: 'Zoom App Marketplace, "Manage", the app of the type "General App"',
    steps: [
      'Create an app that users manage, and add the scope that reads their own user.',
      'Switch "Use Public Client OAuth" on under "App Credentials".',
      'Add {redirectUri:chrome} as the OAuth redirect URL, and {redirectUri:firefox} to "OAuth allow lists".',
      'Copy the public client ID, which isn\'t "Client ID", to "clientId".',
    ],
  },
  limits: [
    {
      kind: 'no-id-token',
      text: 'Zoom is plain OAuth 2. Its user API says who signed in, and nothing signs that response.',
    },
    {
      kind: 'no-revocation',
      text: "Whether a public client can revoke a token isn't known. A sign-out deletes it on this device only.",
    },
    { kind: 'no-logout', text: 'There is no page that ends the session at Zoom.' },
    { kind: 'verified-email-missing', text: "Whether the email of the user API is verified isn't known." },
  ],
  read: '2026-11-25',
  facts: [
    {
      text: 'Public clients with PKCE get tokens without a client secret, single-page applications among them.',
      source: 'https://developers.zoom.us/blog/public-pkce/',
    },
    {
      text: '"Use Public Client OAuth" gives the app a public client ID of its own. Both requests carry it, and the token request has neither a secret nor the header "Authorization".',
      source: 'https://developers.zoom.us/docs/integrations/PKCE/',
    },
    {
      how: 'read in another project',
      text: 'The user API has "id", "display_name", "email" and "pic_url". Without a scope in the request, the scopes of the app count.',
      source:
        'https://github.com/better-auth/better-auth/blob/main/packages/core/src/social-providers/zoom.ts',
    },
    {
      text: 'The redirect URL is set once, and others are added to the allow list. Not tried here.',
    },
  ],
} satisfies Profile;
