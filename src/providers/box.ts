// Box.

import type { Profile } from './profile.ts';

export default {
  use: 'refused',
  title: 'Box',
  refusal:
    'Box redeems a code only with a client secret, and issues no ID token. Use a broker, or a relay on a server of yours: docs/relay.md.',
  issuers: {
    example: 'https://api.box.com',
    patterns: [/^https:\/\/([^/]+\.)?box\.com(\/|$)/],
    mistakes: [],
  },
  registration: {
    console: 'Box Developer Console, "My Apps"',
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
      text: 'The metadata, as fetched in 2026, names the authentication methods "client_secret_basic" and "client_secret_post", for tokens and for revocation.',
      source:
        'https://github.com/api-evangelist/box/blob/main/well-known/box-api-oauth-authorization-server.json',
    },
    {
      text: 'The official library exchanges a code together with client ID and client secret.',
      source: 'https://github.com/box/box-node-sdk/blob/main/docs/authentication.md',
    },
  ],
} satisfies Profile;
