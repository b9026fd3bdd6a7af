// Facebook Login.

import type { Profile } from './profile.ts';

export default {
  use: 'refused',
  title: 'Facebook',
  refusal:
    'Facebook names no token endpoint that a client without a secret can use. Put a broker between that you have or can host (such as Keycloak, Auth0, Dex or Zitadel), and name the broker as the provider.',
  issuers: {
    example: 'https://www.facebook.com',
    patterns: [/^https:\/\/([^/]+\.)?facebook\.com(\/|$)/],
    mistakes: [],
  },
  registration: {
    console: 'Meta for Developers, "My Apps"',
    steps: ['Register the callback of your broker there. Nothing of the extension is registered.'],
  },
  limits: [
    { kind: 'secret-wanted', text: 'The classic code flow wants a client secret.' },
    { kind: 'other', text: 'The discovery document names no token endpoint. Redirects end in "#_=_".' },
  ],
  facts: [
    {
      how: 'from memory',
      text: 'The discovery document names no token endpoint, and redirects end in "#_=_".',
      date: '2026-11-22',
    },
  ],
} satisfies Profile;
