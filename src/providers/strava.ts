// Strava.

import type { Profile } from './profile.ts';

export default {
  use: 'refused',
  title: 'Strava',
  refusal:
    'Strava redeems a code only with a client secret, and issues no ID token. Keep its tokens on a server of yours that the feature calls, and sign people in with a different provider.',
  issuers: {
    example: 'https://www.strava.com',
    patterns: [/^https:\/\/([^/]+\.)?strava\.com(\/|$)/],
    mistakes: [],
  },
  registration: {
    console: 'Strava, "My API Application"',
    steps: ['Register the callback of your server there. Nothing of the extension is registered.'],
  },
  limits: [
    { kind: 'secret-wanted', text: 'The token endpoint requires a client secret.' },
    { kind: 'no-id-token', text: 'It is plain OAuth 2: there is no ID token.' },
  ],
  read: '2026-11-24',
  facts: [
    {
      text: 'An application shows its client ID and client secret to exchange a code for tokens.',
      source: 'https://strava.github.io/api/v3/oauth',
    },
    {
      text: 'A registered application gets a client secret, which is used for authentication and should never be shared.',
      source: 'https://developers.strava.com/docs/authentication',
    },
  ],
} satisfies Profile;
