// Google accounts.

import type { Profile } from './profile.ts';

export default {
  use: 'refused',
  title: 'Google',
  refusal:
    'Google redeems a code only with a client secret, which an extension cannot keep. Put a broker between that you have or can host (such as Keycloak, Auth0, Dex or Zitadel), and name the broker as the provider.',
  issuers: {
    example: 'https://accounts.google.com',
    patterns: [/^https:\/\/(accounts\.google\.com|oauth2\.googleapis\.com|www\.googleapis\.com)(\/|$)/],
    mistakes: [
      {
        pattern: /^https:\/\/accounts\.google\.com\/.+/,
        advice: 'The issuer is "https://accounts.google.com", without a path.',
      },
      {
        pattern: /googleapis\.com/,
        advice: 'That is an endpoint. The issuer is "https://accounts.google.com".',
      },
    ],
  },
  registration: {
    console: 'Google Cloud console, "APIs & Services", "Credentials"',
    steps: ['Register the callback of your broker there. Nothing of the extension is registered.'],
  },
  limits: [
    {
      kind: 'secret-wanted',
      text: 'The token endpoint wants a client secret from "Web application" and "Desktop app" clients, also with PKCE. The type "Chrome Extension" serves another API of Chrome alone.',
    },
    {
      kind: 'no-refresh-token',
      text: 'A refresh token needs "access_type=offline" and a client secret. "offline_access" is not a scope of Google.',
    },
    { kind: 'no-logout', text: 'There is no page that ends the session at Google.' },
    {
      kind: 'other',
      text: 'The redirect URI of Firefox cannot be registered, because its domain belongs to Mozilla.',
    },
  ],
  facts: [
    {
      how: 'read in another project',
      text: 'A code exchange without a secret fails with "client_secret is missing", also with PKCE.',
      source: 'https://github.com/taylorwilsdon/google_workspace_mcp/issues/1008',
      date: '2026-11-22',
    },
    {
      how: 'read in another project',
      text: 'The same was seen with a web client.',
      source: 'https://github.com/manfredsteyer/angular-oauth2-oidc/issues/812',
      date: '2026-11-22',
    },
    { how: 'from memory', text: 'Code redirects end in "#".', date: '2026-11-22' },
  ],
} satisfies Profile;
