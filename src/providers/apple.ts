// Sign in with Apple.

import type { Profile } from './profile.ts';

export default {
  use: 'refused',
  title: 'Apple',
  refusal:
    'Apple wants a secret signed with a private key, and sends name and e-mail by a form that only a web server can receive. Put a broker between that you have or can host (such as Keycloak, Auth0, Dex or Zitadel), and name the broker as the provider.',
  issuers: {
    example: 'https://appleid.apple.com',
    patterns: [/^https:\/\/(appleid|account)\.apple\.com(\/|$)/],
    mistakes: [],
  },
  registration: {
    console: 'Apple Developer, "Certificates, Identifiers & Profiles"',
    steps: ['Register the callback of your broker there. Nothing of the extension is registered.'],
  },
  limits: [
    {
      kind: 'secret-wanted',
      text: 'The token endpoint wants a client secret: a JWT that a private key signs.',
    },
    {
      kind: 'other',
      text: 'With the scopes name and email, Apple answers by a form (response_mode=form_post), which no sign-in window shows to an extension.',
    },
  ],
  facts: [
    {
      how: 'from memory',
      text: 'The answer comes by "form_post" if name or e-mail is asked for, and the secret is a JWT signed with ES256.',
      date: '2026-11-22',
    },
    {
      how: 'from memory',
      text: 'An ID token comes only with the response type "code id_token".',
      date: '2026-11-23',
    },
  ],
} satisfies Profile;
