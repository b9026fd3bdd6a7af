// Twitch.

import type { Profile } from './profile.ts';

export default {
  use: 'refused',
  title: 'Twitch',
  refusal:
    'Twitch redeems a code only with a client secret, which an extension cannot keep. Put a broker between that you have or can host (such as Keycloak, Auth0, Dex or Zitadel), and name the broker as the provider. Without a broker, use the token relay of docs/relay.md, and no profile.',
  issuers: {
    example: 'https://id.twitch.tv/oauth2',
    patterns: [/^https:\/\/([^/]+\.)?twitch\.tv(\/|$)/],
    mistakes: [],
  },
  registration: {
    console: 'Twitch Developer Console, "Applications"',
    steps: ['Register the callback of your broker there. Nothing of the extension is registered.'],
  },
  limits: [
    { kind: 'secret-wanted', text: 'The code flow wants a client secret.' },
    { kind: 'other', text: 'The token response has "scope" as a list, where the standard wants a text.' },
  ],
  facts: [
    {
      how: 'from memory',
      text: 'The code flow wants a client secret, and "scope" comes as a list.',
      date: '2026-11-22',
    },
  ],
} satisfies Profile;
