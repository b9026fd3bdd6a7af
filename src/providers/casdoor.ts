// Casdoor.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'Casdoor',
  settings: {},
  asks: [
    {
      setting: 'issuer',
      expected:
        'the address of Casdoor, such as "https://door.example.com", to the letter as in its discovery document',
    },
  ],
  issuers: {
    example: 'https://<instance>.casdoor.com',
    patterns: [/^https:\/\/[^/]+\.casdoor\.(com|org)(\/|$)/],
    mistakes: [
      {
        pattern: /\/login\/oauth\//,
        advice: 'That is an endpoint. The issuer is the address of Casdoor alone.',
      },
    ],
  },
  registration: {
    console: 'Casdoor admin, "Applications"',
    steps: [
      'Add an application, and enable the grant types "Authorization Code" and "Refresh Token".',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to "Redirect URLs".',
      'Choose a certificate with RS256 or ES256.',
      'Copy "Client ID" to "clientId".',
    ],
    origins: 'any',
  },
  limits: [
    {
      kind: 'other',
      text: 'Casdoor reads no prompt, so "Use another account" can\'t make it ask who signs in.',
    },
    {
      kind: 'no-revocation',
      text: 'No endpoint revokes a refresh token. A sign-out deletes it on this device only.',
    },
    { kind: 'other', text: 'A silent sign-in meets the sign-in page, and so never succeeds.' },
    {
      kind: 'other',
      text: "Before 20 May 2025 errors of the token endpoint came with status 200. Latchkey doesn't take one for a success, but names it less exactly.",
    },
  ],
  read: '2026-09',
  facts: [
    {
      text: 'The sign-in page reads no prompt.',
      source: 'https://github.com/casdoor/casdoor',
    },
    {
      text: 'A code with PKCE needs no secret, the ID token is the access token too, and a refresh token is deleted once it was used.',
      source: 'https://github.com/casdoor/casdoor/blob/master/object/token_oauth.go',
    },
    {
      text: 'Errors of the token endpoint come with status 400 or 401 since 20 May 2025.',
      source: 'https://github.com/casdoor/casdoor/pull/3807',
    },
    {
      text: 'The logout page knows "id_token_hint", "post_logout_redirect_uri" and "state".',
      source: 'https://github.com/casdoor/casdoor',
    },
    {
      text: 'Not tried here.',
      date: '2026-11-22',
    },
    {
      text: "The token endpoint and UserInfo accept every origin, although other endpoints refuse one that isn't listed.",
      source: 'https://github.com/casdoor/casdoor/blob/master/routers/cors_filter.go',
      date: '2026-11-25',
    },
  ],
} satisfies Profile;
