// Bitbucket Cloud.

import type { Profile } from './profile.ts';

export default {
  use: 'refused',
  title: 'Bitbucket Cloud',
  refusal:
    'Bitbucket redeems a code only with a client secret, has no PKCE, and issues no ID token. Keep its tokens on a server of yours that the feature calls, and sign people in with a different provider.',
  issuers: {
    example: 'https://bitbucket.org',
    patterns: [/^https:\/\/([^/]+\.)?bitbucket\.org(\/|$)/],
    mistakes: [],
  },
  registration: {
    console: 'Bitbucket, "Workspace settings", "OAuth consumers"',
    steps: ['Register the callback of your server there. Nothing of the extension is registered.'],
  },
  limits: [
    { kind: 'secret-wanted', text: 'The token endpoint requires a client secret.' },
    { kind: 'no-id-token', text: 'It is plain OAuth 2: there is no ID token.' },
  ],
  read: '2026-11-24',
  facts: [
    {
      text: 'A code is exchanged with the client ID and the secret by Basic authentication.',
      source: 'https://developer.atlassian.com/cloud/bitbucket/oauth-2',
    },
    {
      text: 'PKCE is asked for in a suggestion that is still open.',
      source: 'https://jira.atlassian.com/browse/BCLOUD-23469',
    },
  ],
} satisfies Profile;
