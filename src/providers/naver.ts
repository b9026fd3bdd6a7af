// Naver.

import type { Profile } from './profile.ts';

export default {
  use: 'refused',
  title: 'Naver',
  refusal:
    'Naver redeems a code only with a client secret, and issues no ID token. Use a broker that knows it, or sign people in with a different provider.',
  issuers: {
    example: 'https://nid.naver.com',
    patterns: [/^https:\/\/([^/]+\.)?naver\.com(\/|$)/],
    mistakes: [],
  },
  registration: {
    console: 'NAVER Developers, "Application"',
    steps: ['Register the callback of your server there. Nothing of the extension is registered.'],
  },
  limits: [
    { kind: 'secret-wanted', text: 'The token endpoint requires a client secret.' },
    { kind: 'no-id-token', text: 'It is plain OAuth 2: there is no ID token.' },
  ],
  read: '2026-11-25',
  facts: [
    {
      how: 'read in another project',
      text: 'The sign-in of Better Auth has no PKCE, and sends the client secret with a refresh token.',
      source:
        'https://github.com/better-auth/better-auth/blob/main/packages/core/src/social-providers/naver.ts',
    },
    {
      how: 'read in another project',
      text: 'The sign-in of Auth.js is plain OAuth 2 with a user API.',
      source: 'https://github.com/nextauthjs/next-auth/blob/main/packages/core/src/providers/naver.ts',
    },
  ],
} satisfies Profile;
