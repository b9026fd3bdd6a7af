// Patreon.

import type { Profile } from './profile.ts';

export default {
  use: 'refused',
  title: 'Patreon',
  refusal:
    'Patreon redeems a code only with a client secret, and issues no ID token. Use a broker, or a relay on a server of yours: docs/relay.md.',
  issuers: {
    example: 'https://www.patreon.com',
    patterns: [/^https:\/\/([^/]+\.)?patreon\.com(\/|$)/],
    mistakes: [],
  },
  registration: {
    console: 'Patreon Platform, "Clients & API Keys"',
    steps: ['Register the callback of your server there. Nothing of the extension is registered.'],
  },
  limits: [
    { kind: 'secret-wanted', text: 'The token endpoint requires a client secret.' },
    { kind: 'no-id-token', text: 'It is plain OAuth 2: there is no ID token.' },
  ],
  read: '2026-11-25',
  facts: [
    {
      text: 'The official library sends the client secret with a code and with a refresh token.',
      source: 'https://github.com/Patreon/patreon-js/blob/master/src/oauth.js',
    },
    {
      how: 'read in another project',
      text: 'The sign-in of Auth.js reads the person from a user API.',
      source: 'https://github.com/nextauthjs/next-auth/blob/main/packages/core/src/providers/patreon.ts',
    },
  ],
} satisfies Profile;
