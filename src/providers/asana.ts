// Asana.

import type { Profile } from './profile.ts';

export default {
  use: 'refused',
  title: 'Asana',
  refusal:
    'As far as its own library shows, Asana redeems a code only with a client secret. Use a broker, or a relay on a server of yours: docs/relay.md.',
  issuers: {
    example: 'https://app.asana.com',
    patterns: [/^https:\/\/([^/]+\.)?asana\.com(\/|$)/],
    mistakes: [],
  },
  registration: {
    console: 'Asana developer console, "My apps"',
    steps: ['Register the callback of your server there. Nothing of the extension is registered.'],
  },
  limits: [{ kind: 'secret-wanted', text: 'The token endpoint requires a client secret.' }],
  read: '2026-11-25',
  facts: [
    {
      text: 'The token request of the official library carries the client secret.',
      source: 'https://github.com/Asana/python-asana/blob/master/asana/session.py',
    },
  ],
} satisfies Profile;
