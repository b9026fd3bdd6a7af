// HubSpot.

import type { Profile } from './profile.ts';

export default {
  use: 'refused',
  title: 'HubSpot',
  refusal:
    'HubSpot redeems a code only with a client secret, and issues no ID token. Use a broker, or a relay on a server of yours: docs/relay.md.',
  issuers: {
    example: 'https://app.hubspot.com',
    patterns: [/^https:\/\/([^/]+\.)?(hubspot|hubapi)\.com(\/|$)/],
    mistakes: [],
  },
  registration: {
    console: 'HubSpot developer account, "Apps"',
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
      text: 'The metadata for its tools, as fetched in 2026, names the authentication method "client_secret_post" alone.',
      source:
        'https://github.com/api-evangelist/hubspot/blob/main/well-known/hubspot-oauth-authorization-server.json',
    },
    {
      how: 'read in another project',
      text: 'The sign-in of Auth.js sends the client secret in the body.',
      source: 'https://github.com/nextauthjs/next-auth/blob/main/packages/core/src/providers/hubspot.ts',
    },
  ],
} satisfies Profile;
