// Atlassian: Jira and Confluence in the cloud.

import type { Profile } from './profile.ts';

export default {
  use: 'refused',
  title: 'Atlassian',
  refusal:
    'Atlassian redeems a code only with a client secret, and issues no ID token to applications of others. Use a broker, or a relay on a server of yours: docs/relay.md.',
  issuers: {
    example: 'https://auth.atlassian.com',
    patterns: [/^https:\/\/([^/]+\.)?atlassian\.(com|net)(\/|$)/],
    mistakes: [],
  },
  registration: {
    console: 'Atlassian Developer Console',
    steps: ['Register the callback of your broker there. Nothing of the extension is registered.'],
  },
  limits: [
    { kind: 'secret-wanted', text: 'The code flow requires a client secret.' },
    { kind: 'no-id-token', text: 'It is plain OAuth 2 for applications of others: there is no ID token.' },
  ],
  read: '2026-11-22',
  facts: [
    {
      text: 'The code flow requires a client secret, and a refresh token the scope "offline_access".',
    },
    {
      text: "Whether a client without a secret works couldn't be found.",
      date: '2026-11-23',
    },
  ],
} satisfies Profile;
