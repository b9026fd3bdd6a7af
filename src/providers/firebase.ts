// Firebase Authentication and Google Identity Platform.

import type { Profile } from './profile.ts';

export default {
  use: 'refused',
  title: 'Firebase Authentication',
  refusal:
    'Firebase Authentication isn\'t an OpenID provider: it has no authorization endpoint. Use its own library, "firebase/auth/web-extension", or configure the provider where people have their accounts.',
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
  read: '2026-11-28',
  facts: [
    {
      text: 'Its issuer publishes no authorization endpoint. Not tried here.',
      date: '2026-11-22',
    },
    {
      text: 'An extension signs in with "firebase/auth/web-extension".',
      source: 'https://firebase.google.com/docs/auth/web/chrome-extension',
    },
    {
      how: 'read in another project',
      text: 'Each project has an issuer below "https://securetoken.google.com", with keys of its own.',
      source: 'https://jwttoolkit.com/issuers/firebase/',
    },
  ],
} satisfies Profile;
