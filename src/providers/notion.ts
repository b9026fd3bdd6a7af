// Notion.

import type { Profile } from './profile.ts';

export default {
  use: 'refused',
  title: 'Notion',
  refusal:
    'Notion redeems a code only with a client secret, and issues no ID token. Use a broker, or a relay on a server of yours: docs/relay.md.',
  issuers: {
    example: 'https://api.notion.com',
    patterns: [/^https:\/\/([^/]+\.)?notion\.(com|so)(\/|$)/],
    mistakes: [],
  },
  registration: {
    console: 'Notion, "My integrations"',
    steps: ['Register the callback of your broker there. Nothing of the extension is registered.'],
  },
  limits: [
    { kind: 'secret-wanted', text: 'The token endpoint requires a client secret.' },
    { kind: 'no-id-token', text: 'It is plain OAuth 2: there is no ID token.' },
  ],
  read: '2026-11-22',
  facts: [
    {
      text: 'The token endpoint requires the client id and secret by Basic authentication.',
    },
  ],
} satisfies Profile;
