// GitHub.

import type { Profile } from './profile.ts';

export default {
  use: 'refused',
  title: 'GitHub',
  refusal:
    'GitHub issues no ID token, and its code flow wants a client secret. Put a broker between that you have or can host (such as Keycloak, Auth0, Dex or Zitadel), and name the broker as the provider.',
  issuers: {
    example: 'https://github.com',
    patterns: [
      /^https:\/\/(api\.)?github\.com(\/|$)/,
      /^https:\/\/token\.actions\.githubusercontent\.com(\/|$)/,
    ],
    mistakes: [
      {
        pattern: /token\.actions\.githubusercontent\.com/,
        advice: 'That issuer is for the jobs of GitHub Actions. It signs no person in.',
      },
    ],
  },
  registration: {
    console: 'GitHub, "Developer settings", "OAuth Apps"',
    steps: ['Register the callback of your broker there. Nothing of the extension is registered.'],
  },
  limits: [
    { kind: 'no-id-token', text: 'GitHub is plain OAuth 2: it has no discovery document and no ID token.' },
    {
      kind: 'secret-wanted',
      text: 'The code flow wants a client secret, also with PKCE. The device flow does not.',
    },
    { kind: 'other', text: 'The token endpoint answers an error with status 200.' },
  ],
  facts: [
    {
      how: "read in the provider's documents",
      text: 'GitHub does not tell public clients from others, and recommends PKCE without requiring it.',
      source: 'https://github.blog/changelog/2025-07-14-pkce-support-for-oauth-and-github-app-authentication',
      date: '2026-11-22',
    },
    {
      how: "read in the provider's documents",
      text: 'The device flow exists for applications without a browser.',
      source: 'https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps',
      date: '2026-11-22',
    },
    {
      how: 'from memory',
      text: 'The token endpoint answers an error with status 200, and JSON only if "Accept" asks for it.',
      date: '2026-11-22',
    },
  ],
} satisfies Profile;
