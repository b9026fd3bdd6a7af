// GitHub.

import type { Profile } from './profile.ts';

export default {
  use: 'refused',
  title: 'GitHub',
  refusal:
    'GitHub issues no ID token, and its code flow wants a client secret. Put a broker that signs in with GitHub between (such as Keycloak, Auth0, Dex or Zitadel), and name the broker as the provider.',
  issuers: {
    example: 'https://github.com',
    patterns: [/^https:\/\/(api\.)?github\.com(\/|$)/],
    mistakes: [
      {
        pattern: /token\.actions\.githubusercontent\.com/,
        advice: 'That issuer is for the jobs of GitHub Actions. It signs no person in.',
      },
    ],
  },
  registration: {
    console: 'GitHub, "Developer settings", "OAuth Apps"',
    steps: ['Register the callback of the broker there. Nothing of the extension is registered at GitHub.'],
  },
  limits: [
    { kind: 'no-id-token', text: 'GitHub is plain OAuth 2: there is no discovery and no ID token.' },
    { kind: 'secret-wanted', text: 'The code flow wants a client secret, also with PKCE.' },
    { kind: 'other', text: 'The token endpoint answers an error with status 200.' },
  ],
  facts: [
    {
      how: 'from memory',
      text: 'The token endpoint answers an error with status 200.',
      date: '2026-11-22',
    },
  ],
} satisfies Profile;
