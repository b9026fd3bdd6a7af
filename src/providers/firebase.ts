// Firebase Authentication and Google Identity Platform.

import type { Profile } from './profile.ts';

export default {
  use: 'refused',
  title: 'Firebase Authentication',
  refusal:
    'Firebase Authentication is no OpenID provider: it has no authorization endpoint. Use its own library, or name the provider that the people have accounts at.',
  issuers: {
    example: 'https://securetoken.google.com/<project>',
    patterns: [
      /^https:\/\/securetoken\.google\.com(\/|$)/,
      /^https:\/\/[^/]+\.(firebaseapp\.com|web\.app)(\/|$)/,
    ],
    mistakes: [],
  },
  registration: {
    console: 'Firebase console, "Authentication"',
    steps: ['Nothing of Latchkey is registered there.'],
  },
  limits: [
    {
      kind: 'other',
      text: 'Firebase issues ID tokens to its own library. It has no page to which another client can send a person.',
    },
  ],
  facts: [
    {
      how: 'from memory',
      text: 'Its issuer publishes keys, but no authorization endpoint.',
      date: '2026-11-22',
    },
  ],
} satisfies Profile;
