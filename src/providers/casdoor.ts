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
  },
  limits: [
    {
      kind: 'other',
      text: 'Errors of the token endpoint come with status 200. Latchkey does not take one for a success, but names it less exactly.',
    },
    {
      kind: 'other',
      text: 'Casdoor reads no prompt, so "Use another account" cannot make it ask who signs in.',
    },
  ],
  facts: [
    {
      how: "read in the provider's documents",
      text: 'The sign-in page reads no prompt.',
      source: 'https://github.com/casdoor/casdoor',
      date: '2026-09',
    },
    {
      how: 'from memory',
      text: 'Errors come with status 200. Nobody has tried it here.',
      date: '2026-11-22',
    },
  ],
} satisfies Profile;
