// Stripe Connect.

import type { Profile } from './profile.ts';

export default {
  use: 'refused',
  title: 'Stripe Connect',
  refusal:
    'An access token of Stripe Connect is a secret API key of the account, and a code is redeemed with the secret key of the platform. Keep its tokens on a server of yours that the feature calls, and sign people in with a different provider.',
  issuers: {
    example: 'https://connect.stripe.com',
    patterns: [/^https:\/\/([^/]+\.)?stripe\.com(\/|$)/],
    mistakes: [],
  },
  registration: {
    console: 'Stripe Dashboard, "Connect", "Onboarding options"',
    steps: ['Register the callback of your server there. Nothing of the extension is registered.'],
  },
  limits: [
    { kind: 'secret-wanted', text: 'The token endpoint requires a client secret.' },
    { kind: 'no-id-token', text: 'It is plain OAuth 2: there is no ID token.' },
  ],
  read: '2026-11-25',
  facts: [
    {
      text: "The access token is used like a secret API key, and doesn't end. The library redeems a code as the platform, with its key.",
      source: 'https://github.com/stripe/stripe-node/blob/master/src/resources/OAuth.ts',
    },
  ],
} satisfies Profile;
