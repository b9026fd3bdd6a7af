// TikTok.

import type { Profile } from './profile.ts';

export default {
  use: 'refused',
  title: 'TikTok',
  refusal:
    'TikTok redeems a code only with a client secret, and issues no ID token. Use a broker that knows it, or sign people in with a different provider.',
  issuers: {
    example: 'https://www.tiktok.com',
    patterns: [/^https:\/\/([^/]+\.)?tiktok(apis)?\.com(\/|$)/],
    mistakes: [],
  },
  registration: {
    console: 'TikTok for Developers, "Manage apps"',
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
      text: 'The sign-in of Better Auth requires the client secret for a code and for a renewal.',
      source:
        'https://github.com/better-auth/better-auth/blob/main/packages/core/src/social-providers/tiktok.ts',
    },
    {
      how: 'read in another project',
      text: 'The sign-in of Auth.js sends the client secret in the body.',
      source: 'https://github.com/nextauthjs/next-auth/blob/main/packages/core/src/providers/tiktok.ts',
    },
  ],
} satisfies Profile;
