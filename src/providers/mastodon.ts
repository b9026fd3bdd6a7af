// Mastodon.

import type { Profile } from './profile.ts';

export default {
  use: 'refused',
  title: 'Mastodon',
  refusal:
    'Mastodon knows only clients with a secret so far, and issues no ID token. Use a broker, or a relay on a server of yours: docs/relay.md.',
  issuers: {
    example: 'https://mastodon.social',
    patterns: [/^https:\/\/([^/]{1,100}\.)?mastodon\.[^/]{1,100}(\/|$)/],
    mistakes: [],
  },
  registration: {
    console: 'Mastodon, "Preferences", "Development", of each instance',
    steps: ['Register the callback of your server there. Nothing of the extension is registered.'],
  },
  limits: [
    { kind: 'secret-wanted', text: 'The token endpoint requires a client secret.' },
    { kind: 'no-id-token', text: 'It is plain OAuth 2: there is no ID token.' },
  ],
  read: '2026-11-25',
  facts: [
    {
      text: '"At present Mastodon only supports confidential clients", and work on public ones is under way.',
      source: 'https://docs.joinmastodon.org/spec/oauth/',
    },
    {
      text: 'The metadata names the authentication methods "client_secret_basic" and "client_secret_post", PKCE with S256, and a UserInfo endpoint, and no ID tokens.',
      source: 'https://docs.joinmastodon.org/methods/oauth/',
    },
  ],
} satisfies Profile;
