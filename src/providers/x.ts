// X (Twitter).

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'X',
  settings: {
    issuer: 'https://x.com',
    scope: 'users.read users.email tweet.read offline.access',
    origins: ['https://api.x.com'],
    metadata: {
      authorization_endpoint: 'https://x.com/i/oauth2/authorize',
      token_endpoint: 'https://api.x.com/2/oauth2/token',
      revocation_endpoint: 'https://api.x.com/2/oauth2/revoke',
    },
    userApi: {
      url: 'https://api.x.com/2/users/me?user.fields=profile_image_url,confirmed_email',
      subject: 'data.id',
      name: 'data.name',
      email: 'data.confirmed_email',
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
      'Switch "Request email from users" on.',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to "Callback URI".',
      'Copy "Client ID" of OAuth 2.0 to "clientId".',
    ],
  },
  limits: [
    {
      kind: 'no-id-token',
      text: 'X is plain OAuth 2. Its user API says who signed in, and nothing signs that response.',
    },
    { kind: 'no-logout', text: 'There is no page that ends the session at X.' },
    {
      kind: 'verified-email-missing',
      text: 'The user API gives an email that the person confirmed, and none without one. No member of it says so, so Latchkey takes it as not verified.',
    },
  ],
  read: '2026-11-25',
  facts: [
    {
      text: 'The user API gives "confirmed_email", and no member says whether it is verified.',
      source: 'https://github.com/xdevplatform/docs/blob/main/x-api/fundamentals/data-dictionary.mdx',
    },
    {
      text: 'Native and single-page apps are public clients. The scope "users.email" gives the email, and "offline.access" a refresh token. A code must be redeemed within 30 seconds.',
      source:
        'https://github.com/xdevplatform/docs/blob/main/fundamentals/authentication/oauth-2-0/authorization-code.mdx',
    },
    {
      text: 'A public client redeems codes, renews and revokes with its client id alone.',
      source:
        'https://github.com/xdevplatform/docs/blob/main/fundamentals/authentication/oauth-2-0/user-access-token.mdx',
    },
    {
      text: 'There is no ID token, and the console has a switch for the email. Not tried here.',
      date: '2026-11-22',
    },
  ],
} satisfies Profile;
