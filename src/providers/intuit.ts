// Intuit.

import type { Profile } from './profile.ts';

export default {
  use: 'refused',
  title: 'Intuit',
  refusal:
    'Intuit redeems a code only with a client secret. Use a broker, or a relay on a server of yours: docs/relay.md.',
  issuers: {
    example: 'https://oauth.platform.intuit.com/op/v1',
    patterns: [/^https:\/\/([^/]+\.)?intuit\.com(\/|$)/],
    mistakes: [],
  },
  registration: {
    console: 'Intuit Developer, "My Hub", "App dashboard"',
    steps: ['Register the callback of your server there. Nothing of the extension is registered.'],
  },
  limits: [{ kind: 'secret-wanted', text: 'The token endpoint requires a client secret.' }],
  read: '2026-11-25',
  facts: [
    {
      text: 'The official library requires the client secret, and authenticates with Basic.',
      source: 'https://github.com/intuit/oauth-jsclient/blob/master/README.md',
    },
  ],
} satisfies Profile;
