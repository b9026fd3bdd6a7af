// Reddit.

import type { Profile } from './profile.ts';

export default {
  use: 'refused',
  title: 'Reddit',
  refusal:
    'Reddit requires Basic authentication with an empty secret, and issues no ID token. Use a broker, or a relay on a server of yours: docs/relay.md.',
  issuers: {
    example: 'https://www.reddit.com',
    patterns: [/^https:\/\/([^/]+\.)?reddit\.com(\/|$)/],
    mistakes: [],
  },
  registration: {
    console: 'Reddit, "preferences", "apps"',
    steps: ['Create an "installed app", which has no secret.'],
  },
  limits: [
    {
      kind: 'secret-wanted',
      text: "The token endpoint requires Basic authentication with the client id and an empty secret, which Latchkey doesn't send.",
    },
    { kind: 'no-id-token', text: 'It is plain OAuth 2: there is no ID token.' },
    { kind: 'other', text: 'Redirects end in "#_".' },
  ],
  read: '2026-11-22',
  facts: [
    {
      text: 'An installed app authenticates with an empty secret, and redirects end in "#_".',
    },
  ],
} satisfies Profile;
