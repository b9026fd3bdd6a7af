// PayPal.

import type { Profile } from './profile.ts';

export default {
  use: 'refused',
  title: 'PayPal',
  refusal:
    'PayPal redeems a code only with client ID and client secret by Basic authentication. Use a broker, or a relay on a server of yours: docs/relay.md.',
  issuers: {
    example: 'https://www.paypal.com',
    patterns: [/^https:\/\/([^/]+\.)?paypal\.com(\/|$)/],
    mistakes: [],
  },
  registration: {
    console: 'PayPal Developer Dashboard, "Apps & Credentials"',
    steps: ['Register the callback of your server there. Nothing of the extension is registered.'],
  },
  limits: [{ kind: 'secret-wanted', text: 'The token endpoint requires a client secret.' }],
  read: '2026-11-25',
  facts: [
    {
      how: 'read in another project',
      text: 'The sign-in of Better Auth says that PayPal requires Basic authentication for a code and for a renewal, even with PKCE.',
      source:
        'https://github.com/better-auth/better-auth/blob/main/packages/core/src/social-providers/paypal.ts',
    },
  ],
} satisfies Profile;
