// Figma.

import type { Profile } from './profile.ts';

export default {
  use: 'refused',
  title: 'Figma',
  refusal:
    'Figma redeems a code only with a client secret. Use a broker, or a relay on a server of yours: docs/relay.md.',
  issuers: {
    example: 'https://www.figma.com',
    patterns: [/^https:\/\/([^/]+\.)?figma\.com(\/|$)/],
    mistakes: [],
  },
  registration: {
    console: 'Figma, "My apps"',
    steps: ['Register the callback of your server there. Nothing of the extension is registered.'],
  },
  limits: [{ kind: 'secret-wanted', text: 'The token endpoint requires a client secret.' }],
  read: '2026-11-25',
  facts: [
    {
      how: 'read in another project',
      text: 'The discovery document, as fetched in 2026, names ID tokens, and as authentication methods "client_secret_post" and "client_secret_basic" alone.',
      source: 'https://github.com/api-evangelist/figma/blob/main/well-known/figma-openid-configuration.json',
    },
    {
      how: 'read in another project',
      text: 'The sign-in of Better Auth needs the client secret in addition to PKCE.',
      source:
        'https://github.com/better-auth/better-auth/blob/main/packages/core/src/social-providers/figma.ts',
    },
  ],
} satisfies Profile;
